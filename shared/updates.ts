import type { ErrorRecord } from './errors.ts';

/** State of updates while they are on. */
export type UpdatePhase =
  /** No newer release. `checkedAt`: ms since the epoch; null before the first check. */
  | { readonly kind: 'idle'; readonly checkedAt: number | null }
  | { readonly kind: 'checking' }
  /** Waits until uploads have ended. */
  | { readonly kind: 'available'; readonly version: string }
  /** A release that this copy can't install itself. */
  | { readonly kind: 'by-hand'; readonly version: string }
  /** `percent`: whole, 0 to 100. */
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };

/** The party that disabled updates. `build`: it has no update address. Null while they are on. */
export type SwitchedOffBy = 'build' | 'administrator' | 'person' | null;
