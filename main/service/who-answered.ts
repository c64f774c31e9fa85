import type { ErrorCode, TileliftError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { parseJson } from './answer.ts';
import { obeyedRetryAfter } from './wait-limits.ts';

/**
 * Who an answer comes from. Between Tilelift and the service stand proxies, captive portals, TLS filters and
 * gateways, and any of them may answer in its place. Only an answer in the service's own shape speaks for the
 * service, only S3's for storage. Such an answer may end a job, expire it, sign a person out or mean that
 * something is gone; everything else is not heard: told, and tried again. docs/answers.md holds the table of
 * what follows from what.
 */

/**
 * Headers by which S3 and the stores that speak like it mark their answers: the only sign of an answer to
 * HEAD, which has no body. Those of CloudFront are none: it stands before anyone's pages.
 */
const storageMark = /^x-amz-(?!cf-)/;

/** An error of the service (contract part 7): a JSON object with the string fields `code` and `message`. */
export function speaksForService({ text }: Pick<Answer, 'text'>): boolean {
  const body = objectIn(text);
  return isText(body.code) && typeof body.message === 'string';
}

/** Codes of RFC 6749 (4.1.2.1, 5.2), RFC 6750 (3.1), RFC 7591 (3.2.2). A filter's `"blocked"` is none. */
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

/**
 * An error of the OAuth endpoints: a JSON object whose `error` is one of the codes of OAuth; or one of the
 * service.
 */
export function speaksForSignIn(answer: Pick<Answer, 'text'>): boolean {
  return oauthErrors.has(objectIn(answer.text).error) || speaksForService(answer);
}

/** An answer of storage, as far as it tells whose it is. */
interface StorageAnswerParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `<Code>` of an S3 error document; undefined or empty where there is none. */
  readonly code: string | undefined;
}

/**
 * A refusal by storage: S3's error document with its `<Code>`; for HEAD, without a body, S3's own headers.
 */
export function speaksForStorage({ headers, code }: StorageAnswerParts, method: string): boolean {
  return Boolean(code) || (method === 'HEAD' && hasStorageMark(headers));
}

/** True where one of S3's own headers is there. */
export function hasStorageMark(headers: StorageAnswerParts['headers']): boolean {
  return Object.keys(headers).some((name) => storageMark.test(name));
}

/**
 * A success of PUT that confirms bytes: S3 always gives an ETag, and a stranger's is neither the MD5 of these
 * bytes nor beside one of S3's own headers. `etag` is bare, `md5` in hex.
 *
 * @param isUnmarkedStore the same origin has answered with a document of S3's, and marks nothing with S3's
 *   headers (Cloudflare R2): an ETag without a page is its word
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

/** A success of GET or POST: the whole document that this request asks for, by the name of its root. */
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
 * A success of HEAD: one of S3's own headers, the very ETag that the object must have, or, of a store that
 * marks nothing, any ETag with the object's size. `etag` is bare.
 *
 * @param ours what the object must have; null where it is not known or proves nothing
 */
export function provesObject(
  headers: StorageAnswerParts['headers'],
  etag: string,
  ours: { readonly etag: string | null; readonly size: number | null },
): boolean {
  if (hasStorageMark(headers) || (ours.etag !== null && etag.toLowerCase() === ours.etag.toLowerCase()))
    return true;
  return etag !== '' && ours.size !== null && Number(headers['content-length'] ?? Number.NaN) === ours.size;
}

/** A success of DELETE, which has no body and need not be marked. A page is someone else's. */
export function provesRemoval({ status, headers }: Omit<StorageAnswerParts, 'code'>, body: string): boolean {
  return body === '' && (status === 204 || hasStorageMark(headers));
}

/**
 * Failures in which neither service nor storage has said anything: no connection, or someone else at its end.
 */
const notHeard: ReadonlySet<ErrorCode> = new Set([
  'service-unreachable',
  'storage-unreachable',
  'certificate-untrusted',
  'proxy-unreachable',
  'proxy-authentication',
  'foreign-answer',
  'unexpected-answer',
]);

/**
 * False for an error that is no answer of service or storage. It may be shown and waited out; it ends
 * nothing.
 */
export function wasHeard(error: Pick<TileliftError, 'code'>): boolean {
  return !notHeard.has(error.code);
}

/** What was said, if anyone was heard, is "not now", and nothing about what was asked for. */
const notNow: ReadonlySet<ErrorCode> = new Set([
  'service-unavailable',
  'service-busy',
  // Of a refresh: the service can't tell just now who Tilelift is. The sign-in is as good as before.
  'client-unknown',
  'registration-failed',
]);

/**
 * True for what is waited out, however long it takes: nobody was heard, or all that was said is "not now". It
 * never ends a job or a sign-in.
 */
export function mayPass(error: Pick<TileliftError, 'code'>): boolean {
  return !wasHeard(error) || notNow.has(error.code);
}

/** Returns the delay before the next try in ms: `Retry-After` within its limits, at least `ownMs`. */
export function pauseAfter(error: Pick<TileliftError, 'code' | 'remote'>, ownMs: number): number {
  const { code, retryAfterMs = 0 } = error.remote ?? {};
  return Math.max(ownMs, obeyedRetryAfter(retryAfterMs, wasHeard(error) && code !== undefined));
}

/** The fields of a JSON object; none for anything else. */
export function objectIn(text: string): Record<string, unknown> {
  const body = parseJson(text);
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
