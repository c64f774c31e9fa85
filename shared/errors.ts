import type { PlainError } from '../strings/said-error.ts';

interface ErrorFacts {
  /** The same action may succeed later without any change. */
  readonly retryable: boolean;
  /** Exit code of the command, by its name in `main/cli/exit-codes.ts`. */
  readonly exit:
    | 'internal'
    | 'badInput'
    | 'signIn'
    | 'dataError'
    | 'tilingError'
    | 'expired'
    | 'givenUp'
    | 'heldForPerson'
    | 'serviceUnusable';
  /** For sources of watched folders; absent for `others`. */
  readonly failure?: Exclude<FailureClass, 'others'>;
}

/**
 * Causes of failures, which decide what a source waits for.
 *
 * - `own`: the source; nothing helps until it changes.
 * - `perhaps-own`: retried a few times, then it waits for a change.
 * - `person`: only the user can continue.
 * - `others`: the service, storage, network, account, rule or this computer; retried at increasing intervals.
 */
export type FailureClass = 'own' | 'perhaps-own' | 'others' | 'person';

/** All error codes, with texts `errors.<code>` in the catalogue. */
export const errorTable = {
  // service
  'service-unreachable': { retryable: true, exit: 'givenUp' },
  'certificate-untrusted': { retryable: true, exit: 'givenUp' },
  'proxy-unreachable': { retryable: true, exit: 'givenUp' },
  'proxy-authentication': { retryable: true, exit: 'givenUp' },
  'authority-file-unusable': { retryable: false, exit: 'badInput' },
  'service-unavailable': { retryable: true, exit: 'givenUp' },
  'service-busy': { retryable: true, exit: 'givenUp' },
  'service-pair-mixed': { retryable: false, exit: 'badInput' },
  'service-pair-unconfirmed': { retryable: false, exit: 'heldForPerson' },
  // Allowing it continues with the same asset.
  'storage-plain': { retryable: true, exit: 'heldForPerson' },
  'storage-private': { retryable: true, exit: 'givenUp' },
  'service-address-invalid': { retryable: false, exit: 'badInput' },
  'foreign-answer': { retryable: true, exit: 'givenUp' },
  'unexpected-answer': { retryable: true, exit: 'givenUp' },
  'request-refused': { retryable: false, exit: 'badInput' },
  'request-too-large': { retryable: false, exit: 'badInput' },
  'asset-not-found': { retryable: false, exit: 'badInput', failure: 'person' },
  'change-unsupported': { retryable: false, exit: 'badInput' },
  // Each further try would leave another asset behind.
  'creation-unusable': { retryable: false, exit: 'serviceUnusable', failure: 'person' },
  // Only by the user, because each try may leave another asset behind.
  'creation-unanswered': { retryable: true, exit: 'heldForPerson', failure: 'person' },
  // account
  'not-signed-in': { retryable: false, exit: 'signIn' },
  'invalid-credentials': { retryable: false, exit: 'signIn' },
  'scope-missing': { retryable: false, exit: 'signIn' },
  'list-not-allowed': { retryable: false, exit: 'signIn' },
  'registration-failed': { retryable: true, exit: 'signIn' },
  'client-unknown': { retryable: true, exit: 'signIn' },
  'client-id-invalid': { retryable: false, exit: 'badInput' },
  'access-token-refused': { retryable: false, exit: 'signIn' },
  'sign-in-unreadable': { retryable: false, exit: 'signIn' },
  'browser-not-opened': { retryable: true, exit: 'signIn' },
  'sign-in-denied': { retryable: true, exit: 'signIn' },
  'sign-in-mismatch': { retryable: true, exit: 'signIn' },
  'sign-in-timed-out': { retryable: true, exit: 'signIn' },
  'sign-in-input-ended': { retryable: true, exit: 'signIn' },
  'sign-in-address-invalid': { retryable: true, exit: 'signIn' },
  'sign-in-port-blocked': { retryable: true, exit: 'signIn' },
  'sign-in-failed': { retryable: true, exit: 'signIn' },
  // source and request
  'source-missing': { retryable: false, exit: 'badInput', failure: 'perhaps-own' },
  'source-empty': { retryable: false, exit: 'badInput', failure: 'own' },
  'source-unreadable': { retryable: false, exit: 'badInput', failure: 'perhaps-own' },
  'source-stalled': { retryable: true, exit: 'givenUp' },
  'source-away': { retryable: true, exit: 'givenUp' },
  'terrain-failed': { retryable: true, exit: 'givenUp' },
  'terrain-missing': { retryable: true, exit: 'badInput' },
  'source-changed': { retryable: false, exit: 'badInput' },
  'source-keys-collide': { retryable: false, exit: 'badInput', failure: 'own' },
  'source-name-too-long': { retryable: false, exit: 'badInput', failure: 'own' },
  'source-name-not-utf8': { retryable: false, exit: 'badInput', failure: 'own' },
  'all-left-out': { retryable: false, exit: 'badInput', failure: 'own' },
  'system-unknown': { retryable: false, exit: 'badInput', failure: 'own' },
  'system-not-assignable': { retryable: false, exit: 'badInput', failure: 'own' },
  'system-file-exists': { retryable: false, exit: 'badInput', failure: 'own' },
  'systems-differ': { retryable: false, exit: 'badInput', failure: 'own' },
  'asset-name-empty': { retryable: false, exit: 'badInput' },
  'asset-type-unknown': { retryable: false, exit: 'badInput' },
  'source-type-empty': { retryable: false, exit: 'badInput' },
  'source-type-mismatch': { retryable: false, exit: 'badInput' },
  // watched folders
  'watch-account-missing': { retryable: true, exit: 'givenUp' },
  'watch-folder-missing': { retryable: true, exit: 'givenUp' },
  'watch-marker-missing': { retryable: true, exit: 'givenUp' },
  'watch-folder-unreadable': { retryable: true, exit: 'givenUp' },
  'watch-folder-nested': { retryable: false, exit: 'givenUp' },
  'watch-patterns-overlap': { retryable: false, exit: 'givenUp' },
  'watch-kind-undecided': { retryable: false, exit: 'givenUp', failure: 'own' },
  'watch-target-unusable': { retryable: false, exit: 'givenUp' },
  'watch-pattern-invalid': { retryable: false, exit: 'givenUp' },
  'watch-marker-for-batch': { retryable: false, exit: 'givenUp' },
  'watch-name-invalid': { retryable: false, exit: 'givenUp' },
  'watch-limit-reached': { retryable: true, exit: 'givenUp' },
  'watch-events-missing': { retryable: true, exit: 'givenUp' },
  'watch-lease-unwritable': { retryable: true, exit: 'givenUp' },
  'watch-standing-by': { retryable: true, exit: 'givenUp' },
  'watch-own-folder-foreign': { retryable: true, exit: 'givenUp' },
  'watch-move-failed': { retryable: true, exit: 'givenUp' },
  'watch-ledger-lost': { retryable: false, exit: 'givenUp', failure: 'person' },
  'rules-file-unreadable': { retryable: true, exit: 'badInput' },
  'presets-file-unreadable': { retryable: true, exit: 'badInput' },
  'presets-too-many': { retryable: false, exit: 'givenUp' },
  'watch-done-untold': { retryable: false, exit: 'givenUp', failure: 'person' },
  'watch-already-taken': { retryable: false, exit: 'heldForPerson', failure: 'person' },
  'watch-taken-over': { retryable: false, exit: 'givenUp', failure: 'person' },
  'watch-asset-left': { retryable: false, exit: 'givenUp', failure: 'person' },
  'watch-failed-elsewhere': { retryable: false, exit: 'givenUp', failure: 'person' },
  'watch-rule-unknown': { retryable: false, exit: 'badInput', failure: 'person' },
  'login-item-unavailable': { retryable: true, exit: 'givenUp' },
  // alerts
  'mail-unreachable': { retryable: true, exit: 'givenUp' },
  'mail-not-encrypted': { retryable: true, exit: 'givenUp' },
  'mail-login-refused': { retryable: true, exit: 'givenUp' },
  'mail-password-missing': { retryable: true, exit: 'givenUp' },
  'mail-refused': { retryable: true, exit: 'givenUp' },
  'webhook-unreachable': { retryable: true, exit: 'givenUp' },
  'webhook-refused': { retryable: true, exit: 'givenUp' },
  'webhook-key-missing': { retryable: true, exit: 'givenUp' },
  'alerts-not-set': { retryable: false, exit: 'givenUp' },
  'alert-place-refused': { retryable: false, exit: 'givenUp' },
  'receipt-not-written': { retryable: true, exit: 'givenUp' },
  'program-missing': { retryable: false, exit: 'givenUp' },
  'program-in-watched-folder': { retryable: false, exit: 'givenUp' },
  'program-writable-by-others': { retryable: false, exit: 'givenUp' },
  'program-not-started': { retryable: false, exit: 'givenUp' },
  'heartbeat-unwritable': { retryable: true, exit: 'givenUp' },
  // updates
  'update-unreachable': { retryable: true, exit: 'givenUp' },
  'update-refused': { retryable: false, exit: 'givenUp' },
  'update-not-kept': { retryable: true, exit: 'givenUp' },
  // storage
  'storage-unreachable': { retryable: true, exit: 'givenUp' },
  // Retried on the same asset while the credentials are valid.
  'storage-denied': { retryable: true, exit: 'givenUp' },
  'storage-elsewhere': { retryable: true, exit: 'givenUp' },
  'storage-failed': { retryable: true, exit: 'givenUp' },
  'storage-mismatch': { retryable: true, exit: 'givenUp' },
  'credentials-expired': { retryable: false, exit: 'expired', failure: 'person' },
  'credentials-lost': { retryable: false, exit: 'expired' },
  'forecast-too-long': { retryable: false, exit: 'heldForPerson', failure: 'person' },
  // tiling
  'data-error': { retryable: false, exit: 'dataError', failure: 'own' },
  'tiling-error': { retryable: true, exit: 'tilingError', failure: 'person' },
  'status-unknown': { retryable: true, exit: 'givenUp', failure: 'person' },
  'terrain-status-unknown': { retryable: true, exit: 'givenUp', failure: 'person' },
  'files-awaited': { retryable: true, exit: 'givenUp', failure: 'person' },
  'tiling-unfollowed': { retryable: true, exit: 'heldForPerson', failure: 'person' },
  // policy
  'policy-unreadable': { retryable: false, exit: 'signIn' },
  'policy-unprotected': { retryable: false, exit: 'signIn' },
  'policy-not-json': { retryable: false, exit: 'signIn' },
  'policy-key-unknown': { retryable: false, exit: 'signIn' },
  'policy-value-unusable': { retryable: false, exit: 'signIn' },
  'policy-rules-faulty': { retryable: false, exit: 'givenUp' },
  'policy-rule-no-account': { retryable: true, exit: 'givenUp' },
  'set-by-policy': { retryable: false, exit: 'badInput' },
  'service-not-allowed': { retryable: false, exit: 'badInput' },
  'service-plain': { retryable: false, exit: 'badInput' },
  'service-not-private': { retryable: true, exit: 'badInput' },
  'watch-folder-outside': { retryable: false, exit: 'givenUp' },
  // this computer
  'journal-held': { retryable: true, exit: 'givenUp' },
  'nothing-runs': { retryable: true, exit: 'givenUp' },
  'socket-version': { retryable: false, exit: 'givenUp' },
  'socket-misunderstood': { retryable: false, exit: 'givenUp' },
  'socket-unproven': { retryable: false, exit: 'givenUp' },
  'socket-lost': { retryable: true, exit: 'givenUp' },
  'journal-newer': { retryable: false, exit: 'badInput' },
  'journal-unusable': { retryable: false, exit: 'givenUp' },
  'journal-full': { retryable: true, exit: 'givenUp' },
  'journal-damaged': { retryable: false, exit: 'givenUp', failure: 'person' },
  'job-unreadable': { retryable: false, exit: 'givenUp', failure: 'person' },
  'job-unknown': { retryable: false, exit: 'badInput', failure: 'person' },
  'sandbox-off': { retryable: false, exit: 'givenUp' },
  'path-not-given': { retryable: false, exit: 'badInput' },
  'input-invalid': { retryable: false, exit: 'badInput' },
  internal: { retryable: true, exit: 'internal' },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof errorTable;

const factsByCode: ReadonlyMap<string, ErrorFacts> = new Map(Object.entries(errorTable));

/** Undefined for a code of another version. */
export const errorFactsOf = (code: string): ErrorFacts | undefined => factsByCode.get(code);

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
