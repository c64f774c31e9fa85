import { createHash, randomBytes } from 'node:crypto';
import type { Blobs } from './blobs.ts';
import type { ObjectEntry } from './objects.ts';
import type { Received } from './receive.ts';
import { S3Error } from './s3-error.ts';

/** S3's smallest part, the last one excepted. */
const smallestPart = 5 * 1024 * 1024;
export const largestPartNumber = 10_000;

interface Part extends Received {
  readonly number: number;
  /** ms since the epoch. */
  readonly lastModified: number;
}

interface Upload {
  readonly key: string;
  readonly contentType: string;
  readonly parts: Map<number, Part>;
}

/** What CompleteMultipartUpload names. */
export interface NamedPart {
  readonly number: number;
  /** Without quotes. */
  readonly etag: string;
}

/** The multipart uploads that are open. */
export class MultipartUploads {
  readonly #open = new Map<string, Upload>();
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** Gives the upload id. */
  begin(key: string, contentType: string): string {
    const uploadId = randomBytes(24).toString('base64url');
    this.#open.set(uploadId, { key, contentType, parts: new Map() });
    return uploadId;
  }

  /** Throws S3Error `NoSuchUpload` when it is not open, or not for this key. */
  check(key: string, uploadId: string): void {
    this.#find(key, uploadId);
  }

  /**
   * Keeps a part in place of whatever had its number. Throws S3Error when the upload ended while the part
   * arrived.
   */
  async putPart(key: string, uploadId: string, part: Part): Promise<void> {
    const upload = this.#open.get(uploadId);
    if (upload?.key !== key) {
      await this.#blobs.remove([part]);
      throw noSuchUpload();
    }
    const old = upload.parts.get(part.number);
    upload.parts.set(part.number, part);
    if (old) await this.#blobs.remove([old]);
  }

  /** By number. */
  parts(key: string, uploadId: string): readonly Part[] {
    return [...this.#find(key, uploadId).parts.values()].sort((a, b) => a.number - b.number);
  }

  /** Ends the upload: the object of the named parts, and the parts that were not named. Throws S3Error. */
  complete(
    key: string,
    uploadId: string,
    named: readonly NamedPart[],
    now: number,
  ): { readonly object: ObjectEntry; readonly unused: readonly Part[] } {
    const upload = this.#find(key, uploadId);
    const parts = chooseParts(upload.parts, named);
    this.#open.delete(uploadId);
    const chosen = new Set(parts);
    const digest = createHash('md5');
    for (const part of parts) digest.update(part.md5);
    const object = {
      key,
      size: parts.reduce((sum, { size }) => sum + size, 0),
      etag: `${digest.digest('hex')}-${parts.length}`,
      contentType: upload.contentType,
      lastModified: now,
      blobs: parts,
    };
    return { object, unused: [...upload.parts.values()].filter((part) => !chosen.has(part)) };
  }

  async abort(key: string, uploadId: string): Promise<void> {
    const upload = this.#find(key, uploadId);
    this.#open.delete(uploadId);
    await this.#blobs.remove([...upload.parts.values()]);
  }

  /** Parts that were taken are there no more. */
  async lose(key: string, numbers: readonly number[]): Promise<void> {
    for (const upload of this.#open.values()) {
      if (upload.key !== key) continue;
      const lost = numbers.flatMap((number) => upload.parts.get(number) ?? []);
      for (const { number } of lost) upload.parts.delete(number);
      await this.#blobs.remove(lost);
    }
  }

  list(): readonly { readonly key: string; readonly uploadId: string }[] {
    return [...this.#open].map(([uploadId, { key }]) => ({ key, uploadId }));
  }

  #find(key: string, uploadId: string): Upload {
    const upload = this.#open.get(uploadId);
    if (upload?.key !== key) throw noSuchUpload();
    return upload;
  }
}

/** The held parts that are named: in order, with the right ETags, large enough. Throws S3Error. */
function chooseParts(held: ReadonlyMap<number, Part>, named: readonly NamedPart[]): readonly Part[] {
  if (named.some(({ number }, index) => index > 0 && number <= (named[index - 1]?.number ?? 0))) {
    throw new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order.');
  }
  const parts = named.map(({ number, etag }) => {
    const part = held.get(number);
    if (part?.md5.toString('hex') !== etag) {
      throw new S3Error('InvalidPart', 'A part could not be found, or its entity tag does not match.', {
        PartNumber: String(number),
        ETag: etag,
      });
    }
    return part;
  });
  const small = parts.slice(0, -1).find(({ size }) => size < smallestPart);
  if (small) {
    throw new S3Error('EntityTooSmall', 'A part is smaller than the minimum allowed size.', {
      PartNumber: String(small.number),
      ProposedSize: String(small.size),
      MinSizeAllowed: String(smallestPart),
    });
  }
  return parts;
}

function noSuchUpload(): S3Error {
  return new S3Error('NoSuchUpload', 'The upload does not exist. It may have been aborted or completed.');
}
