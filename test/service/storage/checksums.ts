import { crc32 } from 'node:zlib';
import { crc32Text, parseCrc32 } from '../../../main/storage/crc32.ts';
import type { Exchange } from '../http/exchange.ts';
import { S3Error } from './s3-error.ts';

/**
 * Treatment of S3's checksums other than `Content-MD5`. `verify`, as Amazon S3 (user guide, "Checking object
 * integrity"): compares CRC32s of unchunked requests, parts and whole objects, and ignores other algorithms.
 * `ignore` (as Ceph RGW 16.2) and `refuse`: like stores that don't know them.
 */
export type ChecksumMode = 'verify' | 'ignore' | 'refuse';

/**
 * Declared checksums of an upload: a CRC32 of each part and, with `FULL_OBJECT`, of the whole; null for
 * anything that isn't compared here.
 */
export type DeclaredChecksum = 'COMPOSITE' | 'FULL_OBJECT' | null;

const algorithms: ReadonlySet<string> = new Set(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']);

/** Reads the declaration from the request that begins an upload. Throws S3Error. */
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

/** The CRC32 in a request's headers, or undefined. Throws S3Error. */
export function promisedCrc32(exchange: Exchange): number | undefined {
  const text = exchange.header('x-amz-checksum-crc32');
  if (text === undefined) return undefined;
  const crc = parseCrc32(text);
  if (crc === null) throw invalid('Value for x-amz-checksum-crc32 header is invalid.');
  return crc;
}

/** Throws S3Error if they differ. */
export function compareCrc32(promised: number, actual: number): void {
  if (promised === actual) return;
  throw new S3Error('BadDigest', 'The CRC32 you specified did not match the calculated checksum.', {
    ExpectedDigest: crc32Text(promised),
    CalculatedDigest: crc32Text(actual),
  });
}

/** Throws S3Error for a request with a CRC32 or its declaration, if these are refused. */
export function refuseCrc32(exchange: Exchange, mode: ChecksumMode): void {
  if (mode !== 'refuse') return;
  if (exchange.header('x-amz-checksum-algorithm') !== undefined)
    throw invalid('Checksum algorithm provided is unsupported.');
  if (exchange.header('x-amz-checksum-crc32') !== undefined)
    // S3's message about an unknown header.
    throw new S3Error(
      'NotImplemented',
      'A header you provided implies functionality that is not implemented.',
    );
}

/** Response headers for a compared checksum. */
export function checksumHeaders(crc: number | undefined, type: DeclaredChecksum): Record<string, string> {
  if (crc === undefined) return {};
  return {
    'x-amz-checksum-crc32': crc32Text(crc),
    ...(type === null ? {} : { 'x-amz-checksum-type': type }),
  };
}

/** Composite checksum of an object: CRC32 of its parts' CRC32s, and their number. */
export function compositeCrc32(parts: readonly number[]): string {
  const bytes = Buffer.alloc(parts.length * 4);
  for (const [index, part] of parts.entries()) bytes.writeUInt32BE(part, index * 4);
  return `${crc32Text(crc32(bytes))}-${parts.length}`;
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidRequest', message);
}
