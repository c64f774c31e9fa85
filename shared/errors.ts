import type { PlainError } from '../strings/said-error.ts';

/**
 * All error codes, with texts `errors.<code>` in the catalogue. `retryable`: the same action may succeed
 * later without any change.
 */
export const errorTable = {
  // service
  'service-unreachable': { retryable: true },
  'certificate-untrusted': { retryable: true },
  'proxy-unreachable': { retryable: true },
  'proxy-authentication': { retryable: true },
  'authority-file-unusable': { retryable: false },
  'service-unavailable': { retryable: true },
  'service-busy': { retryable: true },
  'service-pair-mixed': { retryable: false },
  'service-pair-unconfirmed': { retryable: false },
  // Allowing it continues with the same asset.
  'storage-plain': { retryable: true },
  'storage-private': { retryable: true },
  'service-address-invalid': { retryable: false },
  'foreign-answer': { retryable: true },
  'unexpected-answer': { retryable: true },
  'request-refused': { retryable: false },
  'request-too-large': { retryable: false },
  'asset-not-found': { retryable: false },
  'change-unsupported': { retryable: false },
  'creation-unusable': { retryable: false },
  // Only by the user, because each try may leave another asset behind.
  'creation-unanswered': { retryable: true },
  // account
  'not-signed-in': { retryable: false },
  'invalid-credentials': { retryable: false },
  'scope-missing': { retryable: false },
  'list-not-allowed': { retryable: false },
  'registration-failed': { retryable: true },
  'client-unknown': { retryable: true },
  'client-id-invalid': { retryable: false },
  'access-token-refused': { retryable: false },
  'sign-in-unreadable': { retryable: false },
  'browser-not-opened': { retryable: true },
  'sign-in-denied': { retryable: true },
  'sign-in-mismatch': { retryable: true },
  'sign-in-timed-out': { retryable: true },
  'sign-in-address-invalid': { retryable: true },
  'sign-in-port-blocked': { retryable: true },
  'sign-in-failed': { retryable: true },
  // source and request
  'source-missing': { retryable: false },
  'source-empty': { retryable: false },
  'source-unreadable': { retryable: false },
  'source-stalled': { retryable: true },
  'source-away': { retryable: true },
  'terrain-failed': { retryable: true },
  'terrain-missing': { retryable: true },
  'source-changed': { retryable: false },
  'source-keys-collide': { retryable: false },
  'source-name-too-long': { retryable: false },
  'source-name-not-utf8': { retryable: false },
  'all-left-out': { retryable: false },
  'system-unknown': { retryable: false },
  'system-not-assignable': { retryable: false },
  'system-file-exists': { retryable: false },
  'systems-differ': { retryable: false },
  'asset-name-empty': { retryable: false },
  'asset-type-unknown': { retryable: false },
  'source-type-empty': { retryable: false },
  'source-type-mismatch': { retryable: false },
  // watched folders
  'watch-account-missing': { retryable: true },
  'watch-folder-missing': { retryable: true },
  'watch-marker-missing': { retryable: true },
  'watch-folder-unreadable': { retryable: true },
  'watch-folder-nested': { retryable: false },
  'watch-patterns-overlap': { retryable: false },
  'watch-kind-undecided': { retryable: false },
  'watch-target-unusable': { retryable: false },
  'watch-pattern-invalid': { retryable: false },
  'watch-marker-for-batch': { retryable: false },
  'watch-name-invalid': { retryable: false },
  'watch-limit-reached': { retryable: true },
  'watch-events-missing': { retryable: true },
  'watch-lease-unwritable': { retryable: true },
  'watch-standing-by': { retryable: true },
  'watch-own-folder-foreign': { retryable: true },
  'watch-move-failed': { retryable: true },
  'watch-ledger-lost': { retryable: false },
  'rules-file-unreadable': { retryable: true },
  'presets-file-unreadable': { retryable: true },
  'presets-too-many': { retryable: false },
  'watch-row-unreadable': { retryable: false },
  'watch-done-untold': { retryable: false },
  'watch-already-taken': { retryable: false },
  'watch-taken-over': { retryable: false },
  'watch-asset-left': { retryable: false },
  'watch-failed-elsewhere': { retryable: false },
  'watch-rule-unknown': { retryable: false },
  'login-item-unavailable': { retryable: true },
  // alerts
  'mail-unreachable': { retryable: true },
  'mail-not-encrypted': { retryable: true },
  'mail-login-refused': { retryable: true },
  'mail-password-missing': { retryable: true },
  'mail-refused': { retryable: true },
  'webhook-unreachable': { retryable: true },
  'webhook-refused': { retryable: true },
  'webhook-key-missing': { retryable: true },
  'alerts-not-set': { retryable: false },
  'alert-place-refused': { retryable: false },
  'receipt-not-written': { retryable: true },
  'program-missing': { retryable: false },
  'program-in-watched-folder': { retryable: false },
  'program-writable-by-others': { retryable: false },
  'program-not-started': { retryable: false },
  'heartbeat-unwritable': { retryable: true },
  // updates
  'update-unreachable': { retryable: true },
  'update-refused': { retryable: false },
  'update-not-kept': { retryable: true },
  // storage
  'storage-unreachable': { retryable: true },
  // Retried on the same asset while the credentials are valid.
  'storage-denied': { retryable: true },
  'storage-elsewhere': { retryable: true },
  'storage-failed': { retryable: true },
  'storage-mismatch': { retryable: true },
  'credentials-expired': { retryable: false },
  'credentials-lost': { retryable: false },
  'forecast-too-long': { retryable: false },
  // tiling
  'data-error': { retryable: false },
  'tiling-error': { retryable: true },
  'status-unknown': { retryable: true },
  'terrain-status-unknown': { retryable: true },
  'files-awaited': { retryable: true },
  'tiling-unfollowed': { retryable: true },
  // policy
  'policy-unreadable': { retryable: false },
  'policy-unprotected': { retryable: false },
  'policy-not-json': { retryable: false },
  'policy-key-unknown': { retryable: false },
  'policy-value-unusable': { retryable: false },
  'policy-rules-faulty': { retryable: false },
  'policy-rule-no-account': { retryable: true },
  'set-by-policy': { retryable: false },
  'service-not-allowed': { retryable: false },
  'service-plain': { retryable: false },
  'service-not-private': { retryable: true },
  'watch-folder-outside': { retryable: false },
  // this computer
  'journal-held': { retryable: true },
  'nothing-runs': { retryable: true },
  'socket-version': { retryable: false },
  'socket-misunderstood': { retryable: false },
  'socket-unproven': { retryable: false },
  'socket-lost': { retryable: true },
  'journal-newer': { retryable: false },
  'journal-unusable': { retryable: false },
  'journal-full': { retryable: true },
  'journal-damaged': { retryable: false },
  'job-unreadable': { retryable: false },
  'job-unknown': { retryable: false },
  'sandbox-off': { retryable: false },
  'path-not-given': { retryable: false },
  'input-invalid': { retryable: false },
  internal: { retryable: true },
} as const satisfies Record<string, { readonly retryable: boolean }>;

export type ErrorCode = keyof typeof errorTable;

/** The remote side's own words, shown next to ours. Already redacted. */
export interface RemoteWords {
  readonly status?: number;
  /** For example `InvalidCredentials`. */
  readonly code?: string;
  /** Or the first 200 characters of an unreadable response. */
  readonly message?: string;
  /** From `Retry-After`, ms. */
  readonly retryAfterMs?: number;
}

/** Serializable error for the journal and the page; `strings/said-error.ts` turns it into words. */
export interface ErrorRecord extends PlainError {
  readonly code: ErrorCode;
  /** The input field concerned: `unit.patterns`. */
  readonly field?: string;
  readonly retryable: boolean;
  readonly remote?: RemoteWords;
}
