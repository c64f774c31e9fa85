import type { ErrorCode } from '../errors.ts';
import type { Answer } from './answer.ts';
import { objectIn, speaksForService, speaksForSignIn } from './who-answered.ts';

/**
 * What an answer means, for each request (docs/answers.md). Pure: an answer and a request give the error that
 * the answer stands for, or null for a success, whose body is still to be read.
 */

/** The calls of `/v1` (contract 4.5 to 4.9). */
export type ServiceRequest = 'list' | 'create' | 'read' | 'complete';

/** The requests of the OAuth endpoints (contract 4.2 to 4.4), with the error that a refusal of each is. */
const refusals = {
  register: 'registration-failed',
  exchange: 'sign-in-failed',
  refresh: 'invalid-credentials',
} as const satisfies Record<string, ErrorCode>;
export type SignInRequest = keyof typeof refusals;

type Said = Pick<Answer, 'status' | 'text'>;

/** What an answer to a call of `/v1` stands for. */
export function meaningOf(answer: Said, request: ServiceRequest): ErrorCode | null {
  const { status } = answer;
  if (!speaksForService(answer)) return isSuccess(status) ? null : unheard(answer);
  // Contract 7 shows this code and no status for it.
  if (objectIn(answer.text).code === 'InvalidCredentials') return 'invalid-credentials';
  return isSuccess(status) ? null : heard(status, request);
}

/** What an answer of an OAuth endpoint stands for. */
export function signInMeaningOf(answer: Said, request: SignInRequest): ErrorCode | null {
  const { status } = answer;
  if (!speaksForSignIn(answer)) return isSuccess(status) ? null : unheard(answer);
  if (status === 407) return 'proxy-authentication';
  const code = oauthCode(answer);
  // Says nothing of the grant: a metadata document may just not have answered the service.
  if (code === 'invalidclient' && request !== 'register') return 'client-unknown';
  if (code === 'servererror' || code === 'temporarilyunavailable') return 'service-unavailable';
  return notNow(status) ?? (status >= 300 && status < 400 ? 'foreign-answer' : refusals[request]);
}

/**
 * True for an answer to a token request by which the body was not understood, so that it may be sent in
 * another encoding: nothing was spent. Contract 4.3 leaves open which one a service takes.
 */
export function bodyNotUnderstood(answer: Said): boolean {
  const { status } = answer;
  if (status === 415) return true;
  if (status !== 400 && status !== 422) return false;
  const code = oauthCode(answer);
  // Where no field could be read, none is there.
  return !speaksForSignIn(answer) || code === 'invalidrequest' || code === 'unsupportedgranttype';
}

/**
 * For a success that does not hold what it should: someone else's page, or an answer of the service that is
 * not understood.
 */
export function meaningOfUnread({ text }: Pick<Said, 'text'>): ErrorCode {
  const body = objectIn(text);
  const signs = ['id', 'items', 'assetMetadata', 'uploadLocation', 'onComplete', 'access_token', 'client_id'];
  return signs.some((name) => name in body) || speaksForSignIn({ text })
    ? 'unexpected-answer'
    : 'foreign-answer';
}

/** The service's own words (contract 7). */
function heard(status: number, request: ServiceRequest): ErrorCode {
  const namesAsset = request === 'read' || request === 'complete';
  if (status === 407) return 'proxy-authentication';
  if (status === 401) return 'invalid-credentials';
  if (status === 403) return request === 'list' ? 'list-not-allowed' : 'scope-missing';
  if ((status === 404 || status === 410) && namesAsset) return 'asset-not-found';
  if (status === 413) return 'request-too-large';
  return notNow(status) ?? (status >= 400 ? 'request-refused' : 'foreign-answer');
}

/**
 * No word of the service. Only "not now" is believed of anyone, since nothing ends by it; not of a page,
 * which is someone's else for sure.
 */
function unheard({ status, text }: Said): ErrorCode {
  if (status === 407) return 'proxy-authentication';
  const isPage = text.trim() !== '' && !text.trim().startsWith('{');
  return (isPage ? null : notNow(status)) ?? 'foreign-answer';
}

function notNow(status: number): ErrorCode | null {
  if (status === 429) return 'service-busy';
  // 408: the service may have been slow rather than we: it may even have done the work.
  return status === 408 || status >= 500 ? 'service-unavailable' : null;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The error's code in one spelling: `invalid_grant` (RFC 6749) and `InvalidGrant` (contract 7) are equal. */
function oauthCode({ text }: Pick<Said, 'text'>): string {
  const { error, code } = objectIn(text);
  return String(error ?? code ?? '')
    .toLowerCase()
    .replaceAll('_', '');
}
