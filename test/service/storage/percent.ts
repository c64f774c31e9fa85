import { S3Error } from './s3-error.ts';

const encoded = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  const hex = byte.toString(16).toUpperCase().padStart(2, '0');
  return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${hex}`;
});
const slash = 0x2f;

/** Decodes percent-encoding; `+` stays. Throws S3Error `InvalidURI` for an invalid escape. */
export function decodePercent(text: string): Buffer {
  if (!text.includes('%')) return Buffer.from(text, 'latin1');
  const bytes = Buffer.alloc(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] !== '%') {
      bytes[length++] = text.charCodeAt(index);
      continue;
    }
    const digits = text.slice(index + 1, index + 3);
    if (!/^[0-9A-Fa-f]{2}$/.test(digits))
      throw new S3Error('InvalidURI', 'A percent sign without two hex digits.');
    bytes[length++] = Number.parseInt(digits, 16);
    index += 2;
  }
  return bytes.subarray(0, length);
}

/** Decodes percent-encoded UTF-8. Throws S3Error `InvalidURI` if it isn't UTF-8. */
export function decodeText(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodePercent(text));
  } catch (error) {
    if (error instanceof S3Error) throw error;
    throw new S3Error('InvalidURI', 'The address is not UTF-8.');
  }
}

/**
 * UriEncode of Signature Version 4: encodes all but unreserved characters in upper-case hex; slashes
 * optionally stay.
 */
export function encodeBytes(bytes: Uint8Array, keepSlash: boolean): string {
  let text = '';
  for (const byte of bytes) text += keepSlash && byte === slash ? '/' : encoded[byte];
  return text;
}
