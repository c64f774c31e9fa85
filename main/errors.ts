import type { Said } from '../strings/phrase.ts';
import {
  errorAdvice,
  errorMessage,
  errorPhrase,
  type PlainError,
  type Subject,
} from '../strings/said-error.ts';
import { inEnglish } from '../strings/say.ts';
import { type ErrorCode, errorTable } from './error-table.ts';

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
  readonly subject?: Subject;
  /** The field of what was given that it is about, as the contract names it: `unit.patterns`. */
  readonly field?: string;
  readonly remote?: RemoteWords;
  /** For the log only. */
  readonly cause?: unknown;
}

/** Every error that leaves a room of `main/`. Its message is in English, for the log; `strings/said-error.ts` says it to a person. */
export class TileliftError extends Error {
  override readonly name = 'TileliftError';
  readonly code: ErrorCode;
  readonly subject: Subject | undefined;
  readonly field: string | undefined;
  readonly retryable: boolean;
  readonly remote: RemoteWords | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const { subject, field, remote, cause } = details;
    super(
      inEnglish(() => errorMessage({ code, ...(subject === undefined ? {} : { subject }) })),
      { cause },
    );
    this.code = code;
    this.subject = subject;
    this.field = field;
    this.retryable = errorTable[code].retryable;
    this.remote = remote;
  }

  /** The error that a record was made of. */
  static fromRecord({ code, subject, field, remote }: ErrorRecord): TileliftError {
    return new TileliftError(code, {
      ...(subject === undefined ? {} : { subject }),
      ...(field === undefined ? {} : { field }),
      ...(remote ? { remote } : {}),
    });
  }

  /** What to do, in English. */
  get advice(): string {
    return inEnglish(() => errorAdvice(this));
  }
}

/** The error itself when it is ours, else an `internal` one that carries it as its cause. */
export function toTileliftError(thrown: unknown): TileliftError {
  return thrown instanceof TileliftError ? thrown : new TileliftError('internal', { cause: thrown });
}

/** The plain form that the journal keeps and the page gets: facts, which become words where they are shown. */
export interface ErrorRecord extends PlainError {
  readonly code: ErrorCode;
  readonly field?: string;
  readonly retryable: boolean;
  readonly remote?: RemoteWords;
}

export function toErrorRecord(thrown: unknown): ErrorRecord {
  const { code, subject, field, retryable, remote } = toTileliftError(thrown);
  return {
    code,
    ...(subject === undefined ? {} : { subject }),
    ...(field === undefined ? {} : { field }),
    retryable,
    ...(remote ? { remote } : {}),
  };
}

/** What happened, and in brackets what the remote side said of it. */
export function errorWithRemote(error: ErrorRecord): Said {
  const why = errorPhrase(error);
  const remote = error.remote?.message;
  return remote ? { key: 'general.withRemote', values: { why, remote } } : why;
}
