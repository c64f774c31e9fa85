import { crc32Text } from './crc32.ts';
import type { StoredPart } from './storage.ts';

const opening =
  '<?xml version="1.0" encoding="UTF-8"?><CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">';
const closing = '</CompleteMultipartUpload>';

/**
 * S3 API, CompleteMultipartUpload. The SDK's object tree for 8,192 parts takes 20 MB; this is only the text.
 */
export function partsDocument(parts: readonly StoredPart[], withCrc32: boolean): string {
  const elements = parts.map(({ number, etag, crc32 }) => {
    const sum = withCrc32 && crc32 !== undefined ? `<ChecksumCRC32>${crc32Text(crc32)}</ChecksumCRC32>` : '';
    return `<Part><ETag>&quot;${escaped(etag)}&quot;</ETag>${sum}<PartNumber>${number}</PartNumber></Part>`;
  });
  return `${opening}${elements.join('')}${closing}`;
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

function escaped(etag: string): string {
  return etag.replaceAll(/[&<>"'\r\n\u0085\u2028]/g, (char) => escapes[char] ?? char);
}
