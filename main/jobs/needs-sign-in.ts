import type { ErrorCode, TileliftError } from '../errors.ts';

/** Errors that only a sign-in fixes, after policy errors with an allowed account. */
export const signInCodes: ReadonlySet<ErrorCode> = new Set([
  'not-signed-in',
  'invalid-credentials',
  'scope-missing',
  'service-not-allowed',
  'service-pair-mixed',
  'service-plain',
  'policy-unreadable',
  'policy-unprotected',
  'policy-not-json',
  'policy-key-unknown',
  'policy-value-unusable',
]);

/** Whether only a sign-in helps. */
export function needsSignIn(error: TileliftError): boolean {
  return signInCodes.has(error.code);
}
