import { crc32Text } from './crc32.ts';
import type { StoredPart } from './storage.ts';

const begins =
  '<?xml version="1.0" encoding="UTF-8"?><CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';
const ends = '</CompleteMultipartUpload>';

/**
 * The document that completes an upload (S3 API, CompleteMultipartUpload): XML, its parts in the given order.
 * For the 8,192 parts of 64 GiB the SDK makes a tree of objects that takes 20 MB; this is the text alone.
 *
 * @param withCrc32 name the parts' CRC32s, to be compared
 */
export function partsDocument(parts: readonly StoredPart[], withCrc32: boolean): string {
  const named = parts.map(({ number, etag, crc32 }) => {
    const sum = withCrc32 && crc32 !== undefined ? `<ChecksumCRC32>${crc32Text(crc32)}</ChecksumCRC32>` : '';
    return `<Part><ETag>&quot;${escaped(etag)}&quot;</ETag>${sum}<PartNumber>${number}</PartNumber></Part>`;
  });
  return `${begins}${named.join('')}${ends}`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#x0D;',
  '\n': '&#x0A;',
  '\u0085': '&#x85;',
  '\u2028': '&#x2028;',
};

/** What a store calls an ETag is its own affair. */
function escaped(etag: string): string {
  return etag.replaceAll(/[&<>"'\r\n\u0085\u2028]/g, (found) => escapes[found] ?? found);
}
