import { type ErrorCode, type ErrorText, errorTable } from './error-table.ts';

/** The one shape of errors in Tilelift: a stable code, what happened, what to do, whether trying again can help. */

export type { ErrorCode } from './error-table.ts';

/** What the service or storage itself said, kept and shown beside our own words. Already redacted. */
export interface RemoteWords {
  /** HTTP status, when there was an answer. */
  readonly status?: number;
  /** The remote side's own error code, for example `InvalidCredentials`. */
  readonly code?: string;
  /** The remote side's own message, or the first 200 characters of an answer that was not understood. */
  readonly message?: string;
  /** How long the remote side asks to wait (`Retry-After`), in ms. */
  readonly retryAfterMs?: number;
}

export interface ErrorDetails {
  /** The thing that the error is about: a path, an address, an id. */
  readonly subject?: string;
  readonly remote?: RemoteWords;
  /** For the log only. */
  readonly cause?: unknown;
}

/** Every error that leaves a room of `main/`. */
export class TileliftError extends Error {
  override readonly name = 'TileliftError';
  readonly code: ErrorCode;
  readonly advice: string;
  readonly retryable: boolean;
  readonly remote: RemoteWords | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const text: ErrorText = errorTable[code];
    super(
      text.message.replace('{subject}', () => details.subject ?? 'it'),
      { cause: details.cause },
    );
    this.code = code;
    this.advice = text.advice;
    this.retryable = text.retryable;
    this.remote = details.remote;
  }

  /** The error that a record was made of, its words kept. */
  static fromRecord(record: ErrorRecord): TileliftError {
    const error = new TileliftError(record.code, record.remote ? { remote: record.remote } : {});
    error.message = record.message;
    return error;
  }
}

/** The error itself when it is ours, else an `internal` one that carries it as its cause. */
export function toTileliftError(thrown: unknown): TileliftError {
  return thrown instanceof TileliftError ? thrown : new TileliftError('internal', { cause: thrown });
}

/** The plain form that the journal keeps and the renderer gets. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly message: string;
  readonly advice: string;
  readonly retryable: boolean;
  readonly remote?: RemoteWords;
}

export function toErrorRecord(thrown: unknown): ErrorRecord {
  const error = toTileliftError(thrown);
  return {
    code: error.code,
    message: error.message,
    advice: error.advice,
    retryable: error.retryable,
    ...(error.remote ? { remote: error.remote } : {}),
  };
}
