/** Interprets a drop on the window by its position. Pure. */

export interface DroppedEntry {
  readonly path: string;
  readonly isFolder: boolean;
}

interface DropPlace {
  /** A rule's sheet is open. */
  readonly editsRule: boolean;
  /** The screen of watched folders is visible without a sheet. */
  readonly onWatch: boolean;
  readonly signedIn: boolean;
}

export type DropMeaning =
  | { readonly kind: 'folder-of-rule' | 'new-rule'; readonly path: string }
  | { readonly kind: 'asset'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly why: 'noPlace' | 'oneFolder' | 'folderOnly' }
  /** Reported elsewhere. */
  | { readonly kind: 'nothing' };

/** `entries`: those with a path. */
export function meaningOfDrop(
  entries: readonly DroppedEntry[],
  { editsRule, onWatch, signedIn: isSignedIn }: DropPlace,
): DropMeaning {
  const [entry] = entries;
  if (editsRule && entry) return { kind: 'folder-of-rule', path: entry.path };
  if (!isSignedIn) return { kind: 'nothing' };
  if (!entry) return { kind: 'refused', why: 'noPlace' };
  if (!onWatch) return { kind: 'asset', paths: entries.map(({ path }) => path) };
  if (!entry.isFolder) return { kind: 'refused', why: 'folderOnly' };
  return entries.length > 1 ? { kind: 'refused', why: 'oneFolder' } : { kind: 'new-rule', path: entry.path };
}
