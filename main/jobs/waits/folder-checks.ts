import { opendir, stat } from 'node:fs/promises';
import { abandon } from '../../abandoned-work.ts';
import { hasCode } from '../../errno.ts';

/** `device`: as in its files' identity (`files/file-identity.ts`). */
export type FolderCheck = { readonly kind: 'there'; readonly device: string } | { readonly kind: 'away' };

/** May hang forever. */
type CheckFolder = (folder: string) => Promise<FolderCheck>;

const folderAway: FolderCheck = { kind: 'away' };
const patienceMs = 5_000;
/** Node has four threads for file access; dead drives may block this many. */
const maxHanging = 2;

/** A lost share often still knows the folder's own name. */
const checkFolder: CheckFolder = async (folder) => {
  const stats = await stat(folder);
  if (!stats.isDirectory()) return folderAway;
  try {
    const listing = await opendir(folder);
    try {
      await listing.read();
    } finally {
      await listing.close();
    }
  } catch (error) {
    // The folder exists but isn't readable.
    if (!hasCode(error, 'EACCES', 'EPERM')) throw error;
  }
  return { kind: 'there', device: String(stats.dev) };
};

/** Checks each folder once at a time, with few hanging checks. */
export class FolderChecks {
  readonly #checkFolder: CheckFolder;
  readonly #pendingChecks = new Map<string, Promise<FolderCheck>>();

  constructor(look: CheckFolder = checkFolder) {
    this.#checkFolder = look;
  }

  /** Throws the signal's reason as soon as it aborts. */
  async check(folder: string, signal: AbortSignal): Promise<FolderCheck> {
    signal.throwIfAborted();
    const pendingCheck = this.#pendingChecks.get(folder) ?? this.#ask(folder);
    if (!pendingCheck) return folderAway;
    const { promise, resolve, reject } = Promise.withResolvers<FolderCheck>();
    const timer = setTimeout(() => resolve(folderAway), patienceMs);
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([pendingCheck, promise]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  #ask(folder: string): Promise<FolderCheck> | undefined {
    if (this.#pendingChecks.size >= maxHanging) return undefined;
    const pendingCheck = this.#checkFolder(folder)
      .catch(() => folderAway)
      .finally(() => this.#pendingChecks.delete(folder));
    this.#pendingChecks.set(folder, pendingCheck);
    // Quitting must know about hanging checks.
    abandon(pendingCheck);
    return pendingCheck;
  }
}
