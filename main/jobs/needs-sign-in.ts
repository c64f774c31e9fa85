import type { ErrorCode, TileliftError } from '../errors.ts';

const codes: ReadonlySet<ErrorCode> = new Set(['not-signed-in', 'invalid-credentials', 'scope-missing']);

/** True for errors through which a job waits until somebody signs in. */
export function needsSignIn(error: TileliftError): boolean {
  return codes.has(error.code);
}
