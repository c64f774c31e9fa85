import { posix } from 'node:path';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import type { InspectionPlan } from './choose.ts';
import type { HeaderTask } from './read-header.ts';
import { hintKeyOf, sidecarsWithSystem } from './sidecar-names.ts';

interface FileToInspect {
  readonly key: string;
  readonly path: string;
  /** Null if changes can't be detected. */
  readonly version: string | null;
}

/** Builds the task for the file at an index of the source. */
export function taskAt(
  files: SourceFiles,
  index: number,
  { sidecars, deep, volumes }: Pick<InspectionPlan, 'sidecars' | 'deep' | 'volumes'>,
): HeaderTask {
  const fileAtIndex = (fileIndex: number | undefined) => {
    const file = fileIndex === undefined ? undefined : files.at(fileIndex);
    return file && fileToInspect(file);
  };
  const inspectedFile = fileAtIndex(index) ?? { key: '', path: '', version: null };
  const fileTask = createHeaderTask(inspectedFile, (key) => fileAtIndex(sidecars.get(key)));
  const task: HeaderTask = {
    ...withVolumes(withMembers(fileTask, maxMembers), volumes.get(index) ?? [], files),
    besides: true,
  };
  if (!deep.has(index)) return task;
  // A cached result without samples isn't enough.
  const { version } = task;
  return { ...task, deep: true, ...(version === undefined ? {} : { version: `${version} deep` }) };
}

export function fileToInspect({ key, path, size, mtimeMs, identity }: SourceFile): FileToInspect {
  return { key, path, version: versionOf(size, mtimeMs, identity?.ctimeMs) };
}

function versionOf(size = Number.NaN, mtimeMs = Number.NaN, ctimeMs = Number.NaN): string | null {
  return Number.isNaN(size + mtimeMs + ctimeMs) ? null : `${size} ${mtimeMs} ${ctimeMs}`;
}

/** Members read per archive: to guess its kind, and for a full inspection. */
export const [guessMembers, maxMembers] = [8, 1_000];

/** For an archive, extends the task to its members. */
export function withMembers(task: HeaderTask, members: number): HeaderTask {
  if (!/[^/]\.(?:zip|kmz|3tz)$/i.test(task.key)) return task;
  const { version } = task;
  const deep = members === maxMembers ? { deep: true as const } : {};
  return { ...task, members, ...deep, ...(version !== undefined && { version: `${version} ${members}` }) };
}

function withVolumes(task: HeaderTask, indexes: readonly number[], files: SourceFiles): HeaderTask {
  if (indexes.length === 0) return task;
  const volumeFiles = indexes.flatMap((index) => files.at(index) ?? []);
  const volumes = volumeFiles.map(({ key, path, size }) => ({ name: posix.basename(key), path, size }));
  const versions = [task.version ?? null, ...volumeFiles.map((file) => fileToInspect(file).version)];
  const { version: _, ...unversioned } = task;
  return { ...unversioned, volumes, ...(versions.includes(null) ? {} : { version: versions.join() }) };
}

/** `findSidecar`: finds a file by lower-case key, since some programs write `a.PRJ` next to `A.asc`. */
export function createHeaderTask(
  { key, path, version }: FileToInspect,
  findSidecar: (key: string) => FileToInspect | undefined,
): HeaderTask {
  const foundSidecars = sidecarsWithSystem(key.toLowerCase()).flatMap(({ name, kind }) => {
    const file = findSidecar(name);
    return file ? [{ file, kind }] : [];
  });
  const hintKey = hintKeyOf(key.toLowerCase());
  const hint = hintKey === null ? undefined : findSidecar(hintKey);
  const versions = [
    version,
    ...foundSidecars.map(({ file }) => file.version),
    ...(hint ? [hint.version] : []),
  ];
  return {
    ...{ kind: 'head', key, path },
    sidecars: foundSidecars.map(({ file, kind }) => ({ path: file.path, kind })),
    ...(hint ? { hint: hint.path } : {}),
    ...(versions.includes(null) ? {} : { version: versions.join() }),
  };
}
