import type { SourceFile } from '../../files/model.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import type { TakenAlong } from '../../inspect/changes/chosen-changes.ts';
import type { JobCollaborators } from './job-collaborators.ts';

/** Skips links and files already found. */
export class ExtraFiles {
  readonly #selections: readonly TakenAlong[];
  readonly #missingPaths: Set<string>;

  constructor(selections: readonly TakenAlong[]) {
    this.#selections = selections;
    this.#missingPaths = new Set(
      selections.flatMap(({ folder, paths }) => paths.map((path) => toKey(pathBelow(folder, path) ?? ''))),
    );
  }

  addFiles(files: readonly SourceFile[]): void {
    if (this.#missingPaths.size > 0) for (const { key } of files) this.#missingPaths.delete(key);
  }

  /**
   * Returns the number of files.
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
      const exactSource = { keysFrom: folder, gitignore: [], fingerprint: null };
      await scanInPages(
        { paths, exactly: exactSource },
        (files) => {
          const missingFiles = files.filter(({ key }) => this.#missingPaths.delete(key));
          count += missingFiles.length;
          send(missingFiles);
        },
        signal,
      );
    }
    return count;
  }
}
