import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/** Compared checksums: with sent ones, or by a client that listed them. */
export interface Compared {
  readonly md5: boolean;
  readonly crc32: boolean;
}

/** A completely received body. */
export interface Arrived {
  readonly size: number;
  readonly md5: Buffer;
  /** Hex; undefined unless requested. */
  readonly sha256: string | undefined;
  /** Undefined unless requested. */
  readonly crc32: number | undefined;
  readonly file: string | undefined;
}

interface ReceiveOptions {
  /** File for the bytes; undefined discards them. */
  readonly file: string | undefined;
  readonly sha256: boolean;
  readonly crc32: boolean;
}

/** A received body with its comparisons. */
export interface Received extends Arrived {
  readonly compared: Compared;
}

/** Large batches, because many small writes cost more. */
const batchBytes = 1 << 20;

/**
 * Receives a body: hashes and writes each byte once, in constant memory (two batches). Rejects if the client
 * disconnects or the disk fails, and leaves no file then.
 */
export async function receive(body: Readable, options: ReceiveOptions): Promise<Arrived> {
  const md5 = createHash('md5');
  const sha256 = options.sha256 ? createHash('sha256') : undefined;
  const sink = options.file === undefined ? undefined : await FileSink.open(options.file);
  let crc = options.crc32 ? 0 : undefined;
  let size = 0;
  try {
    for await (const chunk of body) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      md5.update(bytes);
      sha256?.update(bytes);
      if (crc !== undefined) crc = crc32(bytes, crc);
      await sink?.take(bytes);
    }
    await sink?.close();
  } catch (error) {
    await sink?.abandon();
    throw error;
  }
  return { size, md5: md5.digest(), sha256: sha256?.digest('hex'), crc32: crc, file: options.file };
}

class FileSink {
  readonly #path: string;
  readonly #handle: FileHandle;
  #batch: Buffer[] = [];
  #gatheredBytes = 0;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  static async open(path: string): Promise<FileSink> {
    return new FileSink(path, await open(path, 'wx'));
  }

  async take(bytes: Buffer): Promise<void> {
    this.#batch.push(bytes);
    this.#gatheredBytes += bytes.length;
    if (this.#gatheredBytes >= batchBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#writing;
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#gatheredBytes = 0;
    this.#writing = this.#handle.writev(batch);
    // The next await gets the error; without this a failing disk would end the process first.
    this.#writing.catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#writing;
    await this.#handle.close();
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle.close().catch(() => undefined);
    await rm(this.#path, { force: true });
  }
}
