import type { IncomingHttpHeaders } from 'node:http';
import { parseRetryAfter } from '../service/answer.ts';
import { provesStored, speaksForStorage } from '../service/who-answered.ts';
import { bareEtag, isMd5 } from './etag.ts';
import { StorageError, type StorageFault } from './storage-error.ts';
import type { StorageFacts } from './storage-facts.ts';

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
    ...(speaksForStorage({ status, headers, code }, method) ? { heard: true } : {}),
    ...(code ? { code } : {}),
    ...(message ? { message } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/**
 * The ETag with which storage confirms bytes of that MD5 (hex). Where its ETags turn out to be no MD5s, what
 * it took is known by its size and by `Content-MD5` alone.
 *
 * @throws StorageError where storage refused them or confirms others, and where nothing proves that it was
 *   storage
 */
export function confirmedEtag(
  answer: CallAnswer,
  md5: string,
  facts: Pick<StorageFacts, 'etags' | 'sawEtag'>,
  now: number,
): string {
  const { status, headers } = answer;
  const fault = refusalOf(answer, 'PUT', now);
  if (fault) throw new StorageError(fault);
  const etag = bareEtag(headers.etag ?? '');
  if (!provesStored(headers, etag, md5)) throw new StorageError(foreignSuccess(answer));
  if (foreignKeys(headers) || !isMd5(etag)) return etag;
  const matches = etag.toLowerCase() === md5;
  if (!matches || facts.etags === 'unknown') facts.sawEtag(matches);
  if (!matches && facts.etags !== 'other') {
    const message = 'The confirmed MD5 differs from ours.';
    throw new StorageError({ status, heard: true, code: 'BadDigest', message });
  }
  return etag;
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
