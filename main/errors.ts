import { type Phrase, sayPhrase } from '../strings/phrase.ts';
import { say, sayInEnglish } from '../strings/say.ts';
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
  readonly subject?: string;
  readonly remote?: RemoteWords;
  /** For the log only. */
  readonly cause?: unknown;
}

/** Every error that leaves a room of `main/`. It is in English, for the log; `saidError` says it to a person. */
export class TileliftError extends Error {
  override readonly name = 'TileliftError';
  readonly code: ErrorCode;
  readonly subject: string | undefined;
  readonly advice: string;
  readonly retryable: boolean;
  readonly remote: RemoteWords | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(sayInEnglish(`errors.${code}.message`, { subject: details.subject ?? 'it' }), {
      cause: details.cause,
    });
    this.code = code;
    this.subject = details.subject;
    this.advice = sayInEnglish(`errors.${code}.advice`);
    this.retryable = errorTable[code].retryable;
    this.remote = details.remote;
  }

  /** The error that a record was made of, its words kept. */
  static fromRecord(record: ErrorRecord): TileliftError {
    const { code, subject, remote } = record;
    const error = new TileliftError(code, { ...(subject ? { subject } : {}), ...(remote ? { remote } : {}) });
    error.message = record.message;
    return error;
  }
}

/** The error itself when it is ours, else an `internal` one that carries it as its cause. */
export function toTileliftError(thrown: unknown): TileliftError {
  return thrown instanceof TileliftError ? thrown : new TileliftError('internal', { cause: thrown });
}

/** The plain form that the journal keeps and, said, the renderer gets. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  /** The thing that the error is about, by which it can be said in another language. */
  readonly subject?: string;
  readonly message: string;
  readonly advice: string;
  readonly retryable: boolean;
  readonly remote?: RemoteWords;
}

export function toErrorRecord(thrown: unknown): ErrorRecord {
  const error = toTileliftError(thrown);
  return {
    code: error.code,
    ...(error.subject === undefined ? {} : { subject: error.subject }),
    message: error.message,
    advice: error.advice,
    retryable: error.retryable,
    ...(error.remote ? { remote: error.remote } : {}),
  };
}

/** The error in the words of the language that is spoken now. */
export function saidError(error: ErrorRecord): ErrorRecord {
  return {
    ...error,
    message: sayPhrase(errorPhrase(error)),
    advice: say(`errors.${error.code}.advice`),
  };
}

/** What happened, for a record that outlives a change of language. An error written down before errors kept their subject keeps its message. */
export function errorPhrase({ code, subject, message }: ErrorRecord): Phrase | string {
  const key = `errors.${code}.message` as const;
  const sayable = subject !== undefined || message === sayInEnglish(key, { subject: 'it' });
  return sayable ? { key, values: { subject: subject ?? { key: 'general.it' } } } : message;
}
