import type { ErrorView } from './error.ts';

/** Updates: what is set, and where they stand. */
export interface UpdatesView {
  /** Tilelift looks for them by itself. */
  readonly check: boolean;
  /** `beta`: preliminary releases too. */
  readonly channel: 'latest' | 'beta';
  readonly state: UpdateStateView;
}

export type UpdateStateView =
  /** `build`: it has no address to look for them. */
  | { readonly kind: 'off'; readonly by: 'build' | 'administrator' | 'person' }
  /** `checkedAt` is null before the first look. */
  | { readonly kind: 'idle'; readonly checkedAt: number | null }
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
