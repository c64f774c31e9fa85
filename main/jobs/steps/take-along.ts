import type { SourceFile } from '../../files/model.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import type { TakenAlong } from '../../inspect/changes/chosen-changes.ts';
import type { JobCollaborators } from './job-collaborators.ts';

/** Adds chosen files from outside the dropped entries, except links and files already found. */
export class FilesAlong {
  readonly #selections: readonly TakenAlong[];
  /** Keys not found yet. */
  readonly #missing: Set<string>;

  constructor(selections: readonly TakenAlong[]) {
    this.#selections = selections;
    this.#missing = new Set(
      selections.flatMap(({ folder, paths }) => paths.map((path) => toKey(pathBelow(folder, path) ?? ''))),
    );
  }

  /** Marks these files as found. */
  pass(files: readonly SourceFile[]): void {
    if (this.#missing.size > 0) for (const { key } of files) this.#missing.delete(key);
  }

  /**
   * Passes missing files to `send` and returns their number.
   *
   * @throws like `scanInPages` of the sources module
   */
  async scan(
    scanInPages: JobCollaborators['scanInPages'],
    send: (files: readonly SourceFile[]) => void,
    signal: AbortSignal,
  ): Promise<number> {
    let count = 0;
    for (const { folder, paths } of this.#selections) {
      const exactly = { keysFrom: folder, gitignore: [], fingerprint: null };
      await scanInPages(
        { paths, exactly },
        (files) => {
          const missingFiles = files.filter(({ key }) => this.#missing.delete(key));
          count += missingFiles.length;
          send(missingFiles);
        },
        signal,
      );
    }
    return count;
  }
}
