import type { IncomingHttpHeaders } from 'node:http';
import { parseRetryAfter } from '../service/answer.ts';
import { isStorageResponse, provesStored } from '../service/who-answered.ts';
import { parseCrc32 } from './crc32.ts';
import { bareEtag, isMd5 } from './etag.ts';
import { StorageError, type StorageFault } from './storage-error.ts';
import type { ChecksumPlace, StorageFacts } from './storage-facts.ts';

/** Any response, whatever its status. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Null for a success, whose sender isn't proven yet. An error document with status 200 is a refusal. */
export function refusalOf(answer: CallAnswer, method: string, nowMs: number): StorageFault | null {
  const { status, headers, body } = answer;
  const isError = isErrorDocument(body);
  if (status >= 200 && status <= 299 && !isError) return null;
  const code = isError ? elementText(body, 'Code') : '';
  const message = isError ? elementText(body, 'Message') : '';
  const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs) ?? undefined;
  return {
    status,
    ...(isStorageResponse({ status, headers, code }, method) ? { fromStorage: true } : {}),
    ...(code ? { code } : {}),
    ...(message ? { message } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Checksums sent for comparison, at least one (MD5 in hex). */
export interface SentSums {
  readonly md5: string | null;
  readonly crc32: number | null;
}

/** Bytes that storage has, and what it compared. */
export interface ConfirmedBytes {
  /** Without quotes. */
  readonly etag: string;
  /** The ETag is the bytes' MD5. */
  readonly isMd5: boolean;
  readonly crc32: number | null;
}

/**
 * Reads what storage confirmed of the sent bytes. If its ETags aren't MD5s and it returns no CRC32, only size
 * and `Content-MD5` count.
 *
 * @param isUnmarkedStore see `provesStored`
 * @returns null if a CRC32 sent alone was ignored or refused: send the bytes with their MD5
 * @throws StorageError if storage refused the bytes, confirmed others, or didn't prove its identity
 */
export function confirmedBytes(
  answer: CallAnswer,
  sums: SentSums,
  place: ChecksumPlace,
  facts: Pick<StorageFacts, 'etags' | 'recordEtag' | 'checksums' | 'recordChecksum'>,
  nowMs: number,
  isUnmarkedStore = false,
): ConfirmedBytes | null {
  const { headers } = answer;
  const fault = refusalOf(answer, 'PUT', nowMs);
  if (fault) {
    if (sums.crc32 === null || !refusesChecksums(fault)) throw new StorageError(fault);
    return null;
  }
  const etag = bareEtag(headers.etag ?? '');
  if (!provesStored(answer, etag, sums.md5 ?? '', isUnmarkedStore))
    throw new StorageError(foreignSuccess(answer));
  const crc32 = sums.crc32 === null ? null : comparedCrc32(answer, sums.crc32, place, facts);
  const isHash = isMd5(etag) && !foreignKeys(headers);
  if (sums.md5 === null)
    return crc32 === null ? null : { etag, isMd5: isHash && facts.etags === 'md5', crc32 };
  if (!isHash) return { etag, isMd5: false, crc32 };
  const matches = etag.toLowerCase() === sums.md5;
  if (!matches || facts.etags === 'unknown') facts.recordEtag(matches);
  if (!matches && facts.etags !== 'other') throw mismatch(answer, 'The confirmed MD5 differs from ours.');
  return { etag, isMd5: matches, crc32 };
}

function comparedCrc32(
  answer: CallAnswer,
  expectedCrc32: number,
  place: ChecksumPlace,
  facts: Pick<StorageFacts, 'recordChecksum'>,
): number | null {
  const header = answer.headers['x-amz-checksum-crc32'];
  facts.recordChecksum(place, header === undefined ? 'ignored' : 'compared');
  if (header === undefined) return null;
  if (parseCrc32(String(header)) !== expectedCrc32)
    throw mismatch(answer, 'The confirmed CRC32 differs from ours.');
  return expectedCrc32;
}

function mismatch({ status }: CallAnswer, message: string): StorageError {
  return new StorageError({ status, fromStorage: true, code: 'BadDigest', message });
}

const unsupportedCodes: ReadonlySet<string> = new Set([
  'InvalidArgument',
  'InvalidRequest',
  'NotImplemented',
]);

/** Whether storage refused as it would refuse unsupported checksums. */
export function refusesChecksums({ fromStorage, code }: StorageFault): boolean {
  return fromStorage === true && unsupportedCodes.has(code ?? '');
}

/** A success without proof that storage sent it. */
export function foreignSuccess({ status, headers }: CallAnswer): StorageFault {
  return {
    status,
    message: `A success without a sign of storage (${headers['content-type'] ?? 'no type'}).`,
  };
}

/** The `<Code>` of an S3 error document, else empty. */
export function errorCode({ body }: CallAnswer): string {
  return isErrorDocument(body) ? elementText(body, 'Code') : '';
}

/** Codes that require the bucket in the host. AWS names the other host instead. */
const pathStyleRefusals: ReadonlySet<string> = new Set([
  'PathStyleDomainForbidden',
  'SecondLevelDomainForbidden',
  'VirtualHostDomainRequired',
]);

/** Whether storage wants the bucket in the host, which would be `host`. */
export function refusesPathStyle(answer: CallAnswer, host: string): boolean {
  const code = errorCode(answer);
  if (pathStyleRefusals.has(code)) return true;
  return code === 'PermanentRedirect' && elementText(answer.body, 'Endpoint') === host;
}

/** With SSE-KMS and SSE-C, ETags look like MD5s but aren't. */
export function foreignKeys(headers: IncomingHttpHeaders): boolean {
  const algorithm = String(headers['x-amz-server-side-encryption'] ?? '');
  return (
    algorithm.startsWith('aws:') || headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined
  );
}

/** Requires the end tag, since a truncated document proves nothing. */
function isErrorDocument(body: string): boolean {
  return /^\s*(?:<\?xml[^>]*\?>\s*)?<Error[\s>]/.test(body) && body.trimEnd().endsWith('</Error>');
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/** S3's error document is flat. */
function elementText(xml: string, name: string): string {
  return flatText(xml, name)
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex: string, decimal: string) =>
      codePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .trim();
}

function flatText(xml: string, name: string): string {
  const [openTag, end] = [`<${name}>`, `</${name}>`];
  for (let start = xml.indexOf(openTag); start !== -1; start = xml.indexOf(openTag, start + 1)) {
    const textStart = start + openTag.length;
    const textEnd = xml.indexOf('<', textStart);
    if (textEnd === -1) return '';
    if (xml.startsWith(end, textEnd)) return xml.slice(textStart, textEnd);
  }
  return '';
}

function codePoint(number: number): string {
  return number > 0x10ffff ? '' : String.fromCodePoint(number);
}
