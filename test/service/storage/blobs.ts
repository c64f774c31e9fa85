import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Arrived, receive } from './receive.ts';

/** Stores bytes on disk under generated names, so that no key becomes a path; or discards them. */
export class Blobs {
  readonly keepsBytes: boolean;
  readonly #folder: string;

  constructor(folder: string, keepMode: 'disk' | 'discard') {
    this.#folder = folder;
    this.keepsBytes = keepMode === 'disk';
  }

  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
  }

  /** @param sums checksums in addition to the MD5 */
  take(body: Readable, sums: { readonly sha256: boolean; readonly crc32: boolean }): Promise<Arrived> {
    return receive(body, { file: this.keepsBytes ? join(this.#folder, randomUUID()) : undefined, ...sums });
  }

  async remove(blobs: readonly { readonly file: string | undefined }[]): Promise<void> {
    for (const { file } of blobs) if (file !== undefined) await rm(file, { force: true });
  }
}

/** Bytes of several blobs in order: a multipart object is never assembled. */
export async function* readBlobs(
  blobs: readonly { readonly file: string | undefined }[],
): AsyncGenerator<Uint8Array> {
  for (const { file } of blobs) {
    if (file === undefined) throw new Error('The bytes of this object were not kept.');
    yield* createReadStream(file, { highWaterMark: batchBytes }) as AsyncIterable<Buffer>;
  }
}

const batchBytes = 1 << 20;

/** Hex SHA-256 of several blobs in order. */
export async function sha256Of(blobs: readonly { readonly file: string | undefined }[]): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of readBlobs(blobs)) hash.update(bytes);
  return hash.digest('hex');
}
