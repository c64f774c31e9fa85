import { createHash, randomBytes } from 'node:crypto';
import { crc32Of, crc32Text } from '../../../main/storage/crc32.ts';
import type { Blobs } from './blobs.ts';
import { compareCrc32, compositeCrc32, type DeclaredChecksum } from './checksums.ts';
import type { ObjectEntry } from './objects.ts';
import type { Received } from './receive.ts';
import { S3Error } from './s3-error.ts';

/** S3's minimum size of parts, except the last one. */
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
  readonly checksum: DeclaredChecksum;
  readonly parts: Map<number, Part>;
}

/** A part in CompleteMultipartUpload. */
export interface NamedPart {
  readonly number: number;
  /** Without quotes. */
  readonly etag: string;
  /** As sent in the document, or undefined. */
  readonly crc32?: string | undefined;
}

/** Open multipart uploads. */
export class MultipartUploads {
  readonly #open = new Map<string, Upload>();
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  begin(key: string, contentType: string, checksum: DeclaredChecksum): string {
    const uploadId = randomBytes(24).toString('base64url');
    this.#open.set(uploadId, { key, contentType, checksum, parts: new Map() });
    return uploadId;
  }

  /** Returns the declared checksum. Throws S3Error `NoSuchUpload` if this key has no such upload. */
  check(key: string, uploadId: string): DeclaredChecksum {
    return this.#findUpload(key, uploadId).checksum;
  }

  /**
   * Stores a part and replaces one with the same number. Throws S3Error if the upload ended during the
   * transfer.
   */
  async putPart(key: string, uploadId: string, part: Part): Promise<void> {
    const upload = this.#open.get(uploadId);
    if (upload?.key !== key) {
      await this.#blobs.remove([part]);
      throw noSuchUpload();
    }
    const oldPart = upload.parts.get(part.number);
    upload.parts.set(part.number, part);
    if (oldPart) await this.#blobs.remove([oldPart]);
  }

  /** Records that a client listed these parts' MD5s, and their CRC32s if given. */
  recordListed(key: string, uploadId: string, numbers: readonly number[], crc32: boolean): void {
    const { parts } = this.#findUpload(key, uploadId);
    for (const number of numbers) {
      const part = parts.get(number);
      if (!part) continue;
      const comparedSums = { md5: true, crc32: part.compared.crc32 || (crc32 && part.crc32 !== undefined) };
      parts.set(number, { ...part, compared: comparedSums });
    }
  }

  /** Sorted by number. */
  parts(key: string, uploadId: string): readonly Part[] {
    return [...this.#findUpload(key, uploadId).parts.values()].sort((a, b) => a.number - b.number);
  }

  /**
   * Ends the upload: creates the object from the named parts and drops the others. Throws S3Error.
   *
   * @param checksum checksums to compare: the parts' declaration, and a CRC32 of the whole
   */
  complete(
    key: string,
    uploadId: string,
    namedParts: readonly NamedPart[],
    now: number,
    checksum: { readonly declared: DeclaredChecksum; readonly promised?: number | undefined },
  ): { readonly object: ObjectEntry; readonly unused: readonly Part[] } {
    const upload = this.#findUpload(key, uploadId);
    const parts = chooseParts(upload.parts, namedParts);
    const crc32 = checksumOf(checksum.declared, parts, namedParts, checksum.promised);
    this.#open.delete(uploadId);
    const chosenParts = new Set(parts);
    const digest = createHash('md5');
    for (const part of parts) digest.update(part.md5);
    const object = {
      key,
      size: parts.reduce((sum, { size }) => sum + size, 0),
      etag: `${digest.digest('hex')}-${parts.length}`,
      contentType: upload.contentType,
      crc32,
      lastModified: now,
      blobs: parts,
    };
    return { object, unused: [...upload.parts.values()].filter((part) => !chosenParts.has(part)) };
  }

  async abort(key: string, uploadId: string): Promise<void> {
    const upload = this.#findUpload(key, uploadId);
    this.#open.delete(uploadId);
    await this.#blobs.remove([...upload.parts.values()]);
  }

  async lose(key: string, numbers: readonly number[]): Promise<void> {
    for (const upload of this.#open.values()) {
      if (upload.key !== key) continue;
      const lostParts = numbers.flatMap((number) => upload.parts.get(number) ?? []);
      for (const { number } of lostParts) upload.parts.delete(number);
      await this.#blobs.remove(lostParts);
    }
  }

  list(): readonly { readonly key: string; readonly uploadId: string }[] {
    return [...this.#open].map(([uploadId, { key }]) => ({ key, uploadId }));
  }

  #findUpload(key: string, uploadId: string): Upload {
    const upload = this.#open.get(uploadId);
    if (upload?.key !== key) throw noSuchUpload();
    return upload;
  }
}

/** Compares an object's promised checksum and returns the actual one. Throws S3Error. */
function checksumOf(
  declaredSum: DeclaredChecksum,
  parts: readonly Part[],
  namedParts: readonly NamedPart[],
  promised: number | undefined,
): ObjectEntry['crc32'] {
  if (declaredSum === null) return undefined;
  const runs = parts.map(({ crc32, size, number }, index) => {
    const promisedCrc32 = namedParts[index]?.crc32;
    if (promisedCrc32 === undefined && declaredSum === 'COMPOSITE')
      throw new S3Error(
        'InvalidRequest',
        `The upload was created using a crc32 checksum. The complete request must include the checksum for each part. It was missing for part ${number} in the request.`,
      );
    if (crc32 === undefined || (promisedCrc32 !== undefined && promisedCrc32 !== crc32Text(crc32)))
      throw new S3Error('InvalidPart', 'The checksum of a part does not match.', {
        PartNumber: String(number),
      });
    return { crc32, size };
  });
  if (declaredSum === 'COMPOSITE')
    return { text: compositeCrc32(runs.map(({ crc32 }) => crc32)), type: declaredSum };
  const wholeCrc = crc32Of(runs);
  if (promised !== undefined) compareCrc32(promised, wholeCrc);
  return { text: crc32Text(wholeCrc), type: declaredSum };
}

/** Selects the named parts: in order, with matching ETags and sizes. Throws S3Error. */
function chooseParts(
  storedParts: ReadonlyMap<number, Part>,
  namedParts: readonly NamedPart[],
): readonly Part[] {
  if (namedParts.some(({ number }, index) => index > 0 && number <= (namedParts[index - 1]?.number ?? 0))) {
    throw new S3Error('InvalidPartOrder', 'The list of parts was not in ascending order.');
  }
  const parts = namedParts.map(({ number, etag }) => {
    const part = storedParts.get(number);
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
