import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { within } from '../../../hanging-work.ts';

type Presence =
  | { readonly kind: 'there' }
  | { readonly kind: 'replaced' }
  /** `marker`: the file that distinguishes the drive from an empty mount point is missing. */
  | { readonly kind: 'away'; readonly lacks: 'folder' | 'marker' };

const gone = { kind: 'away', lacks: 'folder' } as const;

/**
 * An empty folder on another device is the mount point of an unmounted drive. It counts as away, because
 * writing there would use the wrong disk.
 */
export class FolderPresence {
  readonly #folder: string;
  readonly #marker: string | null;
  #identity: { readonly dev: number; readonly ino: number } | null = null;
  /** A dead file server blocks for minutes, so only one request runs at a time. */
  #pendingCheck: Promise<Presence> | null = null;

  /** `marker`: the name of a required file, or null. */
  constructor(folder: string, marker: string | null) {
    this.#folder = folder;
    this.#marker = marker;
  }

  /** Away without an answer within `patienceMs`. */
  async check(patienceMs: number): Promise<Presence> {
    this.#pendingCheck ??= this.#readPresence().finally(() => {
      this.#pendingCheck = null;
    });
    return (await within(this.#pendingCheck, patienceMs)) ?? gone;
  }

  async #readPresence(): Promise<Presence> {
    try {
      const stats = await stat(this.#folder);
      const { dev, ino } = stats;
      if (!stats.isDirectory()) return gone;
      if (!(await this.#isMarked())) return { kind: 'away', lacks: 'marker' };
      const previous = this.#identity;
      if (previous && previous.dev !== dev && (await readdir(this.#folder)).length === 0) return gone;
      this.#identity = { dev, ino };
      return previous && (previous.dev !== dev || previous.ino !== ino)
        ? { kind: 'replaced' }
        : { kind: 'there' };
    } catch {
      return gone;
    }
  }

  async #isMarked(): Promise<boolean> {
    if (this.#marker === null) return true;
    return lstat(join(this.#folder, this.#marker)).then(
      () => true,
      () => false,
    );
  }
}
