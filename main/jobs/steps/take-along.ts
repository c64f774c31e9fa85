import type { SourceFile } from '../../files/model.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import type { TakenAlong } from '../../inspect/changes/chosen-changes.ts';
import type { JobCollaborators } from './job-collaborators.ts';

/**
 * What a person takes along from beside what was dropped: never by way of a link, nothing that is there
 * already.
 */
export class FilesAlong {
  readonly #wanted: readonly TakenAlong[];
  /** Keys of those that are not there yet. */
  readonly #missing: Set<string>;

  constructor(wanted: readonly TakenAlong[]) {
    this.#wanted = wanted;
    this.#missing = new Set(
      wanted.flatMap(({ folder, paths }) => paths.map((path) => toKey(pathBelow(folder, path) ?? ''))),
    );
  }

  /** These are there. */
  pass(files: readonly SourceFile[]): void {
    if (this.#missing.size > 0) for (const { key } of files) this.#missing.delete(key);
  }

  /**
   * Gives to `send` what is not there, and how many these are.
   *
   * @throws as `scanInPages` of the room of sources
   */
  async scan(
    scanInPages: JobCollaborators['scanInPages'],
    send: (files: readonly SourceFile[]) => void,
    signal: AbortSignal,
  ): Promise<number> {
    let count = 0;
    for (const { folder, paths } of this.#wanted) {
      const exactly = { keysFrom: folder, gitignore: [], fingerprint: null };
      await scanInPages(
        { paths, exactly },
        (files) => {
          const own = files.filter(({ key }) => this.#missing.delete(key));
          count += own.length;
          send(own);
        },
        signal,
      );
    }
    return count;
  }
}
