import type { PlainError } from '../../strings/said-error.ts';

/** Facts of an error, which the page says (`strings/said-error.ts`). */
export interface ErrorView extends PlainError {
  /** The field of what was given that it is about: `unit.patterns`. */
  readonly field?: string;
  readonly retryable: boolean;
  /** The remote side's own words, redacted. */
  readonly remote?: { readonly status?: number; readonly code?: string; readonly message?: string };
}
