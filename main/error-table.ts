/**
 * Every code that a person may meet. A code that is not here does not exist; its words are in the catalogue, `errors.<code>`, where a code
 * without words does not compile. `retryable`: the same action may succeed later without anybody changing anything.
 */
export const errorTable = {
  // service
  'service-unreachable': { retryable: true },
  'certificate-untrusted': { retryable: false },
  'proxy-unreachable': { retryable: true },
  'proxy-authentication': { retryable: true },
  'authority-file-unusable': { retryable: false },
  'service-unavailable': { retryable: true },
  'service-busy': { retryable: true },
  'service-address-invalid': { retryable: false },
  'unexpected-answer': { retryable: true },
  'request-refused': { retryable: false },
  'request-too-large': { retryable: false },
  'asset-not-found': { retryable: false },
  // account
  'not-signed-in': { retryable: false },
  'invalid-credentials': { retryable: false },
  'scope-missing': { retryable: false },
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
  'sign-in-failed': { retryable: true },
  // source and request
  'source-missing': { retryable: false },
  'source-empty': { retryable: false },
  'source-unreadable': { retryable: false },
  'source-changed': { retryable: false },
  'source-keys-collide': { retryable: false },
  'source-name-too-long': { retryable: false },
  'asset-name-empty': { retryable: false },
  'asset-type-unknown': { retryable: false },
  'source-type-empty': { retryable: false },
  'source-type-mismatch': { retryable: false },
  // watched folders
  'watch-folder-missing': { retryable: true },
  'watch-folder-unreadable': { retryable: true },
  'watch-folder-nested': { retryable: false },
  'watch-target-unusable': { retryable: false },
  'watch-pattern-invalid': { retryable: false },
  'watch-name-invalid': { retryable: false },
  'watch-limit-reached': { retryable: true },
  'watch-events-missing': { retryable: true },
  'watch-claims-unwritable': { retryable: true },
  'watch-move-failed': { retryable: true },
  'watch-ledger-lost': { retryable: false },
  'watch-taken-over': { retryable: false },
  'watch-rule-unknown': { retryable: false },
  'login-item-unavailable': { retryable: true },
  // updates
  'update-unreachable': { retryable: true },
  'update-refused': { retryable: false },
  'update-not-kept': { retryable: true },
  // storage
  'storage-unreachable': { retryable: true },
  'storage-denied': { retryable: false },
  'storage-failed': { retryable: true },
  'storage-mismatch': { retryable: true },
  'credentials-expired': { retryable: false },
  'credentials-lost': { retryable: false },
  'forecast-too-long': { retryable: false },
  // tiling
  'data-error': { retryable: false },
  'tiling-error': { retryable: true },
  // this computer
  'journal-unusable': { retryable: false },
  'journal-full': { retryable: true },
  'journal-damaged': { retryable: false },
  'job-unknown': { retryable: false },
  'input-invalid': { retryable: false },
  internal: { retryable: true },
} as const satisfies Record<string, { readonly retryable: boolean }>;

export type ErrorCode = keyof typeof errorTable;
