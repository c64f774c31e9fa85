import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { within } from '../../hanging-work.ts';

/** Whether a watched folder is there, and still the one that it was. */
type Presence =
  | { readonly kind: 'there' }
  | { readonly kind: 'replaced' }
  /** `marker`: the folder is there, and the file that tells its drive from an empty mount point is not. */
  | { readonly kind: 'away'; readonly lacks: 'folder' | 'marker' };

const gone = { kind: 'away', lacks: 'folder' } as const;

/**
 * Keeps an eye on one folder. A mount point whose drive was unmounted is an empty folder of another device:
 * that counts as away, since whatever is done there would be done on the wrong disk.
 */
export class FolderPresence {
  readonly #folder: string;
  readonly #marker: string | null;
  #known: { readonly dev: number; readonly ino: number } | null = null;
  /** A dead file server answers nothing for minutes: it is asked once at a time. */
  #asked: Promise<Presence> | null = null;

  /** `marker`: the name of a file in it without which it counts as away; null for none. */
  constructor(folder: string, marker: string | null) {
    this.#folder = folder;
    this.#marker = marker;
  }

  /** Away when there is no answer within `patienceMs`. */
  async look(patienceMs: number): Promise<Presence> {
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = null;
    });
    return (await within(this.#asked, patienceMs)) ?? gone;
  }

  async #ask(): Promise<Presence> {
    try {
      const stats = await stat(this.#folder);
      const { dev, ino } = stats;
      if (!stats.isDirectory()) return gone;
      if (!(await this.#isMarked())) return { kind: 'away', lacks: 'marker' };
      const known = this.#known;
      if (known && known.dev !== dev && (await readdir(this.#folder)).length === 0) return gone;
      this.#known = { dev, ino };
      return known && (known.dev !== dev || known.ino !== ino) ? { kind: 'replaced' } : { kind: 'there' };
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
