/** A placeholder of a file that isn't downloaded. */
interface Placeholder {
  /** Name of the real file. */
  readonly name: string;
  readonly service: string;
}

/**
 * Parses a placeholder's name. Up to macOS 13, iCloud Drive hides `a.tif` as `.a.tif.icloud` (Apple,
 * `NSMetadataUbiquitousItemDownloadingStatus`); virtual files of Nextcloud and ownCloud end in the program's
 * name (their documentation of "virtual files").
 */
export function placeholderOf(name: string): Placeholder | null {
  // A fast check for each name of a scan.
  if (!name.endsWith('cloud')) return null;
  const hidden = /^\.(.+)\.icloud$/.exec(name)?.[1];
  if (hidden !== undefined) return { name: hidden, service: 'iCloud Drive' };
  const [, originalName, program] = /^(.+)\.(nextcloud|owncloud)$/.exec(name) ?? [];
  if (originalName === undefined) return null;
  return { name: originalName, service: program === 'nextcloud' ? 'Nextcloud' : 'ownCloud' };
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

/** Returns the service whose folder contains the path, or null. */
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
 * Whether reading a file in a cloud folder would download it: it has a size but no allocated blocks (Windows'
 * cloud files, macOS' dataless files). Node doesn't expose the attribute itself.
 *
 * @param allocated bytes on disk; NaN if unknown
 */
export function isOnlyInCloud(path: string, size: number, allocated: number): boolean {
  return size >= keptBesideName && allocated === 0 && cloudOf(path) !== null;
}
