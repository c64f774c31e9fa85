import { hash } from 'node:crypto';
import type { Sums, WantedSums } from '../files/checksums.ts';
import { maybeSameFile } from '../files/file-identity.ts';
import type { ThreadReads } from '../files/pool-reads.ts';
import {
  changed,
  checkSource,
  checkSourceSync,
  type KnownSource,
  type ReadPart,
  readPart,
  readPartHere,
  readPartSync,
  SourceReplaced,
} from '../files/read-source.ts';
import { isStalled } from '../files/stalled-read.ts';
import type { PartOrder } from '../storage/storage.ts';
import { DiskPace } from './disk-pace.ts';
import { StreamedPart } from './streamed-part.ts';

/** A file up to this size is read without the thread pool, while the disk is quick. */
const smallFile = 256 * 1024;
const onlyMd5: WantedSums = { md5: true, crc32: false };

/** A file that is changed this often while it is read is not read any more. */
const maxReadings = 3;

/** Of a streamed part so much is in memory. */
const streamedBytes = 256 * 1024;
/** Smaller ones are rounded up to this. */
const smallestBuffer = 64 * 1024;
const mebibyte = 1024 * 1024;

/**
 * Reads the source for one upload worker, by the way that costs least: small files at once, large ones
 * through the thread pool, and without it where too much hangs there already.
 */
export class SourceReader {
  readonly #reads: ThreadReads;
  readonly #stallMs: number;
  readonly #buffers = new BufferPool();
  readonly #pieces = new BufferPool();
  readonly #pace: DiskPace;

  /** `elapsed`: ms on a clock that never jumps. */
  constructor(reads: ThreadReads, stallMs: number, elapsed: () => number) {
    this.#reads = reads;
    this.#stallMs = stallMs;
    this.#pace = new DiskPace(elapsed);
  }

  /** Reads as `readPart` does and hands the buffer to `work` until that ends. `id`: the order's number. */
  async read<T>(
    id: number,
    order: PartOrder,
    wanted: WantedSums,
    work: (read: ReadPart) => Promise<T>,
  ): Promise<T> {
    const buffer = this.#buffers.take(order.length);
    try {
      const result = await work(await this.#ordered(id, order, buffer, wanted));
      this.#buffers.give(buffer);
      return result;
    } catch (thrown) {
      // A drive that was given up may still write into it.
      if (!isStalled(thrown)) this.#buffers.give(buffer);
      throw thrown;
    }
  }

  /** Hands `work` a part that is read while it is sent, with its checksums. Throws what `read` throws. */
  async stream<T>(
    id: number,
    order: PartOrder,
    wanted: WantedSums,
    work: (part: StreamedPart, sums: Sums) => Promise<T>,
  ): Promise<T> {
    const options = {
      reads: this.#reads,
      stallMs: this.#stallMs,
      takeBuffer: () => this.#pieces.take(streamedBytes),
      giveBuffer: (buffer: Buffer) => this.#pieces.give(buffer),
    };
    const part = new StreamedPart(id, order, options);
    try {
      return await work(part, await part.sums(wanted));
    } finally {
      part.close();
    }
  }

  /** Of a file that goes whole nothing has been confirmed yet: it may be read as it is by now. */
  async #ordered(id: number, order: PartOrder, buffer: Buffer, wanted: WantedSums): Promise<ReadPart> {
    if (order.uploadId !== null) return this.#part(id, order, order.offset, order.length, buffer, wanted);
    let source: KnownSource = order;
    for (let readings = 1; ; readings++) {
      try {
        return await this.#whole(id, source, buffer, wanted);
      } catch (thrown) {
        if (!(thrown instanceof SourceReplaced)) throw thrown;
        const { path, identity } = source;
        // Another file: someone may have put it there, by a link or in the folder's place, that it be sent.
        if (readings >= maxReadings || (identity && !maybeSameFile(identity, thrown.found)))
          throw changed(path, thrown);
        source = { ...source, identity: thrown.found };
      }
    }
  }

  /**
   * Whether a file that was sent whole is still what was sent. Where that can't be seen it is read once more,
   * into the same buffer.
   */
  async checkSent(id: number, order: PartOrder, { bytes, identity, ...sums }: ReadPart): Promise<void> {
    const source = order.identity ? { ...order, identity } : order;
    try {
      if (this.#atOnce(order)) this.#reads.blocking(id, () => checkSourceSync(source));
      else await checkSource(source, this.#stallMs);
    } catch (thrown) {
      if (!(thrown instanceof SourceReplaced)) throw thrown;
      const md5 = sums.md5 ?? hash('md5', bytes, 'buffer');
      const found = { ...source, identity: thrown.found };
      const again = await this.#whole(id, found, bytes, onlyMd5).catch(replacedAgain(order.path));
      if (!again.md5?.equals(md5)) throw changed(order.path, thrown);
    }
  }

  async #whole(id: number, source: KnownSource, buffer: Buffer, wanted: WantedSums): Promise<ReadPart> {
    const { size } = source;
    if (!this.#atOnce({ uploadId: null, length: size })) {
      if (size <= smallFile) this.#pace.sparedOne();
      return this.#part(id, source, 0, size, buffer, wanted);
    }
    return this.#pace.watch(() => this.#reads.blocking(id, () => readPartSync(source, buffer, wanted)));
  }

  async #part(
    id: number,
    source: KnownSource,
    offset: number,
    length: number,
    buffer: Buffer,
    wanted: WantedSums,
  ): Promise<ReadPart> {
    if (!this.#reads.take())
      return readPartHere(source, offset, length, buffer, wanted, (work) => this.#reads.blocking(id, work));
    try {
      const read = await readPart(source, offset, length, buffer, wanted, this.#stallMs);
      this.#reads.give();
      return read;
    } catch (thrown) {
      // What hangs keeps its place until this thread has ended.
      if (!isStalled(thrown)) this.#reads.give();
      throw thrown;
    }
  }

  #atOnce({ uploadId, length }: Pick<PartOrder, 'uploadId' | 'length'>): boolean {
    return uploadId === null && length <= smallFile && this.#pace.isQuick;
  }
}

function replacedAgain(path: string): (thrown: unknown) => never {
  return (thrown) => {
    throw thrown instanceof SourceReplaced ? changed(path, thrown) : thrown;
  };
}

/**
 * Buffers that are used again. What is in use at a time is bounded by who orders the parts; as much at most
 * is here.
 */
class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  /** At least that long, with whatever was in it before. */
  take(length: number): Buffer {
    const size = sizeClass(length);
    return this.#free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
  }

  give(buffer: Buffer): void {
    const free = this.#free.get(buffer.length);
    if (free) free.push(buffer);
    // Another kind of parts: those that are here are of no use any more.
    else {
      for (const size of this.#free.keys()) if (size > buffer.length) this.#free.delete(size);
      this.#free.set(buffer.length, [buffer]);
    }
  }
}

/** Powers of two up to a mebibyte, then whole mebibytes. */
function sizeClass(length: number): number {
  if (length > mebibyte) return Math.ceil(length / mebibyte) * mebibyte;
  return Math.max(smallestBuffer, 2 ** Math.ceil(Math.log2(Math.max(1, length))));
}
