import type { ErrorRecord } from './errors.ts';

/** Where updates stand. */

/** While they are on. */
export type UpdatePhase =
  /**
   * `checkedAt` (ms since the epoch) is null before the first look; no newer release was there. `doubt`: what
   * speaks against the feed.
   */
  | { readonly kind: 'idle'; readonly checkedAt: number | null; readonly doubt?: FeedDoubt }
  | { readonly kind: 'checking' }
  /** A newer release waits until no upload is under way. */
  | { readonly kind: 'available'; readonly version: string }
  /** A newer release that this copy may not install by itself. */
  | { readonly kind: 'by-hand'; readonly version: string }
  /** `percent`: whole, 0 to 100. */
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };

/** Why a feed may keep a newer release back. */
export type FeedDoubt =
  /** It offers an older release than it once did. */
  | { readonly kind: 'went-back'; readonly offered: string; readonly seen: string }
  /** Its newest release is this old; `since` is ms since the epoch. */
  | { readonly kind: 'stands-still'; readonly since: number };

/**
 * Who has switched updates off: this build has no address or no publisher's key for them, an administrator,
 * or the person. Null while they are on.
 */
export type SwitchedOffBy = 'build' | 'administrator' | 'person' | null;
