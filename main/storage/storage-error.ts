import type { Phrase } from '../../strings/phrase.ts';
import { type ErrorCode, TileliftError } from '../errors.ts';
import { redactedStart } from '../redact.ts';
import { connectionFailure } from '../service/connection-failure.ts';

/** One failed request, as response or network describe it. */
export interface StorageFault {
  readonly status?: number;
  /** S3's code such as `SlowDown`, or the network's such as `ECONNRESET`. */
  readonly code?: string;
  readonly message?: string;
  readonly proxy?: string;
  readonly retryAfterMs?: number;
  /** Storage itself answered (`service/who-answered.ts`). */
  readonly fromStorage?: true;
}

/** Internal to `storage/`, `transfer/`, `workers/`; `toTransferError` converts it for others. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly fault: StorageFault;

  constructor(fault: StorageFault, cause?: unknown) {
    super(fault.message || fault.code || `status ${fault.status ?? 'unknown'}`, { cause });
    this.fault = fault;
  }
}

/**
 * - `again`: temporary
 * - `foreign`: answered by something between us and storage
 * - `offline`: no network; waits without counting tries
 * - `skewed`: clocks differ; the client has already adopted storage's time
 * - `corrupt`: the bytes arrived damaged
 * - `invalid-parts`: storage has other parts than we recorded
 * - `gone`: unknown upload or object
 * - `expired`: the credentials have expired
 * - `denied`: access denied, or no such bucket
 * - `elsewhere`: this bucket needs another address or region
 * - `proxy-gone`: the proxy is unreachable; waits as `offline`
 * - `proxy-asks`: the proxy requires a login that wasn't provided yet
 * - `untrusted`: the certificate isn't trusted
 * - `refused`: any other permanent refusal
 */
export type FaultKind =
  | 'again'
  | 'foreign'
  | 'offline'
  | 'skewed'
  | 'corrupt'
  | 'invalid-parts'
  | 'gone'
  | 'expired'
  | 'denied'
  | 'elsewhere'
  | 'proxy-gone'
  | 'proxy-asks'
  | 'untrusted'
  | 'refused';

/** S3's codes (service-facts.md, "What real S3-compatible stores do"); otherwise the status decides. */
const byCode: ReadonlyMap<string, FaultKind> = new Map<string, FaultKind>(
  Object.entries({
    ExpiredToken: 'expired',
    ExpiredTokenException: 'expired',
    TokenRefreshRequired: 'expired',
    RequestTimeTooSkewed: 'skewed',
    NoSuchUpload: 'gone',
    NoSuchKey: 'gone',
    InvalidPart: 'invalid-parts',
    InvalidPartOrder: 'invalid-parts',
    EntityTooSmall: 'invalid-parts',
    BadDigest: 'corrupt',
    XAmzContentSHA256Mismatch: 'corrupt',
    IncompleteBody: 'again',
    InternalError: 'again',
    OperationAborted: 'again',
    RequestTimeout: 'again',
    ServiceUnavailable: 'again',
    SlowDown: 'again',
    TooManyRequests: 'again',
    // The bucket's name hasn't propagated yet.
    TemporaryRedirect: 'again',
    PermanentRedirect: 'elsewhere',
    AuthorizationHeaderMalformed: 'elsewhere',
    IllegalLocationConstraintException: 'elsewhere',
    AccessDenied: 'denied',
    InvalidAccessKeyId: 'denied',
    InvalidToken: 'denied',
    InvalidTokenId: 'denied',
    RequestExpired: 'denied',
    NoSuchBucket: 'denied',
    SignatureDoesNotMatch: 'denied',
    MethodNotAllowed: 'refused',
    NotImplemented: 'refused',
  }),
);

/** If these credentials worked before, they have expired. */
const unknownCredentials: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'InvalidToken',
  'InvalidTokenId',
  'RequestExpired',
]);

const byConnectionCode: ReadonlyMap<string, FaultKind> = new Map([
  ['ProxyUnreachable', 'proxy-gone'],
  ['ProxyRefused', 'proxy-gone'],
  ['ProxyAuthentication', 'proxy-asks'],
]);

