import { opendir, stat } from 'node:fs/promises';
import { hasCode } from '../../errno.ts';
import { giveUp } from '../../hanging-work.ts';

/** What a look at a folder found.  `device`: as in its files' identity (`source/file-identity.ts`). */
export type FolderLook = { readonly kind: 'there'; readonly device: string } | { readonly kind: 'away' };

/** Throws the system's own errors; may hang for good. */
type LookAtFolder = (folder: string) => Promise<FolderLook>;

const away: FolderLook = { kind: 'away' };
/** A folder that has not answered by then counts as away, ms. */
const patienceMs = 5_000;
/** The system has four threads for all that asks a disk: dead drives may keep so many of them. */
const maxHanging = 2;

/** Whether the folder can be listed: a share that was lost often still knows the folder's own name. */
const lookAtFolder: LookAtFolder = async (folder) => {
  const found = await stat(folder);
  if (!found.isDirectory()) return away;
  try {
    const listing = await opendir(folder);
    try {
      await listing.read();
    } finally {
      await listing.close();
    }
  } catch (thrown) {
    // It is there, and this user may not read it: no drive has gone.
    if (!hasCode(thrown, 'EACCES', 'EPERM')) throw thrown;
  }
  return { kind: 'there', device: String(found.dev) };
};

/**
 * Looks at folders that may be on dead drives: each is asked once at a time, and few of those that never
 * answer.
 */
export class FolderLooks {
  readonly #look: LookAtFolder;
  readonly #asked = new Map<string, Promise<FolderLook>>();

  constructor(look: LookAtFolder = lookAtFolder) {
    this.#look = look;
  }

  /** Away when there is no answer in time. Throws the signal's reason when it aborts, at once. */
  async at(folder: string, signal: AbortSignal): Promise<FolderLook> {
    signal.throwIfAborted();
    const asked = this.#asked.get(folder) ?? this.#ask(folder);
    if (!asked) return away;
    const { promise: late, resolve, reject } = Promise.withResolvers<FolderLook>();
    const timer = setTimeout(() => resolve(away), patienceMs);
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  #ask(folder: string): Promise<FolderLook> | undefined {
    if (this.#asked.size >= maxHanging) return undefined;
    const asked = this.#look(folder)
      .catch(() => away)
      .finally(() => this.#asked.delete(folder));
    this.#asked.set(folder, asked);
    // Whoever quits has to know of a look that hangs.
    giveUp(asked);
    return asked;
  }
}
