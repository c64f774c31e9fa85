import type { ErrorCode, TileliftError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { parseJson } from './answer.ts';
import { obeyedRetryAfter } from './wait-limits.ts';

/**
 * Identifies who answered: proxies, captive portals, TLS filters and gateways may. Only the shape of the
 * service or of S3 may end a job, expire it, sign a user out or report something missing (docs/answers.md).
 */

/** The only mark of a response to HEAD. CloudFront's don't count: any site may use it. */
const storageMark = /^x-amz-(?!cf-)/;

/** Contract part 7: a JSON object with `code` and `message`. */
export function isServiceResponse({ text }: Pick<Answer, 'text'>): boolean {
  const body = objectIn(text);
  return isText(body.code) && typeof body.message === 'string';
}

/** RFC 6749 (4.1.2.1, 5.2), RFC 6750 (3.1), RFC 7591 (3.2.2); filters send others, such as `"blocked"`. */
const oauthErrors: ReadonlySet<unknown> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  'invalid_token',
  'insufficient_scope',
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
]);

/** An OAuth code in `error`, or a service error. */
export function isSignInResponse(answer: Pick<Answer, 'text'>): boolean {
  return oauthErrors.has(objectIn(answer.text).error) || isServiceResponse(answer);
}

interface StorageAnswerParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `<Code>` of an S3 error document, if any. */
  readonly code: string | undefined;
}

/** S3's error document, or its headers after HEAD, which has no body. */
export function isStorageResponse({ headers, code }: StorageAnswerParts, method: string): boolean {
  return Boolean(code) || (method === 'HEAD' && hasStorageMark(headers));
}

export function hasStorageMark(headers: StorageAnswerParts['headers']): boolean {
  return Object.keys(headers).some((name) => storageMark.test(name));
}

/**
 * The ETag is the MD5 of the bytes, or comes with S3's headers. `etag` is bare, `md5` in hex.
 * @param isUnmarkedStore it sends S3 documents but no S3 headers (Cloudflare R2): an ETag without a body
 *   suffices
 */
export function provesStored(
  { headers, body }: Pick<StorageAnswerParts, 'headers'> & { readonly body: string },
  etag: string,
  md5: string,
  isUnmarkedStore: boolean,
): boolean {
  if (etag.toLowerCase() === md5) return true;
  return etag !== '' && (hasStorageMark(headers) || (isUnmarkedStore && body === ''));
}

/** A complete document with the expected root element. */
export function provesDocument(body: string, root: string): boolean {
  const text = withoutDeclaration(body.trim());
  const name = /^<((?:\w+:)?\w+)[\s/>]/.exec(text)?.[1];
  if (name === undefined || name.split(':').at(-1) !== root || !text.endsWith('>')) return false;
  const isEmpty = text.indexOf('>') === text.length - 1 && text.endsWith('/>');
  return isEmpty || text.slice(text.lastIndexOf('</') + 2, -1).trimEnd() === name;
}

function withoutDeclaration(xml: string): string {
  const end = xml.startsWith('<?xml') ? xml.indexOf('?>') : -1;
  return end < 0 ? xml : xml.slice(end + 2).trimStart();
}

/**
 * An S3 header or the expected ETag; without S3 headers any ETag with the expected size. `etag` is bare.
 * @param expectedObject null if unknown or unreliable
 */
export function provesObject(
  headers: StorageAnswerParts['headers'],
  etag: string,
  expectedObject: { readonly etag: string | null; readonly size: number | null },
): boolean {
  if (
    hasStorageMark(headers) ||
    (expectedObject.etag !== null && etag.toLowerCase() === expectedObject.etag.toLowerCase())
  )
    return true;
  return (
    etag !== '' &&
    expectedObject.size !== null &&
    Number(headers['content-length'] ?? Number.NaN) === expectedObject.size
  );
}

/** A successful DELETE has no body and may lack S3's headers. */
export function provesRemoval({ status, headers }: Omit<StorageAnswerParts, 'code'>, body: string): boolean {
  return body === '' && (status === 204 || hasStorageMark(headers));
}

const unauthoritative: ReadonlySet<ErrorCode> = new Set([
  'service-unreachable',
  'storage-unreachable',
  'certificate-untrusted',
  'proxy-unreachable',
  'proxy-authentication',
  'foreign-answer',
  'unexpected-answer',
]);

/** False: show and retry it, but end nothing. */
export function isAuthoritative(error: Pick<TileliftError, 'code'>): boolean {
  return !unauthoritative.has(error.code);
}

const notNow: ReadonlySet<ErrorCode> = new Set([
  'service-unavailable',
  'service-busy',
  // The service can't identify Tilelift now, but the sign-in stays valid.
  'client-unknown',
  'registration-failed',
]);

/** Retried indefinitely; never ends a job or sign-in. */
export function isTransient(error: Pick<TileliftError, 'code'>): boolean {
  return !isAuthoritative(error) || notNow.has(error.code);
}

/** The capped `Retry-After`, at least `ownMs`. */
export function pauseAfter(error: Pick<TileliftError, 'code' | 'remote'>, ownMs: number): number {
  const { code, retryAfterMs = 0 } = error.remote ?? {};
  return Math.max(ownMs, obeyedRetryAfter(retryAfterMs, isAuthoritative(error) && code !== undefined));
}

/** Empty for any other text. */
export function objectIn(text: string): Record<string, unknown> {
  const body = parseJson(text);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
