import type { FindingId } from '../../../shared/findings.ts';
import type { SomeFiles, SourceChanges } from '../../../shared/source-changes.ts';
import { TileliftError } from '../../errors.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';

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
export function chooseFiles(
  { leftOut, assigned, worded = [] }: SourceChanges,
  files: SourceFiles,
  showing: (finding: FindingId) => readonly string[],
): ChosenChanges {
  const keysOf = (some: SomeFiles) => ('keys' in some ? some.keys : showing(some.finding));
  const all = [...leftOut, ...[...assigned, ...worded].map((one) => one.files)];
  const meant = new Set(all.flatMap(keysOf));
  const found = new Map<string, string>();
  for (const file of files) if (meant.has(file.key)) found.set(file.key, file.path);
  const pathsOf = (...of: readonly SomeFiles[]): readonly string[] => [
    ...new Set(of.flatMap(keysOf).flatMap((key) => found.get(key) ?? [])),
  ];
  const words = worded.map(({ wkt, files: some }) => ({ wkt, files: pathsOf(some) }));
  return {
    leftOut: pathsOf(...leftOut),
    assigned: assigned.map(({ epsg, files: some }) => ({ epsg, files: pathsOf(some) })),
    ...(words.length > 0 && { worded: words }),
  };
}

/** Those of a scan’s files that are the asset, as they are found. */
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
