import { readdir, stat } from 'node:fs/promises';

/** Whether a watched folder is there, and still the one that it was. */
export type Presence = { readonly kind: 'there' } | { readonly kind: 'replaced' } | { readonly kind: 'away' };

/**
 * Keeps an eye on one folder. A mount point whose drive was unmounted is an empty folder of another device: that counts as away, since whatever is
 * done there would be done on the wrong disk.
 */
export class FolderPresence {
  readonly #folder: string;
  #known: { readonly dev: number; readonly ino: number } | null = null;
  /** A dead file server answers nothing for minutes: it is asked once at a time. */
  #asked: Promise<Presence> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Away when there is no answer within `patienceMs`. */
  async look(patienceMs: number): Promise<Presence> {
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Presence>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'away' }), patienceMs);
    });
    try {
      return await Promise.race([this.#asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #ask(): Promise<Presence> {
    try {
      const stats = await stat(this.#folder);
      const { dev, ino } = stats;
      if (!stats.isDirectory()) return { kind: 'away' };
      const known = this.#known;
      if (known && known.dev !== dev && (await readdir(this.#folder)).length === 0) return { kind: 'away' };
      this.#known = { dev, ino };
      return known && (known.dev !== dev || known.ino !== ino) ? { kind: 'replaced' } : { kind: 'there' };
    } catch {
      return { kind: 'away' };
    }
  }
}
