import { crc32 } from 'node:zlib';
import { crc32Text, parseCrc32 } from '../../../main/storage/crc32.ts';
import type { Exchange } from '../http/exchange.ts';
import { S3Error } from './s3-error.ts';

/**
 * The checksums of S3 beside `Content-MD5`, as Amazon S3 compares them (user guide, "Checking object
 * integrity"): the CRC32 of a request without chunks, of parts, and of a whole object. Other algorithms pass.
 * Stores that know nothing of them take them without a word, as Ceph RGW 16.2 does, or refuse them.
 */
export type ChecksumMode = 'verify' | 'ignore' | 'refuse';

/**
 * What an upload was declared to carry: a CRC32 of each part and, with `FULL_OBJECT`, one of the whole; null
 * for nothing that is compared here.
 */
export type DeclaredChecksum = 'COMPOSITE' | 'FULL_OBJECT' | null;

const algorithms: ReadonlySet<string> = new Set(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']);

/** Of the request that begins an upload. Throws S3Error. */
export function declaredChecksum(exchange: Exchange): DeclaredChecksum {
  const algorithm = exchange.header('x-amz-checksum-algorithm')?.toUpperCase();
  const type = exchange.header('x-amz-checksum-type')?.toUpperCase();
  if (algorithm === undefined) {
    if (type !== undefined) throw invalid('x-amz-checksum-type is of use with x-amz-checksum-algorithm.');
    return null;
  }
  if (!algorithms.has(algorithm)) throw invalid('Checksum algorithm provided is unsupported.');
  if (algorithm !== 'CRC32') return null;
  if (type !== undefined && type !== 'COMPOSITE' && type !== 'FULL_OBJECT')
    throw invalid('Value for x-amz-checksum-type header is invalid.');
  return type ?? 'COMPOSITE';
}

/** The CRC32 that a request promises for what it carries; undefined for none. Throws S3Error. */
export function promisedCrc32(exchange: Exchange): number | undefined {
  const text = exchange.header('x-amz-checksum-crc32');
  if (text === undefined) return undefined;
  const crc = parseCrc32(text);
  if (crc === null) throw invalid('Value for x-amz-checksum-crc32 header is invalid.');
  return crc;
}

/** Throws S3Error where they differ. */
export function compareCrc32(promised: number, found: number): void {
  if (promised === found) return;
  throw new S3Error('BadDigest', 'The CRC32 you specified did not match the calculated checksum.', {
    ExpectedDigest: crc32Text(promised),
    CalculatedDigest: crc32Text(found),
  });
}

/** Throws S3Error where requests with a CRC32, or the promise of one, are refused. */
export function refuseCrc32(exchange: Exchange, mode: ChecksumMode): void {
  if (mode !== 'refuse') return;
  if (exchange.header('x-amz-checksum-algorithm') !== undefined)
    throw invalid('Checksum algorithm provided is unsupported.');
  if (exchange.header('x-amz-checksum-crc32') !== undefined)
    // What S3 says, in its own words, of a header that it does not know.
    throw new S3Error(
      'NotImplemented',
      'A header you provided implies functionality that is not implemented.',
    );
}

/** What an answer says of a checksum that was compared. */
export function checksumHeaders(crc: number | undefined, type: DeclaredChecksum): Record<string, string> {
  if (crc === undefined) return {};
  return {
    'x-amz-checksum-crc32': crc32Text(crc),
    ...(type === null ? {} : { 'x-amz-checksum-type': type }),
  };
}

/** The composite checksum of an object: the CRC32 of its parts' CRC32s, and their number. */
export function compositeCrc32(parts: readonly number[]): string {
  const bytes = Buffer.alloc(parts.length * 4);
  for (const [index, part] of parts.entries()) bytes.writeUInt32BE(part, index * 4);
  return `${crc32Text(crc32(bytes))}-${parts.length}`;
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidRequest', message);
}
