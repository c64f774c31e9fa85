import type { ErrorCode } from '../../errors.ts';

/**
 * Whose fault a failure is, and so what a source waits for (design, "Watch rules").
 *
 * - `own`: the source's; nothing helps until it changes.
 * - `perhaps-own`: the source's or another's; tried again a few times, then it waits for a change.
 * - `others`: the service's, storage's, the network's, the account's, the rule's, this computer's; tried again until it works, ever more seldom.
 * - `person`: nothing may go on without somebody's word.
 */
export type FailureClass = 'own' | 'perhaps-own' | 'others' | 'person';

/** A code that is left out does not compile. */
const classes: Readonly<Record<ErrorCode, FailureClass>> = {
  'service-unreachable': 'others',
  'certificate-untrusted': 'others',
  'proxy-unreachable': 'others',
  'proxy-authentication': 'others',
  'authority-file-unusable': 'others',
  'service-unavailable': 'others',
  'service-busy': 'others',
  'service-pair-mixed': 'others',
  'service-pair-unconfirmed': 'others',
  'storage-plain': 'others',
  'service-address-invalid': 'others',
  'foreign-answer': 'others',
  'unexpected-answer': 'others',
  'request-refused': 'others',
  'request-too-large': 'others',
  // Somebody deleted it.
  'asset-not-found': 'person',
  // Each further try would leave another asset behind.
  'creation-unusable': 'person',
  'not-signed-in': 'others',
  'invalid-credentials': 'others',
  'scope-missing': 'others',
  'list-not-allowed': 'others',
  'registration-failed': 'others',
  'client-unknown': 'others',
  'client-id-invalid': 'others',
  'access-token-refused': 'others',
  'sign-in-unreadable': 'others',
  'browser-not-opened': 'others',
  'sign-in-denied': 'others',
  'sign-in-mismatch': 'others',
  'sign-in-timed-out': 'others',
  'sign-in-address-invalid': 'others',
  'sign-in-failed': 'others',
  // Locked by another program, or on a drive that was away for a moment: its files look the same afterwards.
  'source-missing': 'perhaps-own',
  'source-unreadable': 'perhaps-own',
  'source-stalled': 'others',
  'source-empty': 'own',
  // What changed is taken as soon as it has settled. What changed back, or was away for a moment, looks as it did before and would be waited for in vain.
  'source-changed': 'others',
  'source-keys-collide': 'own',
  'source-name-too-long': 'own',
  'asset-name-empty': 'others',
  'asset-type-unknown': 'others',
  'source-type-empty': 'others',
  'source-type-mismatch': 'others',
  'watch-folder-missing': 'others',
  'watch-folder-unreadable': 'others',
  'watch-folder-nested': 'others',
  'watch-target-unusable': 'others',
  'watch-pattern-invalid': 'others',
  'watch-name-invalid': 'others',
  'watch-limit-reached': 'others',
  'watch-events-missing': 'others',
  'watch-claims-unwritable': 'others',
  'watch-own-folder-foreign': 'others',
  'watch-move-failed': 'others',
  'watch-ledger-lost': 'person',
  'watch-already-taken': 'person',
  'watch-taken-over': 'person',
  'watch-rule-unknown': 'person',
  'login-item-unavailable': 'others',
  'update-unreachable': 'others',
  'update-refused': 'others',
  'update-not-kept': 'others',
  'storage-unreachable': 'others',
  'storage-denied': 'others',
  'storage-failed': 'others',
  'storage-mismatch': 'others',
  'credentials-expired': 'person',
  'credentials-lost': 'others',
  'forecast-too-long': 'person',
  'data-error': 'own',
  // All its bytes are on storage: another asset is for a person to want.
  'tiling-error': 'person',
  'policy-unreadable': 'others',
  'policy-unprotected': 'others',
  'policy-not-json': 'others',
  'policy-key-unknown': 'others',
  'policy-value-unusable': 'others',
  'set-by-policy': 'others',
  'service-not-allowed': 'others',
  'watch-folder-outside': 'others',
  'journal-held': 'others',
  'journal-newer': 'others',
  'journal-unusable': 'others',
  'journal-full': 'others',
  // How far it came is not known: it may be an asset already.
  'journal-damaged': 'person',
  'job-unreadable': 'person',
  'job-unknown': 'person',
  'sandbox-off': 'others',
  'path-not-given': 'others',
  'input-invalid': 'others',
  internal: 'others',
};

export function failureClassOf(code: ErrorCode): FailureClass {
  return classes[code];
}
