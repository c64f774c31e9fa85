import type { FindingId } from '../../../shared/findings.ts';
import type { SomeFiles, SourceChanges } from '../../../shared/source-changes.ts';
import type { SourceFile } from '../model.ts';

/** What a person decided about the files of a source, file by file: paths, absolute. */
export interface ChosenChanges {
  readonly leftOut: readonly string[];
  /** Of two that name the same file, the last counts. */
  readonly assigned: readonly { readonly epsg: number; readonly files: readonly string[] }[];
}

/**
 * Whose files are meant, told by where they are: several assets may be made of one drop, and a file’s key is
 * another one in each. Files that are not among the given are left to themselves.
 *
 * @param files those that the person saw, by the keys under which they did
 * @param showing keys of the files that show a finding
 */
export async function chooseFiles(
  { leftOut, assigned }: SourceChanges,
  files: readonly SourceFile[],
  showing: (finding: FindingId) => Promise<readonly string[]>,
): Promise<ChosenChanges> {
  const paths = new Map(files.map(({ key, path }) => [key, path]));
  const pathsOf = async (some: SomeFiles) => {
    const keys = 'keys' in some ? some.keys : await showing(some.finding);
    return keys.flatMap((key) => paths.get(key) ?? []);
  };
  return {
    leftOut: [...new Set((await Promise.all(leftOut.map(pathsOf))).flat())],
    assigned: await Promise.all(
      assigned.map(async ({ epsg, files: some }) => ({ epsg, files: await pathsOf(some) })),
    ),
  };
}
