import type { ErrorCode, TileliftError } from '../errors.ts';

/** Errors that only a sign-in fixes, after policy errors one with an allowed account. */
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

export function needsSignIn(error: TileliftError): boolean {
  return signInCodes.has(error.code);
}
