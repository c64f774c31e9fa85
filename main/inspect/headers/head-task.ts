import type { SourceFile, SourceFiles } from '../../files/model.ts';
import type { LookPlan } from './choose.ts';
import type { HeadTask } from './read-head.ts';
import { hintBeside, sidecarsWithSystem } from './sidecar-names.ts';

interface FileToLookAt {
  readonly key: string;
  readonly path: string;
  /** Null if changes can't be detected. */
  readonly version: string | null;
}

/** Builds the task for the file at an index of the source. */
export function taskAt(
  files: SourceFiles,
  place: number,
  { sidecars, deep }: Pick<LookPlan, 'sidecars' | 'deep'>,
): HeadTask {
  const toLookAt = (at: number | undefined) => {
    const file = at === undefined ? undefined : files.at(at);
    return file && fileToLookAt(file);
  };
  const own = toLookAt(place) ?? { key: '', path: '', version: null };
  const task = withMembers(
    headTask(own, (key) => toLookAt(sidecars.get(key))),
    maxMembers,
  );
  if (!deep.has(place)) return task;
  // A cached result without samples isn't enough.
  const { version } = task;
  return { ...task, deep: true, ...(version === undefined ? {} : { version: `${version} deep` }) };
}

export function fileToLookAt({ key, path, size, mtimeMs, identity }: SourceFile): FileToLookAt {
  return { key, path, version: versionOf(size, mtimeMs, identity?.ctimeMs) };
}

function versionOf(size = Number.NaN, mtimeMs = Number.NaN, ctimeMs = Number.NaN): string | null {
  return Number.isNaN(size + mtimeMs + ctimeMs) ? null : `${size} ${mtimeMs} ${ctimeMs}`;
}

/** Members read per archive: to guess its kind, and for a full inspection. */
export const [fewMembers, maxMembers] = [8, 1_000];

/** For an archive, extends the task to its members. */
export function withMembers(task: HeadTask, members: number): HeadTask {
  if (!/[^/]\.(?:zip|kmz|3tz)$/i.test(task.key)) return task;
  const { version } = task;
  const deep = members === maxMembers ? { deep: true as const } : {};
  return { ...task, members, ...deep, ...(version !== undefined && { version: `${version} ${members}` }) };
}

/** `besideOf`: finds a file by lower-case key, since some programs write `a.PRJ` next to `A.asc`. */
export function headTask(
  { key, path, version }: FileToLookAt,
  besideOf: (key: string) => FileToLookAt | undefined,
): HeadTask {
  const beside = sidecarsWithSystem(key.toLowerCase()).flatMap(({ name, kind }) => {
    const file = besideOf(name);
    return file ? [{ file, kind }] : [];
  });
  const hintKey = hintBeside(key.toLowerCase());
  const hint = hintKey === null ? undefined : besideOf(hintKey);
  const versions = [version, ...beside.map(({ file }) => file.version), ...(hint ? [hint.version] : [])];
  return {
    ...{ kind: 'head', key, path },
    sidecars: beside.map(({ file, kind }) => ({ path: file.path, kind })),
    ...(hint ? { hint: hint.path } : {}),
    ...(versions.includes(null) ? {} : { version: versions.join() }),
  };
}
