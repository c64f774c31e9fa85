import { hash } from 'node:crypto';
import type { RequestedSums, Sums } from '../files/checksums.ts';
import { maybeSameFile } from '../files/file-identity.ts';
import type { ThreadReads } from '../files/pool-reads.ts';
import {
  changedError,
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

/** Files up to this size are read synchronously while the disk is fast. */
const smallFile = 256 * 1024;
const onlyMd5: RequestedSums = { md5: true, crc32: false };

const maxReadings = 3;

const streamedBytes = 256 * 1024;
const smallestBuffer = 64 * 1024;
const mebibyte = 1024 * 1024;

/**
 * Reads source files at the lowest cost: small ones synchronously, large ones via the thread pool, or
 * synchronously if too many pool reads hang.
 */
export class SourceReader {
  readonly #reads: ThreadReads;
  readonly #stallMs: number;
  readonly #buffers = new BufferPool();
  readonly #pieces = new BufferPool();
  readonly #pace: DiskPace;

  constructor(reads: ThreadReads, stallMs: number, elapsed: () => number) {
    this.#reads = reads;
    this.#stallMs = stallMs;
    this.#pace = new DiskPace(elapsed);
  }

  /** @param id the order's */
  async read<T>(
    id: number,
    order: PartOrder,
    requestedSums: RequestedSums,
    work: (read: ReadPart) => Promise<T>,
  ): Promise<T> {
    const buffer = this.#buffers.takeBuffer(order.length);
    try {
      const result = await work(await this.#readOrder(id, order, buffer, requestedSums));
      this.#buffers.give(buffer);
      return result;
    } catch (error) {
      // After a stall the drive may still write into the buffer.
      if (!isStalled(error)) this.#buffers.give(buffer);
      throw error;
    }
  }

  /** Throws like `read`. */
  async stream<T>(
    id: number,
    order: PartOrder,
    requestedSums: RequestedSums,
    work: (part: StreamedPart, sums: Sums) => Promise<T>,
  ): Promise<T> {
    const options = {
      reads: this.#reads,
      stallMs: this.#stallMs,
      takeBuffer: () => this.#pieces.takeBuffer(streamedBytes),
      giveBuffer: (buffer: Buffer) => this.#pieces.give(buffer),
    };
    const part = new StreamedPart(id, order, options);
    try {
      return await work(part, await part.sums(requestedSums));
    } finally {
      part.close();
    }
  }

  /** Nothing is confirmed yet of a file sent whole, so its current content may be sent. */
  async #readOrder(
    id: number,
    order: PartOrder,
    buffer: Buffer,
    requestedSums: RequestedSums,
  ): Promise<ReadPart> {
    if (order.uploadId !== null)
      return this.#readPart(id, order, order.offset, order.length, buffer, requestedSums);
    let source: KnownSource = order;
    for (let readings = 1; ; readings++) {
      try {
        return await this.#readWhole(id, source, buffer, requestedSums);
      } catch (error) {
        if (!(error instanceof SourceReplaced)) throw error;
        const { path, identity } = source;
        // A link or a replaced folder may have planted a different file.
        if (readings >= maxReadings || (identity && !maybeSameFile(identity, error.identity)))
          throw changedError(path, error);
        source = { ...source, identity: error.identity };
      }
    }
  }

  /** If in doubt, rereads the file into the same buffer. */
  async checkSent(id: number, order: PartOrder, { bytes, identity, ...sums }: ReadPart): Promise<void> {
    const source = order.identity ? { ...order, identity } : order;
    try {
      if (this.#isSynchronous(order)) this.#reads.blocking(id, () => checkSourceSync(source));
      else await checkSource(source, this.#stallMs);
    } catch (error) {
      if (!(error instanceof SourceReplaced)) throw error;
      const md5 = sums.md5 ?? hash('md5', bytes, 'buffer');
      const replacedSource = { ...source, identity: error.identity };
      const reread = await this.#readWhole(id, replacedSource, bytes, onlyMd5).catch(
        rethrowReplaced(order.path),
      );
      if (!reread.md5?.equals(md5)) throw changedError(order.path, error);
    }
  }

  async #readWhole(
    id: number,
    source: KnownSource,
    buffer: Buffer,
    requestedSums: RequestedSums,
  ): Promise<ReadPart> {
    const { size } = source;
    if (!this.#isSynchronous({ uploadId: null, length: size })) {
      if (size <= smallFile) this.#pace.countPooledRead();
      return this.#readPart(id, source, 0, size, buffer, requestedSums);
    }
    return this.#pace.watch(() =>
      this.#reads.blocking(id, () => readPartSync(source, buffer, requestedSums)),
    );
  }

  async #readPart(
    id: number,
    source: KnownSource,
    offset: number,
    length: number,
    buffer: Buffer,
    requestedSums: RequestedSums,
  ): Promise<ReadPart> {
    if (!this.#reads.take())
      return readPartHere(source, offset, length, buffer, requestedSums, (work) =>
        this.#reads.blocking(id, work),
      );
    try {
      const read = await readPart(source, offset, length, buffer, requestedSums, this.#stallMs);
      this.#reads.give();
      return read;
    } catch (error) {
      // A hanging read keeps its slot until this thread ends.
      if (!isStalled(error)) this.#reads.give();
      throw error;
    }
  }

  #isSynchronous({ uploadId, length }: Pick<PartOrder, 'uploadId' | 'length'>): boolean {
    return uploadId === null && length <= smallFile && this.#pace.isQuick;
  }
}

function rethrowReplaced(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof SourceReplaced ? changedError(path, error) : error;
  };
}

/** The parts in flight bound the number in use. */
class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  takeBuffer(length: number): Buffer {
    const size = sizeClass(length);
    return this.#free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
  }

  give(buffer: Buffer): void {
    const free = this.#free.get(buffer.length);
    if (free) free.push(buffer);
    // Part sizes changed, so the others are useless.
    else {
      for (const size of this.#free.keys()) if (size > buffer.length) this.#free.delete(size);
      this.#free.set(buffer.length, [buffer]);
    }
  }
}

/** Powers of two up to 1 MiB, then whole MiB. */
function sizeClass(length: number): number {
  if (length > mebibyte) return Math.ceil(length / mebibyte) * mebibyte;
  return Math.max(smallestBuffer, 2 ** Math.ceil(Math.log2(Math.max(1, length))));
}
