import type { ErrorRecord } from './errors.ts';

/** Where updates stand. */

/** While they are on. */
export type UpdatePhase =
  /** No newer release. `checkedAt`: ms since the epoch; null before the first check. */
  | { readonly kind: 'idle'; readonly checkedAt: number | null }
  | { readonly kind: 'checking' }
  /** A newer release waits until no upload is under way. */
  | { readonly kind: 'available'; readonly version: string }
  /** A newer release that this copy may not install by itself. */
  | { readonly kind: 'by-hand'; readonly version: string }
  /** `percent`: whole, 0 to 100. */
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };

/**
 * Who has switched updates off: the build, because it has no address for them, an administrator, or the
 * user. Null while they are on.
 */
export type SwitchedOffBy = 'build' | 'administrator' | 'person' | null;
