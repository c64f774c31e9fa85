import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { within } from '../abandoned-work.ts';

/** `no-marker`: the file that distinguishes the drive from an empty mount point is missing. */
export type Presence = 'there' | 'replaced' | 'away' | 'no-marker';

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
    return (await within(this.#pendingCheck, patienceMs)) ?? 'away';
  }

  async #readPresence(): Promise<Presence> {
    try {
      const stats = await stat(this.#folder);
      const { dev, ino } = stats;
      if (!stats.isDirectory()) return 'away';
      if (this.#marker !== null && !(await lstat(join(this.#folder, this.#marker)).catch(() => null)))
        return 'no-marker';
      const previous = this.#identity;
      if (previous && previous.dev !== dev && (await readdir(this.#folder)).length === 0) return 'away';
      this.#identity = { dev, ino };
      return previous && (previous.dev !== dev || previous.ino !== ino) ? 'replaced' : 'there';
    } catch {
      return 'away';
    }
  }
}
