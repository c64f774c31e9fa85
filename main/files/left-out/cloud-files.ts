/** Which files a folder of a cloud service shows although their bytes are not on this computer: pure. */

/** A name that a sync program leaves in the place of a file that it has not fetched. */
interface Placeholder {
  /** The file's own name. */
  readonly name: string;
  /** As people call it. */
  readonly service: string;
}

/**
 * What a name stands in for; null for an ordinary one. Up to macOS 13 iCloud Drive hides `a.tif` as
 * `.a.tif.icloud` (Apple, `NSMetadataUbiquitousItemDownloadingStatus`); the virtual files of Nextcloud and
 * ownCloud on Linux and macOS end in the program's name (their documentation of "virtual files").
 */
export function placeholderOf(name: string): Placeholder | null {
  // All of them do; every name of a scan is asked about.
  if (!name.endsWith('cloud')) return null;
  const hidden = /^\.(.+)\.icloud$/.exec(name)?.[1];
  if (hidden !== undefined) return { name: hidden, service: 'iCloud Drive' };
  const [, own, program] = /^(.+)\.(nextcloud|owncloud)$/.exec(name) ?? [];
  if (own === undefined) return null;
  return { name: own, service: program === 'nextcloud' ? 'Nextcloud' : 'ownCloud' };
}

/** Folders by the names that sync programs give them; below `CloudStorage` macOS adds `-ACCOUNT`. */
const roots: readonly (readonly [service: string, name: RegExp])[] = [
  ['OneDrive', /^onedrive(?:$| - |-)/i],
  ['Dropbox', /^dropbox(?:$| \(|-)/i],
  ['iCloud Drive', /^(?:iclouddrive|icloud drive|mobile documents)$/i],
  ['Google Drive', /^google ?drive(?:$|-)/i],
  ['Box', /^box(?:$| sync$|-)/i],
  ['Nextcloud', /^nextcloud\d*$/i],
];

/** The service whose folder a path is in, as people call it; null where none is known. */
export function cloudOf(path: string): string | null {
  for (const piece of path.split(/[\\/]/)) {
    const root = roots.find(([, name]) => name.test(piece));
    if (root) return root[0];
  }
  return null;
}

/** NTFS and APFS keep less than this beside the file's name, where it takes no room of its own; bytes. */
const keptBesideName = 1_024;

/**
 * Whether a file of a cloud service's folder has its size but none of its bytes: OneDrive, Dropbox and others
 * (Windows' cloud files, macOS' dataless files) fetch it when someone reads it. Node does not give the
 * attribute that says so, but the room that the file takes is nothing.
 *
 * @param allocated bytes that it has on the disk; NaN where unknown
 */
export function isOnlyInCloud(path: string, size: number, allocated: number): boolean {
  return size >= keptBesideName && allocated === 0 && cloudOf(path) !== null;
}
