import type { ErrorCode } from '../errors.ts';
import type { Answer } from './answer.ts';
import { isServiceResponse, isSignInResponse, objectIn } from './who-answered.ts';

/** See docs/answers.md. Pure; null is a success whose body is yet to be read. */

/** Contract 4.5 to 4.9, and `change`: editing and deleting, which the contract lacks. */
export type ServiceRequest = 'list' | 'create' | 'read' | 'complete' | 'change';

/** Contract 4.2 to 4.4, with the error for a refusal. */
const refusals = {
  register: 'registration-failed',
  exchange: 'sign-in-failed',
  refresh: 'invalid-credentials',
} as const satisfies Record<string, ErrorCode>;
export type SignInRequest = keyof typeof refusals;

type ResponseText = Pick<Answer, 'status' | 'text'>;

/** The meaning of a response to `/v1`. */
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
  // The service may have failed to fetch a metadata document.
  if (code === 'invalidclient' && request !== 'register') return 'client-unknown';
  if (code === 'servererror' || code === 'temporarilyunavailable') return 'service-unavailable';
  return retryLaterCode(status) ?? (status >= 300 && status < 400 ? 'foreign-answer' : refusals[request]);
}

/**
 * Contract 4.3 leaves the encoding open; nothing was used up, so the request may be sent in the other one.
 */
export function bodyNotUnderstood(answer: ResponseText): boolean {
  const { status } = answer;
  if (status === 415) return true;
  if (status !== 400 && status !== 422) return false;
  const code = oauthCode(answer);
  // A body that can't be parsed lacks every field.
  return !isSignInResponse(answer) || code === 'invalidrequest' || code === 'unsupportedgranttype';
}

/** Another server's page, or a response we don't understand. */
export function meaningOfUnread({ text }: Pick<ResponseText, 'text'>): ErrorCode {
  const body = objectIn(text);
  const signs = ['id', 'items', 'assetMetadata', 'uploadLocation', 'onComplete', 'access_token', 'client_id'];
  return signs.some((name) => name in body) || isSignInResponse({ text })
    ? 'unexpected-answer'
    : 'foreign-answer';
}

/** Contract 7. */
function serviceErrorCode(status: number, request: ServiceRequest): ErrorCode {
  const namesAsset = request === 'read' || request === 'complete' || request === 'change';
  if (status === 407) return 'proxy-authentication';
  if (status === 401) return 'invalid-credentials';
  if (status === 403) return request === 'list' ? 'list-not-allowed' : 'scope-missing';
  if ((status === 404 || status === 410) && namesAsset) return 'asset-not-found';
  if (status === 413) return 'request-too-large';
  return retryLaterCode(status) ?? (status >= 400 ? 'request-refused' : 'foreign-answer');
}

/** The response may come from an intermediary: accept only "retry later", but not from a page. */
function intermediaryCode({ status, text }: ResponseText): ErrorCode {
  if (status === 407) return 'proxy-authentication';
  const isPage = text.trim() !== '' && !text.trim().startsWith('{');
  return (isPage ? null : retryLaterCode(status)) ?? 'foreign-answer';
}

function retryLaterCode(status: number): ErrorCode | null {
  if (status === 429) return 'service-busy';
  // 408: the service may be slow and have done the work.
  return status === 408 || status >= 500 ? 'service-unavailable' : null;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** `invalid_grant` (RFC 6749) equals `InvalidGrant` (contract 7). */
function oauthCode({ text }: Pick<ResponseText, 'text'>): string {
  const { error, code } = objectIn(text);
  return String(error ?? code ?? '')
    .toLowerCase()
    .replaceAll('_', '');
}
