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

/** Refusals that are called by status and code. */
const refusalFrom =
  (answerOf: (status: number, code: string) => FaultAction) =>
  <Name extends RequestName, End extends Ending>(
    request: Name,
    status: number,
    code: string,
    times: number,
    ending: End,
  ) =>
    checkRefusal(request, `${status} ${code}`, answerOf(status, code), times, ending);
const serviceRefusal = refusalFrom(service);
const signInRefusal = refusalFrom(oauth);
const storageRefusal = refusalFrom(storage);

export const jobRefusals: readonly JobRefusal[] = [
  serviceRefusal(
    'create asset',
    400,
    'InvalidRequest',
    always,
    endsWith('failed', 'request-refused', 'The service refused the request'),
  ),
  serviceRefusal(
    'create asset',
    413,
    'PayloadTooLarge',
    always,
    endsWith('failed', 'request-too-large', 'The request is too large'),
  ),
  serviceRefusal(
    'create asset',
    403,
    'InsufficientScope',
    always,
    waitsWith('creating', 'scope-missing', notAllowed),
  ),
  serviceRefusal('create asset', 429, 'TooManyRequests', 11, tryLater),
  serviceRefusal('create asset', 503, 'Unavailable', 11, tryLater),
  serviceRefusal(
    'complete upload',
    400,
    'NoFiles',
    always,
    endsWith('failed', 'request-refused', 'The service refused the request', 'try-again'),
  ),
  serviceRefusal(
    'complete upload',
    409,
    'InvalidState',
    always,
    endsWith('failed', 'request-refused', 'The service refused the request', 'try-again'),
  ),
  serviceRefusal(
    'complete upload',
    403,
    'InsufficientScope',
    always,
    waitsWith('completing', 'scope-missing', notAllowed),
  ),
  serviceRefusal('complete upload', 500, 'InternalError', 45, tryLater),
  checkRefusal(
    'read asset',
    '404 ResourceNotFound twice',
    service(404, 'ResourceNotFound'),
    2,
    goesOn('read again: only the third in a row means deleted'),
  ),
  serviceRefusal(
    'read asset',
    404,
    'ResourceNotFound',
    always,
    endsWith('failed', 'asset-not-found', 'does not exist on the service'),
  ),
  serviceRefusal(
    'read asset',
    410,
    'ResourceGone',
    always,
    endsWith('failed', 'asset-not-found', 'does not exist on the service'),
  ),
  serviceRefusal(
    'read asset',
    403,
    'InsufficientScope',
    always,
    waitsWith('tiling', 'scope-missing', notAllowed),
  ),
  serviceRefusal(
    'read asset',
    401,
    'InvalidCredentials',
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
  serviceRefusal('read asset', 500, 'InternalError', 45, tryLater),
  signInRefusal(
    'token refresh',
    400,
    'invalid_grant',
    always,
    waitsWith('tiling', 'invalid-credentials', noLonger),
  ),
  storageRefusal('PUT', 403, 'AccessDenied', always, deniedEnding),
  storageRefusal('PUT', 403, 'SignatureDoesNotMatch', always, deniedEnding),
  storageRefusal('PUT', 403, 'InvalidAccessKeyId', always, deniedEnding),
  storageRefusal('PUT', 404, 'NoSuchBucket', always, deniedEnding),
  storageRefusal('PUT', 405, 'MethodNotAllowed', always, deniedEnding),
  storageRefusal('PUT', 501, 'NotImplemented', always, deniedEnding),
  storageRefusal('PUT', 400, 'ExpiredToken', always, expiredEnding),
  storageRefusal('PUT', 400, 'TokenRefreshRequired', always, expiredEnding),
  // Storage never accepted these credentials, so they haven't expired.
  storageRefusal('PUT', 400, 'InvalidToken', always, deniedEnding),
  storageRefusal('PUT', 307, 'TemporaryRedirect', 11, tryLater),
  storageRefusal('PUT', 301, 'PermanentRedirect', always, wrongPlace),
  checkRefusal('PUT', '400 BadDigest once', storage(400, 'BadDigest'), 1, goesOn('sent again')),
  storageRefusal(
    'PUT',
    400,
    'BadDigest',
    always,
    endsWith('failed', 'storage-mismatch', 'The data in storage differs', 'try-again'),
  ),
  storageRefusal('PUT', 503, 'SlowDown', 11, tryLater),
  storageRefusal('PUT', 500, 'InternalError', 11, tryLater),
  storageRefusal('CreateMultipartUpload', 403, 'AccessDenied', always, deniedEnding),
  storageRefusal('CreateMultipartUpload', 400, 'AuthorizationHeaderMalformed', always, wrongPlace),
  storageRefusal('UploadPart', 403, 'AccessDenied', always, deniedEnding),
  storageRefusal('UploadPart', 400, 'InvalidArgument', always, deniedEnding),
  storageRefusal('UploadPart', 403, 'InvalidAccessKeyId', always, expiredEnding),
  storageRefusal('UploadPart', 400, 'InvalidToken', always, expiredEnding),
  storageRefusal('UploadPart', 400, 'InvalidTokenId', always, expiredEnding),
  storageRefusal('UploadPart', 400, 'TokenRefreshRequired', always, expiredEnding),
  storageRefusal('UploadPart', 307, 'TemporaryRedirect', 11, tryLater),
  storageRefusal('UploadPart', 400, 'ExpiredToken', always, expiredEnding),
  storageRefusal(
    'UploadPart',
    404,
    'NoSuchUpload',
    1,
    goesOn('the file is sent again from the start; the old upload is aborted', 2),
  ),
  storageRefusal('ListParts', 403, 'AccessDenied', always, goesOn('the journal is trusted')),
  storageRefusal(
    'ListParts',
    404,
    'NoSuchUpload',
    1,
    goesOn('the file is sent again from the start; the old upload is aborted', 2),
  ),
  storageRefusal('CompleteMultipartUpload', 403, 'AccessDenied', always, deniedEnding),
  storageRefusal(
    'CompleteMultipartUpload',
    400,
    'InvalidPart',
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
    ...signInRefusal(
      'register',
      400,
      'invalid_redirect_uri',
      always,
      fails('registration-failed', 'could not register itself'),
    ),
    call: 'sign in',
  },
  {
    ...signInRefusal(
      'token code',
      400,
      'invalid_grant',
      always,
      fails('sign-in-failed', 'did not accept the sign-in'),
    ),
    call: 'sign in',
  },
  {
    ...signInRefusal(
      'token code',
      401,
      'invalid_client',
      always,
      fails('client-unknown', 'does not know Tilelift’s client ID'),
    ),
    call: 'sign in',
  },
  {
    ...signInRefusal('token refresh', 400, 'invalid_grant', always, {
      ...fails('invalid-credentials', noLonger),
      signedOut: true,
    }),
    call: 'list',
  },
  {
    ...serviceRefusal('token refresh', 401, 'InvalidCredentials', always, {
      ...fails('invalid-credentials', noLonger),
      signedOut: true,
    }),
    call: 'list',
  },
  {
    ...serviceRefusal(
      'list assets',
      403,
      'InsufficientScope',
      always,
      fails('list-not-allowed', 'does not allow listing'),
    ),
    call: 'list',
  },
  {
    ...serviceRefusal(
      'read asset',
      401,
      'InvalidCredentials',
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
