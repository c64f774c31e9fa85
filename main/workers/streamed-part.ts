import { close, read, readSync } from 'node:fs';
import { type RequestedSums, RunningSums, type Sums } from '../files/checksums.ts';
import type { FileIdentity } from '../files/file-identity.ts';
import type { ThreadReads } from '../files/pool-reads.ts';
import { changedError, openSource, verifySource, withPathInErrors } from '../files/read-source.ts';
import { isStalled, withoutStall } from '../files/stalled-read.ts';
import type { BodyPass, StreamedBody } from '../storage/requests/request-body.ts';
import type { PartOrder } from '../storage/storage.ts';

interface StreamOptions {
  readonly reads: ThreadReads;
  readonly stallMs: number;
  readonly takeBuffer: () => Buffer;
  readonly giveBuffer: (buffer: Buffer) => void;
}

/**
 * A part read once for its checksums and again for each try, mostly from the system's cache. The last piece
 * is released only if all bytes match the hash and the file is unchanged, so storage never completes a wrong
 * part.
 *
 * All calls throw like `readPart`.
 */
export class StreamedPart implements StreamedBody {
  readonly length: number;
  readonly #id: number;
  readonly #order: PartOrder;
  readonly #options: StreamOptions;
  readonly #descriptor: number;
  readonly #identity: FileIdentity;
  #crc32: number | null = null;
  /** An abandoned pass may still read into its own buffer. */
  readonly #free: Buffer[] = [];
  readonly #allBuffers: Buffer[] = [];
  #currentRead: Promise<unknown> = Promise.resolve();

  /** @param id the order's */
  constructor(id: number, order: PartOrder, options: StreamOptions) {
    this.#id = id;
    this.#order = order;
    this.#options = options;
    this.length = order.length;
    this.#descriptor = this.#blocking(() => openSource(order.path));
    try {
      this.#identity = this.#blocking(() => verifySource(order, this.#descriptor));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Throws `source-changed` if a later read finds other bytes. */
  async sums(requestedSums: RequestedSums): Promise<Sums> {
    const sums = new RunningSums({ ...requestedSums, crc32: true });
    const buffer = this.#nextBuffer();
    for (let offset = 0; offset < this.length; ) {
      const bytes = await this.#read(offset, this.length - offset, buffer);
      sums.update(bytes);
      offset += bytes.length;
    }
    this.#free.push(buffer);
    const { md5, crc32 } = sums.end();
    this.#check(crc32);
    this.#crc32 = crc32;
    return { md5, crc32: requestedSums.crc32 ? crc32 : null };
  }

  beginPass(): BodyPass {
    const sums = new RunningSums({ md5: false, crc32: true });
    const buffer = this.#nextBuffer();
    let offset = 0;
    return {
      read: async (maxBytes) => {
        const bytes = await this.#read(offset, maxBytes, buffer);
        sums.update(bytes);
        offset += bytes.length;
        if (offset === this.length) this.#check(sums.end().crc32);
        return bytes;
      },
    };
  }

  /** Waits for hanging reads, because closing would hang too. */
  close(): void {
    void this.#currentRead.then(() => {
      close(this.#descriptor, () => {});
      for (const buffer of this.#allBuffers) this.#options.giveBuffer(buffer);
    });
  }

  #nextBuffer(): Buffer {
    const free = this.#free.pop();
    if (free) return free;
    const buffer = this.#options.takeBuffer();
    this.#allBuffers.push(buffer);
    return buffer;
  }

  #blocking<T>(work: () => T): T {
    return this.#options.reads.blocking(this.#id, work);
  }

  #check(crc32: number | null): void {
    const { path, identity } = this.#order;
    // Without an identity, compares only size and time.
    const source = identity ? { ...this.#order, identity: this.#identity } : this.#order;
    this.#blocking(() => verifySource(source, this.#descriptor));
    if (this.#crc32 !== null && this.#crc32 !== crc32) throw changedError(path);
  }

  async #read(start: number, maxBytes: number, buffer: Buffer): Promise<Buffer> {
    const { path, offset } = this.#order;
    const length = Math.min(maxBytes, buffer.length, this.length - start);
    const count = await withPathInErrors(path, () => this.#count(buffer, length, offset + start));
    if (count === 0) throw changedError(path);
    return buffer.subarray(0, count);
  }

  /** Uses this thread if too many pool reads hang. */
  async #count(buffer: Buffer, length: number, position: number): Promise<number> {
    const { reads, stallMs } = this.#options;
    if (!reads.take()) return this.#blocking(() => readSync(this.#descriptor, buffer, 0, length, position));
    const readPromise = readLater(this.#descriptor, buffer, length, position);
    this.#currentRead = Promise.allSettled([this.#currentRead, readPromise]);
    try {
      const count = await withoutStall(readPromise, this.#order.path, stallMs);
      reads.give();
      return count;
    } catch (error) {
      // A hanging read keeps its slot until this thread ends.
      if (!isStalled(error)) reads.give();
      throw error;
    }
  }
}

function readLater(descriptor: number, buffer: Buffer, length: number, position: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  read(descriptor, buffer, 0, length, position, (error, count) => (error ? reject(error) : resolve(count)));
  return promise;
}
