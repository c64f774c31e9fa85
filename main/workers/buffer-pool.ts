/** Smaller ones are rounded up to this. */
const smallest = 64 * 1024;
const mebibyte = 1024 * 1024;

/** Buffers that are used again. What is in use at a time is bounded by who orders the parts; as much at most lies here. */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  /** At least that long, with whatever was in it before. */
  take(length: number): Buffer {
    const size = sizeClass(length);
    return this.#free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
  }

  give(buffer: Buffer): void {
    const free = this.#free.get(buffer.length);
    if (free) free.push(buffer);
    // Another kind of parts: those that lie here are of no use any more.
    else {
      for (const size of this.#free.keys()) if (size > buffer.length) this.#free.delete(size);
      this.#free.set(buffer.length, [buffer]);
    }
  }
}

/** Powers of two up to a mebibyte, then whole mebibytes. */
function sizeClass(length: number): number {
  if (length > mebibyte) return Math.ceil(length / mebibyte) * mebibyte;
  return Math.max(smallest, 2 ** Math.ceil(Math.log2(Math.max(1, length))));
}
