import { close, read, readSync } from 'node:fs';
import { RunningSums, type Sums, type WantedSums } from '../files/checksums.ts';
import type { FileIdentity } from '../files/file-identity.ts';
import type { ThreadReads } from '../files/pool-reads.ts';
import { changed, meetSource, naming, openSource } from '../files/read-source.ts';
import { isStalled, withoutStall } from '../files/stalled-read.ts';
import type { BodyPass, StreamedBody } from '../storage/requests/request-body.ts';
import type { PartOrder } from '../storage/storage.ts';

interface StreamOptions {
  readonly reads: ThreadReads;
  /** A drive that moves no byte for so long is given up, ms. */
  readonly stallMs: number;
  /** As much of the part as a pass has in memory at a time. */
  readonly takeBuffer: () => Buffer;
  readonly giveBuffer: (buffer: Buffer) => void;
}

/**
 * A part that is never in memory as a whole: it is read once for its checksums, and once more, mostly from
 * the system's cache, for each time that it is sent. The last piece is handed out only when all that was
 * handed out is what was hashed, and the file is still the one of the scan: so storage never has a whole part
 * of anything else.
 *
 * All calls throw what `readPart` throws about the source.
 */
export class StreamedPart implements StreamedBody {
  readonly length: number;
  readonly #id: number;
  readonly #order: PartOrder;
  readonly #options: StreamOptions;
  readonly #descriptor: number;
  readonly #identity: FileIdentity;
  /** Of the first reading. */
  #crc32: number | null = null;
  /** Of passes that are over. A pass that was given up may still read into its own. */
  readonly #free: Buffer[] = [];
  readonly #taken: Buffer[] = [];
  #reading: Promise<unknown> = Promise.resolve();

  /** Opens the file. `id`: the order's number. */
  constructor(id: number, order: PartOrder, options: StreamOptions) {
    this.#id = id;
    this.#order = order;
    this.#options = options;
    this.length = order.length;
    this.#descriptor = this.#blocking(() => openSource(order.path));
    try {
      this.#identity = this.#blocking(() => meetSource(order, this.#descriptor));
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** Reads all of it. A later reading that finds other bytes than the first throws `source-changed`. */
  async sums(wanted: WantedSums): Promise<Sums> {
    const sums = new RunningSums({ ...wanted, crc32: true });
    const buffer = this.#take();
    for (let at = 0; at < this.length; ) {
      const bytes = await this.#read(at, this.length - at, buffer);
      sums.update(bytes);
      at += bytes.length;
    }
    this.#free.push(buffer);
    const { md5, crc32 } = sums.end();
    this.#check(crc32);
    this.#crc32 = crc32;
    return { md5, crc32: wanted.crc32 ? crc32 : null };
  }

  begin(): BodyPass {
    const sums = new RunningSums({ md5: false, crc32: true });
    const buffer = this.#take();
    let at = 0;
    return {
      next: async (most) => {
        const bytes = await this.#read(at, most, buffer);
        sums.update(bytes);
        at += bytes.length;
        if (at === this.length) this.#check(sums.end().crc32);
        return bytes;
      },
    };
  }

  /** A call that hangs keeps the file and the buffers: closing would hang behind it. */
  close(): void {
    void this.#reading.then(() => {
      close(this.#descriptor, () => {});
      for (const buffer of this.#taken) this.#options.giveBuffer(buffer);
    });
  }

  #take(): Buffer {
    const free = this.#free.pop();
    if (free) return free;
    const buffer = this.#options.takeBuffer();
    this.#taken.push(buffer);
    return buffer;
  }

  #blocking<T>(work: () => T): T {
    return this.#options.reads.blocking(this.#id, work);
  }

  /** Still the same file, with the bytes that were hashed. */
  #check(crc32: number | null): void {
    const { path, identity } = this.#order;
    // Where size and time alone are known, they alone are compared.
    const source = identity ? { ...this.#order, identity: this.#identity } : this.#order;
    this.#blocking(() => meetSource(source, this.#descriptor));
    if (this.#crc32 !== null && this.#crc32 !== crc32) throw changed(path);
  }

  /** A view of the buffer, at most that long, with what is there. */
  async #read(at: number, most: number, buffer: Buffer): Promise<Buffer> {
    const { path, offset } = this.#order;
    const length = Math.min(most, buffer.length, this.length - at);
    const count = await naming(path, () => this.#count(buffer, length, offset + at));
    if (count === 0) throw changed(path);
    return buffer.subarray(0, count);
  }

  /** By the thread pool, and in this thread where too much hangs there already. */
  async #count(buffer: Buffer, length: number, position: number): Promise<number> {
    const { reads, stallMs } = this.#options;
    if (!reads.take()) return this.#blocking(() => readSync(this.#descriptor, buffer, 0, length, position));
    const reading = readLater(this.#descriptor, buffer, length, position);
    this.#reading = Promise.allSettled([this.#reading, reading]);
    try {
      const count = await withoutStall(reading, this.#order.path, stallMs);
      reads.give();
      return count;
    } catch (thrown) {
      // What hangs keeps its place until this thread has ended.
      if (!isStalled(thrown)) reads.give();
      throw thrown;
    }
  }
}

function readLater(descriptor: number, buffer: Buffer, length: number, position: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  read(descriptor, buffer, 0, length, position, (error, count) => (error ? reject(error) : resolve(count)));
  return promise;
}
