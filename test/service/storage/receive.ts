import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

/** Which checksums of bytes were compared: with what came with them, or by who was told of them in a list. */
export interface Compared {
  readonly md5: boolean;
  readonly crc32: boolean;
}

/** A body that has arrived whole. */
export interface Arrived {
  readonly size: number;
  readonly md5: Buffer;
  /** Hex; undefined where it was not asked for. */
  readonly sha256: string | undefined;
  /** Undefined where it was not asked for. */
  readonly crc32: number | undefined;
  /** Where the bytes are; undefined when they were not kept. */
  readonly file: string | undefined;
}

interface ReceiveOptions {
  /** Where to put the bytes; undefined keeps none. */
  readonly file: string | undefined;
  readonly sha256: boolean;
  readonly crc32: boolean;
}

/** The same, and what of it was compared. */
export interface Received extends Arrived {
  readonly compared: Compared;
}

/** Bytes gathered before they are written: few large writes cost much less than many small ones. */
const batchBytes = 1 << 20;

/**
 * Takes in a body as it streams: each byte is read once, hashed and written, in constant memory (two
 * batches). Rejects when the client goes away or the disk fails; nothing is left on disk then.
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

/** Writes batches one behind the other while the next one gathers. */
class FileSink {
  readonly #path: string;
  readonly #handle: FileHandle;
  #batch: Buffer[] = [];
  #gathered = 0;
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
    this.#gathered += bytes.length;
    if (this.#gathered >= batchBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#writing;
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#gathered = 0;
    this.#writing = this.#handle.writev(batch);
    // Whoever awaits it next gets the error; without this a failing disk would end the process first.
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
