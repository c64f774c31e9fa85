import { type ErrorCode, type ErrorRecord, errorTable, type RemoteWords } from '../shared/errors.ts';
import type { Said } from '../strings/phrase.ts';
import { errorPhrase, type Subject } from '../strings/said-error.ts';
import { inEnglish } from '../strings/sayer.ts';

/**
 * The one shape of errors in Tilelift: a stable code, what happened, what to do, whether a retry can help.
 */

export type { ErrorCode, ErrorRecord, RemoteWords } from '../shared/errors.ts';

interface ErrorDetails {
  /** The thing that the error is about: a path, an address, an id. */
  readonly subject?: Subject;
  /** The field of what was given that it is about, as the contract names it: `unit.patterns`. */
  readonly field?: string;
  readonly remote?: RemoteWords;
  /** For the log only. */
  readonly cause?: unknown;
}

/**
 * Every error that leaves a room of `main/`. Its message is in English, for the log; `strings/said-error.ts`
 * says it to a person.
 */
export class TileliftError extends Error {
  override readonly name = 'TileliftError';
  readonly code: ErrorCode;
  readonly subject: Subject | undefined;
  readonly field: string | undefined;
  readonly retryable: boolean;
  readonly remote: RemoteWords | undefined;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    const { subject, field, remote, cause } = details;
    super(inEnglish.errorMessage({ code, ...(subject === undefined ? {} : { subject }) }), { cause });
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
    return inEnglish.errorAdvice(this);
  }
}

/** The error itself when it is ours, else an `internal` one that carries it as its cause. */
export function toTileliftError(thrown: unknown): TileliftError {
  return thrown instanceof TileliftError ? thrown : new TileliftError('internal', { cause: thrown });
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
