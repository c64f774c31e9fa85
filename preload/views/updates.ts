import type { ErrorView } from './error.ts';

/** Updates: what is set, and where they stand. */
export interface UpdatesView {
  /** Tilelift looks for them by itself. */
  readonly check: boolean;
  /** `beta`: preliminary releases too. */
  readonly channel: 'latest' | 'beta';
  readonly state: UpdateStateView;
}

export type FeedDoubtView =
  /** It offers an older release than it once did. */
  | { readonly kind: 'went-back'; readonly offered: string; readonly seen: string }
  /** Its newest release is of `since`, ms since the epoch. */
  | { readonly kind: 'stands-still'; readonly since: number };

export type UpdateStateView =
  /** `build`: it has no address to look for them, or no publisher’s key to check them by. */
  | { readonly kind: 'off'; readonly by: 'build' | 'administrator' | 'person' }
  /** `checkedAt` is null before the first look. `doubt`: the feed may keep a newer release back. */
  | { readonly kind: 'idle'; readonly checkedAt: number | null; readonly doubt?: FeedDoubtView }
  | { readonly kind: 'checking' }
  /** Waits until no upload needs the line. */
  | { readonly kind: 'available'; readonly version: string }
  /** This copy is updated as it was installed. `hasPage`: there is a page to get it from. */
  | { readonly kind: 'by-hand'; readonly version: string; readonly hasPage: boolean }
  /** Whole percent. */
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** Goes in at the quit. */
  | { readonly kind: 'ready'; readonly version: string; readonly canRestart: boolean }
  | { readonly kind: 'failed'; readonly error: ErrorView };
