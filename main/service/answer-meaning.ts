import type { ErrorCode } from '../errors.ts';
import type { Answer } from './answer.ts';
import { isServiceResponse, isSignInResponse, objectIn } from './who-answered.ts';

/**
 * The meaning of each response (docs/answers.md). Pure: returns an error code, or null for a success whose
 * body is yet to be read.
 */

/** The calls of `/v1` (contract 4.5 to 4.9). */
export type ServiceRequest = 'list' | 'create' | 'read' | 'complete';

/** The requests of the OAuth endpoints (contract 4.2 to 4.4), each with the error for a refusal. */
const refusals = {
  register: 'registration-failed',
  exchange: 'sign-in-failed',
  refresh: 'invalid-credentials',
} as const satisfies Record<string, ErrorCode>;
export type SignInRequest = keyof typeof refusals;

type ResponseText = Pick<Answer, 'status' | 'text'>;

/** The meaning of a response to a call of `/v1`. */
export function meaningOf(answer: ResponseText, request: ServiceRequest): ErrorCode | null {
  const { status } = answer;
  if (!isServiceResponse(answer)) return isSuccess(status) ? null : intermediaryCode(answer);
  // Contract 7 specifies no status for this code.
  if (objectIn(answer.text).code === 'InvalidCredentials') return 'invalid-credentials';
  return isSuccess(status) ? null : serviceErrorCode(status, request);
}

/** The meaning of a response of an OAuth endpoint. */
export function signInMeaningOf(answer: ResponseText, request: SignInRequest): ErrorCode | null {
  const { status } = answer;
  if (!isSignInResponse(answer)) return isSuccess(status) ? null : intermediaryCode(answer);
  if (status === 407) return 'proxy-authentication';
  const code = oauthCode(answer);
  // The grant may still be valid: perhaps the service couldn't fetch a metadata document.
  if (code === 'invalidclient' && request !== 'register') return 'client-unknown';
  if (code === 'servererror' || code === 'temporarilyunavailable') return 'service-unavailable';
  return retryLaterCode(status) ?? (status >= 300 && status < 400 ? 'foreign-answer' : refusals[request]);
}

/**
 * True if the service didn't understand the encoding of a token request, which contract 4.3 leaves open:
 * nothing was used up, so it may be sent again in the other one.
 */
export function bodyNotUnderstood(answer: ResponseText): boolean {
  const { status } = answer;
  if (status === 415) return true;
  if (status !== 400 && status !== 422) return false;
  const code = oauthCode(answer);
  // A body that can't be parsed lacks every field.
  return !isSignInResponse(answer) || code === 'invalidrequest' || code === 'unsupportedgranttype';
}

/** For a success without the expected content: another server's page, or a response we don't understand. */
export function meaningOfUnread({ text }: Pick<ResponseText, 'text'>): ErrorCode {
  const body = objectIn(text);
  const signs = ['id', 'items', 'assetMetadata', 'uploadLocation', 'onComplete', 'access_token', 'client_id'];
  return signs.some((name) => name in body) || isSignInResponse({ text })
    ? 'unexpected-answer'
    : 'foreign-answer';
}

/** Interprets the service's own error (contract 7). */
function serviceErrorCode(status: number, request: ServiceRequest): ErrorCode {
  const namesAsset = request === 'read' || request === 'complete';
  if (status === 407) return 'proxy-authentication';
  if (status === 401) return 'invalid-credentials';
  if (status === 403) return request === 'list' ? 'list-not-allowed' : 'scope-missing';
  if ((status === 404 || status === 410) && namesAsset) return 'asset-not-found';
  if (status === 413) return 'request-too-large';
  return retryLaterCode(status) ?? (status >= 400 ? 'request-refused' : 'foreign-answer');
}

/**
 * Interprets a response that may come from an intermediary: accept only "retry later", which ends nothing,
 * and not even that from a page.
 */
function intermediaryCode({ status, text }: ResponseText): ErrorCode {
  if (status === 407) return 'proxy-authentication';
  const isPage = text.trim() !== '' && !text.trim().startsWith('{');
  return (isPage ? null : retryLaterCode(status)) ?? 'foreign-answer';
}

function retryLaterCode(status: number): ErrorCode | null {
  if (status === 429) return 'service-busy';
  // 408: the service may have been slow rather than we, and may have done the work.
  return status === 408 || status >= 500 ? 'service-unavailable' : null;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Normalizes the code: `invalid_grant` (RFC 6749) equals `InvalidGrant` (contract 7). */
function oauthCode({ text }: Pick<ResponseText, 'text'>): string {
  const { error, code } = objectIn(text);
  return String(error ?? code ?? '')
    .toLowerCase()
    .replaceAll('_', '');
}
