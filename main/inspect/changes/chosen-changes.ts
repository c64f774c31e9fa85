import type { FindingId } from '../../../shared/findings.ts';
import type { SomeFiles, SourceChanges } from '../../../shared/source-changes.ts';
import { TileliftError } from '../../errors.ts';
import type { SourceFile, SourceFiles } from '../../files/model.ts';

/** The user's decisions per file, by absolute path. */
export interface ChosenChanges {
  /** The only files of the asset, all of which must exist; absent for all. */
  readonly only?: readonly string[];
  readonly leftOut: readonly string[];
  /** The last assignment of a file counts. */
  readonly assigned: readonly { readonly epsg: number; readonly files: readonly string[] }[];
  /** Systems without a code, as WKT; absent for none. */
  readonly worded?: readonly { readonly wkt: string; readonly files: readonly string[] }[];
  /** Neighbours of dropped files; absent for none. */
  readonly takenAlong?: readonly TakenAlong[];
}

/** Files in or below one folder that are uploaded with a dropped one. */
export interface TakenAlong {
  /** The base of their keys, absolute. */
  readonly folder: string;
  readonly paths: readonly string[];
}

/**
 * Resolves decisions to paths, because keys differ between the assets of one drop. Ignores other files.
 *
 * @param files with the keys that the user saw
 * @param showing returns the keys of files with a finding
 */
export function chooseFiles(
  { leftOut, assigned, worded = [] }: SourceChanges,
  files: SourceFiles,
  showing: (finding: FindingId) => readonly string[],
): ChosenChanges {
  const keysOf = (selection: SomeFiles) =>
    'keys' in selection ? selection.keys : showing(selection.finding);
  const selections = [...leftOut, ...[...assigned, ...worded].map((change) => change.files)];
  const selectedKeys = new Set(selections.flatMap(keysOf));
  const pathByKey = new Map<string, string>();
  for (const file of files) if (selectedKeys.has(file.key)) pathByKey.set(file.key, file.path);
  const pathsOf = (...selections: readonly SomeFiles[]): readonly string[] => [
    ...new Set(selections.flatMap(keysOf).flatMap((key) => pathByKey.get(key) ?? [])),
  ];
  const words = worded.map(({ wkt, files: selection }) => ({ wkt, files: pathsOf(selection) }));
  return {
    leftOut: pathsOf(...leftOut),
    assigned: assigned.map(({ epsg, files: selection }) => ({ epsg, files: pathsOf(selection) })),
    ...(words.length > 0 && { worded: words }),
  };
}

/** Picks the asset's files during a scan. */
export class WantedFiles {
  readonly #missing: Set<string>;

  constructor(only: readonly string[]) {
    this.#missing = new Set(only);
  }

  take(files: readonly SourceFile[]): readonly SourceFile[] {
    return files.filter(({ path }) => this.#missing.delete(path));
  }

  /** Call after the last `take`. Throws `source-missing` with a missing file. */
  end(): void {
    const [subject] = this.#missing;
    if (subject !== undefined) throw new TileliftError('source-missing', { subject });
  }
}
