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
  /** From `Retry-After`. */
  readonly retryAfterMs?: number;
}

/** Thrown by `Storage`. Never leaves `upload/`: `toTransferError` makes a `TileliftError` of it. */
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
 * - `offline`: no way to the network; waits without counting tries
 * - `skewed`: the clocks differ; the client has taken over storage's time by now
 * - `corrupt`: the bytes did not arrive as they were sent
 * - `invalid-parts`: storage knows other parts than we do
 * - `gone`: no such upload or object
 * - `expired`: the credentials are over
 * - `denied`: not allowed, or no such bucket
 * - `proxy-gone`: no way past the proxy; waits as `offline` does
 * - `proxy-asks`: the proxy wants a user name and password, and nobody gave the right ones
 * - `untrusted`: its certificate is not one that this computer trusts
 * - `refused`: anything else that trying again doesn't change
 */
export type FaultKind =
  | 'again'
  | 'offline'
  | 'skewed'
  | 'corrupt'
  | 'invalid-parts'
  | 'gone'
  | 'expired'
  | 'denied'
  | 'proxy-gone'
  | 'proxy-asks'
  | 'untrusted'
  | 'refused';

/** By S3's code. service-facts.md, "What real S3-compatible stores do": by code first, then by status. */
const byCode: ReadonlyMap<string, FaultKind> = new Map<string, FaultKind>(
  Object.entries({
    ExpiredToken: 'expired',
    ExpiredTokenException: 'expired',
    InvalidToken: 'expired',
    RequestTimeTooSkewed: 'skewed',
    NoSuchUpload: 'gone',
    NoSuchKey: 'gone',
    NotFound: 'gone',
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
    AccessDenied: 'denied',
    InvalidAccessKeyId: 'denied',
    NoSuchBucket: 'denied',
    SignatureDoesNotMatch: 'denied',
    MethodNotAllowed: 'refused',
    NotImplemented: 'refused',
    ProxyUnreachable: 'proxy-gone',
    ProxyRefused: 'proxy-gone',
    ProxyAuthentication: 'proxy-asks',
  }),
);

/** No way to the network, or to that machine. */
const offlineCodes: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Nobody takes the connection, or nothing moves on it: while no other request gets through either, that is no different. */
const unansweredCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ETIMEDOUT', 'Stalled']);

/** Clocks and "about one hour" are not exact: a 403 this close to the end of life is taken for the end. */
const expiryMarginMs = 60_000;

/** When it happened and when the credentials end, ms since the epoch, and what else was going on. */
export interface FaultMoment {
  readonly now: number;
  readonly endsAt: number;
  /** No request of the transfer got an answer since this one left. */
  readonly nothingElse?: boolean;
}

/** What a fault means. Some stores answer expired credentials with a plain 403, so the known end of life decides there. */
export function classifyFault(fault: StorageFault, life: FaultMoment): FaultKind {
  const { status } = fault;
  const known = byCode.get(fault.code ?? '');
  const forbidden = known === 'denied' || (known === undefined && (status === 401 || status === 403));
  if (forbidden && fault.code !== 'NoSuchBucket' && life.now >= life.endsAt - expiryMarginMs)
    return 'expired';
  if (known) return known;
  if (status === undefined) {
    const { code = '' } = fault;
    if (connectionFailure(code) === 'certificate-untrusted') return 'untrusted';
    return offlineCodes.has(code) || (unansweredCodes.has(code) && life.nothingElse) ? 'offline' : 'again';
  }
  if (status === 401 || status === 403) return 'denied';
  if (status === 404) return 'gone';
  // A success that could not be read was cut off on its way.
  if (status === 408 || status === 429 || status >= 500 || status < 300) return 'again';
  return 'refused';
}

const codes: Readonly<Record<FaultKind, ErrorCode>> = {
  again: 'storage-failed',
  offline: 'storage-unreachable',
  skewed: 'storage-failed',
  corrupt: 'storage-mismatch',
  'invalid-parts': 'storage-mismatch',
  gone: 'storage-failed',
  expired: 'credentials-expired',
  denied: 'storage-denied',
  'proxy-gone': 'proxy-unreachable',
  'proxy-asks': 'proxy-authentication',
  untrusted: 'certificate-untrusted',
  refused: 'storage-denied',
};

/** The trouble is with the line, whichever file is on it. */
const aboutTheWay: ReadonlySet<FaultKind> = new Set(['offline', 'proxy-gone', 'proxy-asks', 'untrusted']);

/** The error a person sees once nothing more is tried. `storage` and `file` name what the error is about. */
export function toTransferError(
  thrown: StorageError,
  kind: FaultKind,
  about: { readonly storage: string; readonly file: string },
): TileliftError {
  const { status, code, message } = thrown.fault;
  const unreachable = kind === 'again' && status === undefined;
  return new TileliftError(unreachable ? 'storage-unreachable' : codes[kind], {
    subject: unreachable || aboutTheWay.has(kind) ? about.storage : about.file,
    remote: {
      ...(status === undefined ? {} : { status }),
      ...(code ? { code: redactedStart(code, 200) } : {}),
      ...(message ? { message: redactedStart(message, 200) } : {}),
    },
    cause: thrown,
  });
}
