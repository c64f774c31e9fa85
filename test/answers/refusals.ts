import type { ErrorCode } from '../../shared/errors.ts';
import type { JobAction, JobStatus } from '../../shared/job-status.ts';
import type { FaultAction } from '../service/model.ts';
import type { RequestName, RequestOfOneJob } from './requests.ts';

/** Consequence of a refusal. */
export type Ending =
  /** The job ends, or waits for a sign-in, with this state, error and part of the message. */
  | {
      readonly kind: 'ends' | 'waits for a sign-in';
      readonly status: JobStatus;
      readonly code: ErrorCode;
      readonly words: string;
      readonly action?: JobAction;
    }
  /** The job continues to its end. `begins`: multipart uploads begun for its file. */
  | { readonly kind: 'goes on'; readonly how: string; readonly begins?: number }
  /** The call fails. `signedOut`: it also ends the sign-in. */
  | { readonly kind: 'fails'; readonly code: ErrorCode; readonly words: string; readonly signedOut?: true };

/** A refusal by the service or by storage, and its required consequence. */
interface Refusal {
  readonly request: RequestName;
  readonly says: string;
  readonly answer: FaultAction;
  readonly times: number;
  readonly ending: Ending;
}

export interface JobRefusal extends Refusal {
  readonly request: RequestOfOneJob | 'create asset' | 'token refresh';
}

const always = 1_000_000;
const requestId = { 'x-amz-request-id': 'A1B2C3D4E5F60718' };

