import type { ErrorCode, TileliftError } from '../errors.ts';

/**
 * Errors through which a job waits until someone signs in; after those of the policy, with an account that it
 * allows.
 */
export const signInCodes: ReadonlySet<ErrorCode> = new Set([
  'not-signed-in',
  'invalid-credentials',
  'scope-missing',
  'service-not-allowed',
  'service-pair-mixed',
  'policy-unreadable',
  'policy-unprotected',
  'policy-not-json',
  'policy-key-unknown',
  'policy-value-unusable',
]);

/** True when nothing but a sign-in helps. */
export function needsSignIn(error: TileliftError): boolean {
  return signInCodes.has(error.code);
}
