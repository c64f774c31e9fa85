import { type ErrorCode, type ErrorRecord, errorTable, type RemoteWords } from '../shared/errors.ts';
import type { Said } from '../strings/phrase.ts';
import { errorPhrase, type Subject } from '../strings/said-error.ts';
import { inEnglish } from '../strings/sayer.ts';

/** Code, message, and whether a retry can help. */

export type { ErrorCode, ErrorRecord, RemoteWords } from '../shared/errors.ts';

interface ErrorDetails {
  /** Path, address or ID. */
  readonly subject?: Subject;
  /** As in the contract: `unit.patterns`. */
  readonly field?: string;
  readonly remote?: RemoteWords;
  /** For the log only. */
  readonly cause?: unknown;
}

/**
 * Every error that leaves a module of `main/`. The message is English, for the log; `strings/said-error.ts`
 * translates it.
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

  /** Recreates the error of a record. */
  static fromRecord({ code, subject, field, remote }: ErrorRecord): TileliftError {
    return new TileliftError(code, {
      ...(subject === undefined ? {} : { subject }),
      ...(field === undefined ? {} : { field }),
      ...(remote ? { remote } : {}),
    });
  }
}

/** Wraps any other error as `internal`. */
export function toTileliftError(error: unknown): TileliftError {
  return error instanceof TileliftError ? error : new TileliftError('internal', { cause: error });
}

export function toErrorRecord(error: unknown): ErrorRecord {
  const { code, subject, field, retryable, remote } = toTileliftError(error);
  return {
    code,
    ...(subject === undefined ? {} : { subject }),
    ...(field === undefined ? {} : { field }),
    retryable,
    ...(remote ? { remote } : {}),
  };
}

/** Adds the remote side's message in brackets. */
export function errorWithRemote(error: ErrorRecord): Said {
  const why = errorPhrase(error);
  const remote = error.remote?.message;
  return remote ? { key: 'general.withRemote', values: { why, remote } } : why;
}

/** Whether the journal can't be written. */
export function isJournalTrouble({ code }: Pick<ErrorRecord, 'code'>): boolean {
  return code === 'journal-full' || code === 'journal-unusable';
}