const service = (status: number, code: string): FaultAction => ({
  kind: 'status',
  status,
  body: JSON.stringify({ code, message: `The service says ${code}.` }),
  headers: { 'Content-Type': 'application/json' },
});
const oauth = (status: number, error: string): FaultAction => ({
  kind: 'status',
  status,
  body: JSON.stringify({ error, error_description: `The service says ${error}.` }),
  headers: { 'Content-Type': 'application/json' },
});
const storage = (status: number, code: string): FaultAction => ({
  kind: 'status',
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Storage says ${code}.</Message></Error>`,
  headers: { 'Content-Type': 'application/xml', ...requestId },
});
const bare = (status: number): FaultAction => ({ kind: 'status', status, headers: requestId });

const endsWith = (
  status: JobStatus,
  code: ErrorCode,
  words: string,
  action?: JobAction,
): Extract<Ending, { kind: 'ends' | 'waits for a sign-in' }> => ({
  kind: 'ends',
  status,
  code,
  words,
  ...(action ? { action } : {}),
});
const waitsWith = (status: JobStatus, code: ErrorCode, words: string): Ending => ({
  ...endsWith(status, code, words),
  kind: 'waits for a sign-in',
});
const goesOn = (explanation: string, begins?: number): Ending => ({
  kind: 'goes on',
  how: explanation,
  ...(begins === undefined ? {} : { begins }),
});

const deniedEnding = endsWith('failed', 'storage-denied', 'Storage denied access', 'try-again');
const expiredEnding = endsWith(
  'expired',
  'credentials-expired',
  'The storage credentials expired',
  'start-again',
);
const wrongPlace = endsWith(
  'failed',
  'storage-elsewhere',
  'at another address or in another region',
  'try-again',
);
const notAllowed = 'This sign-in is not allowed to do that';
const noLonger = 'no longer accepts this sign-in';
const tryLater = goesOn('retried until it works');

const checkRefusal = <Name extends RequestName, End extends Ending>(
  request: Name,
  refusalText: string,
  answer: FaultAction,
  times: number,
  endingKind: End,
) => ({ request, says: refusalText, answer, times, ending: endingKind });

export const jobRefusals: readonly JobRefusal[] = [
  checkRefusal(
    'create asset',
    '400 InvalidRequest',
    service(400, 'InvalidRequest'),
    always,
    endsWith('failed', 'request-refused', 'The service refused the request'),
  ),
  checkRefusal(
    'create asset',
    '413 PayloadTooLarge',
    service(413, 'PayloadTooLarge'),
    always,
    endsWith('failed', 'request-too-large', 'The request is too large'),
  ),
  checkRefusal(
    'create asset',
    '403 InsufficientScope',
    service(403, 'InsufficientScope'),
    always,
    waitsWith('creating', 'scope-missing', notAllowed),
  ),
  checkRefusal('create asset', '429 TooManyRequests', service(429, 'TooManyRequests'), 11, tryLater),
  checkRefusal('create asset', '503 Unavailable', service(503, 'Unavailable'), 11, tryLater),
  checkRefusal(
    'complete upload',
    '400 NoFiles',
    service(400, 'NoFiles'),
    always,
    endsWith('failed', 'request-refused', 'The service refused the request', 'try-again'),
  ),
  checkRefusal(
    'complete upload',
    '409 InvalidState',
    service(409, 'InvalidState'),
    always,
    endsWith('failed', 'request-refused', 'The service refused the request', 'try-again'),
  ),
  checkRefusal(
    'complete upload',
    '403 InsufficientScope',
    service(403, 'InsufficientScope'),
    always,
    waitsWith('completing', 'scope-missing', notAllowed),
  ),
  checkRefusal('complete upload', '500 InternalError', service(500, 'InternalError'), 45, tryLater),
  checkRefusal(
    'read asset',
    '404 ResourceNotFound twice',
    service(404, 'ResourceNotFound'),
    2,
    goesOn('read again: only the third in a row means deleted'),
  ),
  checkRefusal(
    'read asset',
    '404 ResourceNotFound',
    service(404, 'ResourceNotFound'),
    always,
    endsWith('failed', 'asset-not-found', 'does not exist on the service'),
  ),
  checkRefusal(
    'read asset',
    '410 ResourceGone',
    service(410, 'ResourceGone'),
    always,
    endsWith('failed', 'asset-not-found', 'does not exist on the service'),
  ),
  checkRefusal(
    'read asset',
    '403 InsufficientScope',
    service(403, 'InsufficientScope'),
    always,
    waitsWith('tiling', 'scope-missing', notAllowed),
  ),
  checkRefusal(
    'read asset',
    '401 InvalidCredentials',
    service(401, 'InvalidCredentials'),
    always,
    waitsWith('tiling', 'invalid-credentials', noLonger),
  ),
  checkRefusal(
    'read asset',
    '401 InvalidCredentials once',
    service(401, 'InvalidCredentials'),
    1,
    goesOn('the access token is refreshed'),
  ),
  checkRefusal('read asset', '500 InternalError', service(500, 'InternalError'), 45, tryLater),
  checkRefusal(
    'token refresh',
    '400 invalid_grant',
    oauth(400, 'invalid_grant'),
    always,
    waitsWith('tiling', 'invalid-credentials', noLonger),
  ),
  checkRefusal('PUT', '403 AccessDenied', storage(403, 'AccessDenied'), always, deniedEnding),
  checkRefusal(
    'PUT',
    '403 SignatureDoesNotMatch',
    storage(403, 'SignatureDoesNotMatch'),
    always,
    deniedEnding,
  ),
  checkRefusal('PUT', '403 InvalidAccessKeyId', storage(403, 'InvalidAccessKeyId'), always, deniedEnding),
  checkRefusal('PUT', '404 NoSuchBucket', storage(404, 'NoSuchBucket'), always, deniedEnding),
  checkRefusal('PUT', '405 MethodNotAllowed', storage(405, 'MethodNotAllowed'), always, deniedEnding),
  checkRefusal('PUT', '501 NotImplemented', storage(501, 'NotImplemented'), always, deniedEnding),
  checkRefusal('PUT', '400 ExpiredToken', storage(400, 'ExpiredToken'), always, expiredEnding),
  checkRefusal(
    'PUT',
    '400 TokenRefreshRequired',
    storage(400, 'TokenRefreshRequired'),
    always,
    expiredEnding,
  ),
  // Storage never accepted these credentials, so they haven't expired.
  checkRefusal('PUT', '400 InvalidToken', storage(400, 'InvalidToken'), always, deniedEnding),
  checkRefusal('PUT', '307 TemporaryRedirect', storage(307, 'TemporaryRedirect'), 11, tryLater),
  checkRefusal('PUT', '301 PermanentRedirect', storage(301, 'PermanentRedirect'), always, wrongPlace),
  checkRefusal('PUT', '400 BadDigest once', storage(400, 'BadDigest'), 1, goesOn('sent again')),
  checkRefusal(
    'PUT',
    '400 BadDigest',
    storage(400, 'BadDigest'),
    always,
    endsWith('failed', 'storage-mismatch', 'The data in storage differs', 'try-again'),
  ),
  checkRefusal('PUT', '503 SlowDown', storage(503, 'SlowDown'), 11, tryLater),
  checkRefusal('PUT', '500 InternalError', storage(500, 'InternalError'), 11, tryLater),
  checkRefusal(
    'CreateMultipartUpload',
    '403 AccessDenied',
    storage(403, 'AccessDenied'),
    always,
    deniedEnding,
  ),
  checkRefusal(
    'CreateMultipartUpload',
    '400 AuthorizationHeaderMalformed',
    storage(400, 'AuthorizationHeaderMalformed'),
    always,
    wrongPlace,
  ),
  checkRefusal('UploadPart', '403 AccessDenied', storage(403, 'AccessDenied'), always, deniedEnding),
  checkRefusal('UploadPart', '400 InvalidArgument', storage(400, 'InvalidArgument'), always, deniedEnding),
  checkRefusal(
    'UploadPart',
    '403 InvalidAccessKeyId',
    storage(403, 'InvalidAccessKeyId'),
    always,
    expiredEnding,
  ),
  checkRefusal('UploadPart', '400 InvalidToken', storage(400, 'InvalidToken'), always, expiredEnding),
  checkRefusal('UploadPart', '400 InvalidTokenId', storage(400, 'InvalidTokenId'), always, expiredEnding),
  checkRefusal(
    'UploadPart',
    '400 TokenRefreshRequired',
    storage(400, 'TokenRefreshRequired'),
    always,
    expiredEnding,
  ),
  checkRefusal('UploadPart', '307 TemporaryRedirect', storage(307, 'TemporaryRedirect'), 11, tryLater),
  checkRefusal('UploadPart', '400 ExpiredToken', storage(400, 'ExpiredToken'), always, expiredEnding),
  checkRefusal(
    'UploadPart',
    '404 NoSuchUpload',
    storage(404, 'NoSuchUpload'),
    1,
    goesOn('the file is sent again from the start; the old upload is aborted', 2),
  ),
  checkRefusal(
    'ListParts',
    '403 AccessDenied',
    storage(403, 'AccessDenied'),
    always,
    goesOn('the journal is trusted'),
  ),
  checkRefusal(
    'ListParts',
    '404 NoSuchUpload',
    storage(404, 'NoSuchUpload'),
    1,
    goesOn('the file is sent again from the start; the old upload is aborted', 2),
  ),
  checkRefusal(
    'CompleteMultipartUpload',
    '403 AccessDenied',
    storage(403, 'AccessDenied'),
    always,
    deniedEnding,
  ),
  checkRefusal(
    'CompleteMultipartUpload',
    '400 InvalidPart',
    storage(400, 'InvalidPart'),
    1,
    goesOn('parts are listed, and missing ones are sent again'),
  ),
  checkRefusal(
    'CompleteMultipartUpload',
    '200 with InternalError in it',
    { ...storage(200, 'InternalError') },
    11,
    tryLater,
  ),
  checkRefusal(
    'HEAD',
    '403',
    bare(403),
    always,
    goesOn('the object counts as stored: every part was confirmed'),
  ),
  checkRefusal(
    'HEAD',
    '404',
    bare(404),
    1,
    goesOn('the object is missing: the file is sent again from the start', 2),
  ),
];

export interface CallRefusal extends Refusal {
  readonly request: 'register' | 'token code' | 'token refresh' | 'list assets' | 'read asset';
  readonly ending: Extract<Ending, { kind: 'fails' }>;
  readonly call: 'sign in' | 'list' | 'use a token of the account’s settings';
}

const fails = (code: ErrorCode, words: string): CallRefusal['ending'] => ({ kind: 'fails', code, words });

/** Refusals during sign-in and while listing assets. */
export const callRefusals: readonly CallRefusal[] = [
  {
    ...checkRefusal(
      'register',
      '400 invalid_redirect_uri',
      oauth(400, 'invalid_redirect_uri'),
      always,
      fails('registration-failed', 'could not register itself'),
    ),
    call: 'sign in',
  },
  {
    ...checkRefusal(
      'token code',
      '400 invalid_grant',
      oauth(400, 'invalid_grant'),
      always,
      fails('sign-in-failed', 'did not accept the sign-in'),
    ),
    call: 'sign in',
  },
  {
    ...checkRefusal(
      'token code',
      '401 invalid_client',
      oauth(401, 'invalid_client'),
      always,
      fails('client-unknown', 'does not know Tilelift’s client ID'),
    ),
    call: 'sign in',
  },
  {
    ...checkRefusal('token refresh', '400 invalid_grant', oauth(400, 'invalid_grant'), always, {
      ...fails('invalid-credentials', noLonger),
      signedOut: true,
    }),
    call: 'list',
  },
  {
    ...checkRefusal('token refresh', '401 InvalidCredentials', service(401, 'InvalidCredentials'), always, {
      ...fails('invalid-credentials', noLonger),
      signedOut: true,
    }),
    call: 'list',
  },
  {
    ...checkRefusal(
      'list assets',
      '403 InsufficientScope',
      service(403, 'InsufficientScope'),
      always,
      fails('list-not-allowed', 'does not allow listing'),
    ),
    call: 'list',
  },
  {
    ...checkRefusal(
      'read asset',
      '401 InvalidCredentials',
      service(401, 'InvalidCredentials'),
      always,
      fails('access-token-refused', 'does not accept this access token'),
    ),
    call: 'use a token of the account’s settings',
  },
];

/** Text for test names and docs/reference/answers.md. */
export function inWords(ending: Ending): string {
  switch (ending.kind) {
    case 'ends':
      return `the job ends as ${ending.status}: “${ending.words}”`;
    case 'waits for a sign-in':
      return `the job waits for a sign-in: “${ending.words}”`;
    case 'goes on':
      return ending.how;
    case 'fails':
      return `${ending.signedOut ? 'signed out' : 'it fails'}: “${ending.words}”`;
  }
}
