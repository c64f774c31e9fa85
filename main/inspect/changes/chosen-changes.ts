import type { FindingId } from '../../../shared/findings.ts';
import type { SomeFiles, SourceChanges } from '../../../shared/source-changes.ts';
import { TileliftError } from '../../errors.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { inSlices } from '../../files/pages.ts';

/** What a person decided about the files of a source, file by file: paths, absolute. */
export interface ChosenChanges {
  /** These files of the source and no others are the asset; absent for all. None may be missing. */
  readonly only?: readonly string[];
  readonly leftOut: readonly string[];
  /** Of two that name the same file, the last counts. */
  readonly assigned: readonly { readonly epsg: number; readonly files: readonly string[] }[];
  /** Systems without a number, in well-known text; absent for none. */
  readonly worded?: readonly { readonly wkt: string; readonly files: readonly string[] }[];
  /** Files beside single dropped ones; absent for none. */
  readonly takenAlong?: readonly TakenAlong[];
}

/** Files of one folder, or below it, that are uploaded with one that was dropped. */
export interface TakenAlong {
  /** To which their keys are relative, absolute. */
  readonly folder: string;
  readonly paths: readonly string[];
}

/**
 * Whose files are meant, told by where they are: several assets may be made of one drop, and a file’s key is
 * another one in each. Files that are not among the given are left to themselves.
 *
 * @param files those that the person saw, by the keys under which they did
 * @param showing keys of the files that show a finding
 */
export async function chooseFiles(
  { leftOut, assigned, worded = [] }: SourceChanges,
  files: SourceFiles,
  showing: (finding: FindingId) => Promise<readonly string[]>,
): Promise<ChosenChanges> {
  /** By key: of a million files that were found a few are meant. */
  const meant = new Map<string, string | null>();
  const keysOf = new Map<SomeFiles, readonly string[]>();
  for (const some of [...leftOut, ...[...assigned, ...worded].map((one) => one.files)]) {
    const keys = 'keys' in some ? some.keys : await showing(some.finding);
    keysOf.set(some, keys);
    for await (const slice of inSlices(keys)) for (const key of slice) meant.set(key, null);
  }
  for await (const slice of inSlices(files))
    for (const file of slice) if (meant.has(file.key)) meant.set(file.key, file.path);
  const pathsOf = async (...all: readonly SomeFiles[]): Promise<readonly string[]> => {
    const paths = new Set<string>();
    for (const some of all) {
      for await (const slice of inSlices(keysOf.get(some) ?? [])) {
        for (const key of slice) {
          const path = meant.get(key);
          if (path != null) paths.add(path);
        }
      }
    }
    return [...paths];
  };
  const systems: ChosenChanges['assigned'][number][] = [];
  for (const { epsg, files: some } of assigned) systems.push({ epsg, files: await pathsOf(some) });
  const words: { readonly wkt: string; readonly files: readonly string[] }[] = [];
  for (const { wkt, files: some } of worded) words.push({ wkt, files: await pathsOf(some) });
  return {
    leftOut: await pathsOf(...leftOut),
    assigned: systems,
    ...(words.length > 0 && { worded: words }),
  };
}

/** Those of a scan’s files that are the asset, page by page as they are found. */
export class WantedFiles {
  readonly #missing: Set<string>;

  /** `only`: their paths. */
  constructor(only: readonly string[]) {
    this.#missing = new Set(only);
  }

  take(files: readonly SourceFile[]): readonly SourceFile[] {
    return files.filter(({ path }) => this.#missing.delete(path));
  }

  /** When all have been taken. Throws `source-missing` naming one that is gone. */
  end(): void {
    const [subject] = this.#missing;
    if (subject !== undefined) throw new TileliftError('source-missing', { subject });
  }
}
