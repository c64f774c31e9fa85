import type { ErrorCode, TileliftError } from '../errors.ts';

/** Errors through which a job waits until somebody signs in. */
export const signInCodes: ReadonlySet<ErrorCode> = new Set([
  'not-signed-in',
  'invalid-credentials',
  'scope-missing',
]);

/** True when nothing but a sign-in helps. */
export function needsSignIn(error: TileliftError): boolean {
  return signInCodes.has(error.code);
}
