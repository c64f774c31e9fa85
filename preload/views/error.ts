export interface ErrorView {
  /** Stable, kebab-case. */
  readonly code: string;
  readonly message: string;
  readonly advice: string;
  readonly retryable: boolean;
  /** The remote side's own words, redacted. */
  readonly remote?: { readonly status?: number; readonly code?: string; readonly message?: string };
}