const offlineCodes: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Offline if no other request gets through. */
const unansweredCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ETIMEDOUT', 'Stalled']);

interface FaultMoment {
  /** See `CredentialLife`. */
  readonly lifeOver: boolean;
  readonly haveWorked?: boolean;
  /** No other request got an answer since this one left. */
  readonly noOtherAnswer?: boolean;
}

/**
 * Only storage's own answers are final; others are `foreign`, or `again` for temporary statuses. Some stores
 * refuse expired credentials with any denial, so the expected end decides there.
 */
export function classifyFault(
  fault: StorageFault,
  { lifeOver, haveWorked, noOtherAnswer }: FaultMoment,
): FaultKind {
  const { status, code = '' } = fault;
  if (status === undefined) return classifyUnanswered(code, noOtherAnswer ?? false);
  if (!fault.fromStorage) return isPassing(status) ? 'again' : 'foreign';
  const kind = byCode.get(code) ?? (code ? byStatus(status) : byStatusOfHead(status));
  if (kind !== 'denied' && kind !== 'refused') return kind;
  const isUnknown = unknownCredentials.has(code);
  const lifeExpired = lifeOver && (isUnknown || status === 401 || status === 403);
  return lifeExpired || (haveWorked && isUnknown) ? 'expired' : kind;
}

function classifyUnanswered(code: string, noOtherAnswer: boolean): FaultKind {
  const kind = byConnectionCode.get(code);
  if (kind) return kind;
  if (connectionFailure(code) === 'certificate-untrusted') return 'untrusted';
  return offlineCodes.has(code) || (unansweredCodes.has(code) && noOtherAnswer) ? 'offline' : 'again';
}

function byStatus(status: number): FaultKind {
  if (status === 301 || status === 308) return 'elsewhere';
  return isPassing(status) || status === 307 ? 'again' : 'refused';
}

/** HEAD responses carry no code. */
function byStatusOfHead(status: number): FaultKind {
  if (status === 401 || status === 403) return 'denied';
  return status === 404 ? 'gone' : byStatus(status);
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

const codes: Readonly<Record<FaultKind, ErrorCode>> = {
  again: 'storage-failed',
  foreign: 'foreign-answer',
  offline: 'storage-unreachable',
  skewed: 'storage-failed',
  corrupt: 'storage-mismatch',
  'invalid-parts': 'storage-mismatch',
  gone: 'storage-failed',
  expired: 'credentials-expired',
  denied: 'storage-denied',
  elsewhere: 'storage-elsewhere',
  'proxy-gone': 'proxy-unreachable',
  'proxy-asks': 'proxy-authentication',
  untrusted: 'certificate-untrusted',
  refused: 'storage-denied',
};

const networkFaults: ReadonlySet<FaultKind> = new Set([
  'offline',
  'foreign',
  'proxy-gone',
  'proxy-asks',
  'untrusted',
]);

/** `storage` and `file` name the error's subject. */
export function toTransferError(
  error: StorageError,
  kind: FaultKind,
  subject: { readonly storage: string; readonly file: string },
): TileliftError {
  const { status, code, message, proxy } = error.fault;
  const isUnreachable = kind === 'again' && status === undefined;
  const way = proxy === undefined ? subject.storage : throughProxy(subject.storage, proxy);
  return new TileliftError(isUnreachable ? 'storage-unreachable' : codes[kind], {
    subject: isUnreachable || networkFaults.has(kind) ? way : subject.file,
    // System messages belong in the log, except those about certificates.
    ...(isUnreachable || kind === 'offline' || code === 'ProxyUnreachable'
      ? {}
      : {
          remote: {
            ...(status === undefined ? {} : { status }),
            ...(code && kind !== 'proxy-gone' ? { code: redactedStart(code, 200) } : {}),
            ...(message ? { message: redactedStart(message, 200) } : {}),
          },
        }),
    cause: error,
  });
}

function throughProxy(name: string, proxy: string): Phrase {
  return { key: 'general.throughProxy', values: { name, proxy } };
}
