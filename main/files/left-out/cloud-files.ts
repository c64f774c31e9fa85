/** A file that a sync program creates instead of one that it hasn't downloaded. */
interface Placeholder {
  /** Name of the real file. */
  readonly name: string;
  /** Display name. */
  readonly service: string;
}

/**
 * Parses a placeholder's name; null for ordinary names. Up to macOS 13, iCloud Drive hides `a.tif` as
 * `.a.tif.icloud` (Apple, `NSMetadataUbiquitousItemDownloadingStatus`); virtual files of Nextcloud and
 * ownCloud on Linux and macOS end in the program's name (their documentation of "virtual files").
 */
export function placeholderOf(name: string): Placeholder | null {
  // All placeholders end so; this is fast for each name of a scan.
  if (!name.endsWith('cloud')) return null;
  const hidden = /^\.(.+)\.icloud$/.exec(name)?.[1];
  if (hidden !== undefined) return { name: hidden, service: 'iCloud Drive' };
  const [, own, program] = /^(.+)\.(nextcloud|owncloud)$/.exec(name) ?? [];
  if (own === undefined) return null;
  return { name: own, service: program === 'nextcloud' ? 'Nextcloud' : 'ownCloud' };
}

/** Folder names of sync programs; below `CloudStorage` macOS appends `-ACCOUNT`. */
const roots: readonly (readonly [service: string, name: RegExp])[] = [
  ['OneDrive', /^onedrive(?:$| - |-)/i],
  ['Dropbox', /^dropbox(?:$| \(|-)/i],
  ['iCloud Drive', /^(?:iclouddrive|icloud drive|mobile documents)$/i],
  ['Google Drive', /^google ?drive(?:$|-)/i],
  ['Box', /^box(?:$| sync$|-)/i],
  ['Nextcloud', /^nextcloud\d*$/i],
];

/** Returns the display name of the service whose folder contains the path, or null. */
export function cloudOf(path: string): string | null {
  for (const piece of path.split(/[\\/]/)) {
    const root = roots.find(([, name]) => name.test(piece));
    if (root) return root[0];
  }
  return null;
}

/** NTFS and APFS store smaller files next to their name, without allocated blocks; bytes. */
const keptBesideName = 1_024;

/**
 * Whether a file in a cloud folder has a size but no local bytes, so that OneDrive, Dropbox and others would
 * download it on reading (Windows' cloud files, macOS' dataless files). Node doesn't expose that attribute,
 * but such files have no allocated blocks.
 *
 * @param allocated bytes on disk; NaN if unknown
 */
export function isOnlyInCloud(path: string, size: number, allocated: number): boolean {
  return size >= keptBesideName && allocated === 0 && cloudOf(path) !== null;
}
