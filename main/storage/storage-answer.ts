import type { IncomingHttpHeaders } from 'node:http';
import { parseRetryAfter } from '../service/answer.ts';
import { isStorageResponse, provesStored } from '../service/who-answered.ts';
import { parseCrc32 } from './crc32.ts';
import { bareEtag, isMd5 } from './etag.ts';
import { StorageError, type StorageFault } from './storage-error.ts';
import type { ChecksumPlace, StorageFacts } from './storage-facts.ts';

/** What came back, whatever its status says. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * What was refused, and whether it was storage that refused; null for a success, which is still to prove
 * whose it is. An error inside an answer of 200 is an error.
 */
export function refusalOf(answer: CallAnswer, method: string, now: number): StorageFault | null {
  const { status, headers, body } = answer;
  const isError = isErrorDocument(body);
  if (status >= 200 && status <= 299 && !isError) return null;
  const code = isError ? elementText(body, 'Code') : '';
  const message = isError ? elementText(body, 'Message') : '';
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now) ?? undefined;
  return {
    status,
    ...(isStorageResponse({ status, headers, code }, method) ? { heard: true } : {}),
    ...(code ? { code } : {}),
    ...(message ? { message } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** What goes with bytes for storage to compare: at least one of both. */
export interface SentSums {
  /** Hex; null where it is not sent. */
  readonly md5: string | null;
  readonly crc32: number | null;
}

/** Bytes that storage has, and what it has compared. */
export interface ConfirmedBytes {
  /** Bare. */
  readonly etag: string;
  /** The ETag is their MD5. */
  readonly isMd5: boolean;
  /** Null where storage compared the MD5 alone. */
  readonly crc32: number | null;
}

/**
 * What storage confirms of bytes that went with these checksums. Where its ETags turn out to be no MD5s, and
 * it gives no CRC32 back, what it took is known by its size and by `Content-MD5` alone.
 *
 * @param isUnmarkedStore see `provesStored`
 * @returns null where nothing was compared, since storage makes nothing of the CRC32 that came alone, or
 *   refuses what may be any CRC32: the bytes are to be sent with their MD5
 * @throws StorageError where storage refused them or confirms others, and where nothing proves that it was
 *   storage
 */
export function confirmedBytes(
  answer: CallAnswer,
  sums: SentSums,
  place: ChecksumPlace,
  facts: Pick<StorageFacts, 'etags' | 'sawEtag' | 'checksums' | 'sawChecksum'>,
  now: number,
  isUnmarkedStore = false,
): ConfirmedBytes | null {
  const { headers } = answer;
  const fault = refusalOf(answer, 'PUT', now);
  if (fault) {
    // Also where it compared them until now, or other parts have just been refused for the same.
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
  if (!matches || facts.etags === 'unknown') facts.sawEtag(matches);
  if (!matches && facts.etags !== 'other') throw otherBytes(answer, 'The confirmed MD5 differs from ours.');
  return { etag, isMd5: matches, crc32 };
}

/** Null where storage says nothing of it. */
function comparedCrc32(
  answer: CallAnswer,
  ours: number,
  place: ChecksumPlace,
  facts: Pick<StorageFacts, 'sawChecksum'>,
): number | null {
  const header = answer.headers['x-amz-checksum-crc32'];
  facts.sawChecksum(place, header === undefined ? 'ignored' : 'compared');
  if (header === undefined) return null;
  if (parseCrc32(String(header)) !== ours) throw otherBytes(answer, 'The confirmed CRC32 differs from ours.');
  return ours;
}

function otherBytes({ status }: CallAnswer, message: string): StorageError {
  return new StorageError({ status, heard: true, code: 'BadDigest', message });
}

/** How stores refuse what they do not know. */
const unknownThings: ReadonlySet<string> = new Set(['InvalidArgument', 'InvalidRequest', 'NotImplemented']);

/**
 * True where storage itself refused a request in a way in which it would refuse checksums that it does not
 * know.
 */
export function refusesChecksums({ heard, code }: StorageFault): boolean {
  return heard === true && unknownThings.has(code ?? '');
}

/** A success that nothing proves to be storage's: it confirms nothing. */
export function foreignSuccess({ status, headers }: CallAnswer): StorageFault {
  return {
    status,
    message: `A success without a sign of storage (${headers['content-type'] ?? 'no type'}).`,
  };
}

/** `<Code>` of an S3 error document; empty where the answer is none. */
export function errorCode({ body }: CallAnswer): string {
  return isErrorDocument(body) ? elementText(body, 'Code') : '';
}

/**
 * How stores refuse a bucket in the path where they want it in the host. AWS answers so where path-style is
 * over, and names the other host.
 */
const pathStyleRefusals: ReadonlySet<string> = new Set([
  'PathStyleDomainForbidden',
  'SecondLevelDomainForbidden',
  'VirtualHostDomainRequired',
]);

/** Storage wants the bucket in the host, which would be `host` then. */
export function refusesPathStyle(answer: CallAnswer, host: string): boolean {
  const code = errorCode(answer);
  if (pathStyleRefusals.has(code)) return true;
  return code === 'PermanentRedirect' && elementText(answer.body, 'Endpoint') === host;
}

/** Storage encrypts with keys of its own (SSE-KMS, SSE-C): its ETags have an MD5's shape and are none. */
export function foreignKeys(headers: IncomingHttpHeaders): boolean {
  const algorithm = String(headers['x-amz-server-side-encryption'] ?? '');
  return (
    algorithm.startsWith('aws:') || headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined
  );
}

/** A whole one: what was cut off says nothing. */
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

/** Text of the first element of that name without elements in it; else empty. S3's error document is flat. */
function elementText(xml: string, name: string): string {
  return flatText(xml, name)
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex: string, decimal: string) =>
      codePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .trim();
}

function flatText(xml: string, name: string): string {
  const [begin, end] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(begin); at !== -1; at = xml.indexOf(begin, at + 1)) {
    const from = at + begin.length;
    const to = xml.indexOf('<', from);
    if (to === -1) return '';
    if (xml.startsWith(end, to)) return xml.slice(from, to);
  }
  return '';
}

function codePoint(number: number): string {
  return number > 0x10ffff ? '' : String.fromCodePoint(number);
}
