import type { Phrase } from '../../strings/phrase.ts';
import { type ErrorCode, TileliftError } from '../errors.ts';
import { redactedStart } from '../redact.ts';
import { connectionFailure } from '../service/connection-failure.ts';

/** What went wrong with one request to storage, as far as the answer or the network tells. */
export interface StorageFault {
  /** HTTP status; absent when there was no answer. */
  readonly status?: number;
  /** S3's own code, for example `SlowDown`, or the network's, for example `ECONNRESET`. */
  readonly code?: string;
  readonly message?: string;
  /** The proxy that it is about, `host:port`. */
  readonly proxy?: string;
  /** From `Retry-After`. */
  readonly retryAfterMs?: number;
  /** Storage itself said it (`service/who-answered.ts`). Absent where someone else did, or nobody. */
  readonly heard?: true;
}

/**
 * Thrown by `Storage`. Only for `storage/`, `transfer/`, `workers/`: `toTransferError` makes it a
 * `TileliftError`.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly fault: StorageFault;

  constructor(fault: StorageFault, cause?: unknown) {
    super(fault.message || fault.code || `status ${fault.status ?? 'unknown'}`, { cause });
    this.fault = fault;
  }
}

/**
 * - `again`: may work the next time
 * - `foreign`: someone between us and storage answered; what storage thinks is not known
 * - `offline`: no way to the network; waits without counting tries
 * - `skewed`: the clocks differ; the client has taken over storage's time by now
 * - `corrupt`: the bytes did not arrive as they were sent
 * - `invalid-parts`: storage knows other parts than we do
 * - `gone`: storage knows no such upload or object
 * - `expired`: the credentials are over
 * - `denied`: not allowed, or no such bucket
 * - `elsewhere`: storage wants this bucket's requests at another address or for another region
 * - `proxy-gone`: no way past the proxy; waits as `offline` does
 * - `proxy-asks`: the proxy wants a user name and password, and nobody gave the right ones yet
 * - `untrusted`: the certificate is not one that this computer trusts: someone else may be at the other end
 * - `refused`: anything else that storage says and that trying again doesn't change
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

/**
 * By S3's code, as storage gives it (service-facts.md, "What real S3-compatible stores do"), then by status.
 */
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
    // "Re-send this request": a bucket's name is not yet known everywhere.
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

/** Storage does not know the credentials: once they have worked, it no longer does. */
const unknownCredentials: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'InvalidToken',
  'InvalidTokenId',
  'RequestExpired',
]);

/** Of what the connection itself found, without any answer of storage. */
const byConnectionCode: ReadonlyMap<string, FaultKind> = new Map([
  ['ProxyUnreachable', 'proxy-gone'],
  ['ProxyRefused', 'proxy-gone'],
  ['ProxyAuthentication', 'proxy-asks'],
]);

/** No way to the network, or to that machine. */
const offlineCodes: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Nobody accepts the connection, or nothing moves on it: the same while no other request gets through. */
const unansweredCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ETIMEDOUT', 'Stalled']);

/** What else was under way. */
interface FaultMoment {
  /** The known end of the credentials' life has come (`CredentialLife`). */
  readonly lifeOver: boolean;
  /** Storage has accepted the credentials before. */
  readonly haveWorked?: boolean;
  /** No request of the transfer got an answer since this one left. */
  readonly nothingElse?: boolean;
}

/**
 * What a fault means. Only what storage itself says may end anything: an answer that is someone else's is
 * `foreign`, or `again` where its status means no more than that. Some stores answer expired credentials with
 * any refusal of access, so the known end of life decides there.
 */
export function classifyFault(
  fault: StorageFault,
  { lifeOver, haveWorked, nothingElse }: FaultMoment,
): FaultKind {
  const { status, code = '' } = fault;
  if (status === undefined) return withoutAnswer(code, nothingElse ?? false);
  if (!fault.heard) return isPassing(status) ? 'again' : 'foreign';
  const kind = byCode.get(code) ?? (code ? byStatus(status) : byStatusOfHead(status));
  if (kind !== 'denied' && kind !== 'refused') return kind;
  const isUnknown = unknownCredentials.has(code);
  const isOver = lifeOver && (isUnknown || status === 401 || status === 403);
  return isOver || (haveWorked && isUnknown) ? 'expired' : kind;
}

function withoutAnswer(code: string, nothingElse: boolean): FaultKind {
  const known = byConnectionCode.get(code);
  if (known) return known;
  if (connectionFailure(code) === 'certificate-untrusted') return 'untrusted';
  return offlineCodes.has(code) || (unansweredCodes.has(code) && nothingElse) ? 'offline' : 'again';
}

function byStatus(status: number): FaultKind {
  if (status === 301 || status === 308) return 'elsewhere';
  return isPassing(status) || status === 307 ? 'again' : 'refused';
}

/** The answer to HEAD has no code. */
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

/** The trouble is with the network, whichever file is on its way. */
const aboutTheWay: ReadonlySet<FaultKind> = new Set([
  'offline',
  'foreign',
  'proxy-gone',
  'proxy-asks',
  'untrusted',
]);

/** The error a person sees once nothing more is tried. `storage` and `file` name what the error is about. */
export function toTransferError(
  thrown: StorageError,
  kind: FaultKind,
  about: { readonly storage: string; readonly file: string },
): TileliftError {
  const { status, code, message, proxy } = thrown.fault;
  const unreachable = kind === 'again' && status === undefined;
  const way = proxy === undefined ? about.storage : throughProxy(about.storage, proxy);
  return new TileliftError(unreachable ? 'storage-unreachable' : codes[kind], {
    subject: unreachable || aboutTheWay.has(kind) ? way : about.file,
    // Where nobody has answered, nobody has said anything: the system's words for that are for the log. Those
    // about a certificate say which it is.
    ...(unreachable || kind === 'offline' || code === 'ProxyUnreachable'
      ? {}
      : {
          remote: {
            ...(status === undefined ? {} : { status }),
            ...(code && kind !== 'proxy-gone' ? { code: redactedStart(code, 200) } : {}),
            ...(message ? { message: redactedStart(message, 200) } : {}),
          },
        }),
    cause: thrown,
  });
}

/** What was on the way when a proxy was in trouble. */
function throughProxy(name: string, proxy: string): Phrase {
  return { key: 'general.throughProxy', values: { name, proxy } };
}
