import { posix } from 'node:path';
import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { placesWhere } from '../../files/places.ts';
import { mayBeVolume } from '../completeness/archive-ends.ts';
import { splitArchivesIn } from '../completeness/split-archives.ts';
import { extensionOf, type InspectionPlan, isSampled } from './choose.ts';
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
  const task = withVolumes(fileTask, volumes.get(index) ?? [], files);
  return deep.has(index) ? { ...task, deep: true } : task;
}

/** Builds the tasks for a few of the files. */
export function tasksFor(chosen: readonly SourceFile[], files: SourceFiles): readonly HeaderTask[] {
  const sidecars = new Map(
    findSidecars(chosen, files).map((file) => [file.key.toLowerCase(), fileToInspect(file)]),
  );
  const isVolume = ({ key }: Pick<SourceFile, 'key'>) => mayBeVolume(key);
  const volumeIndexes = chosen.some(isVolume) ? placesWhere(files, isVolume) : [];
  const volumes = new Map(
    Array.from(splitArchivesIn(files, volumeIndexes), ([firstIndex, indexes]) => [
      files.at(firstIndex)?.key,
      indexes,
    ]),
  );
  return chosen.map((file) => {
    const task = createHeaderTask(fileToInspect(file), (key) => sidecars.get(key));
    return {
      ...withVolumes(task, volumes.get(file.key) ?? [], files),
      ...(isSampled(extensionOf(file.key)) && { deep: true as const }),
    };
  });
}

/** An archive whose members are inspected like files. */
export const isInspectedArchive = (key: string): boolean => /[^/]\.(?:zip|kmz|3tz)$/i.test(key);

export function fileToInspect({ key, path, size, mtimeMs, identity }: SourceFile): FileToInspect {
  return { key, path, version: versionOf(size, mtimeMs, identity?.ctimeMs) };
}

function versionOf(size = Number.NaN, mtimeMs = Number.NaN, ctimeMs = Number.NaN): string | null {
  return Number.isNaN(size + mtimeMs + ctimeMs) ? null : `${size} ${mtimeMs} ${ctimeMs}`;
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

/** Returns the files that may hold the system or position of a chosen one. */
export function findSidecars(
  chosen: readonly SourceFile[],
  files: SourceFiles | readonly SourceFile[],
): readonly SourceFile[] {
  const sidecarNames = sidecarNamesOf(chosen);
  const sidecarFiles: SourceFile[] = [];
  for (const file of sidecarNames.size > 0 ? files : [])
    if (sidecarNames.has(file.key.toLowerCase())) sidecarFiles.push(file);
  return sidecarFiles;
}

function sidecarNamesOf(chosen: readonly SourceFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { key } of chosen) {
    const lowerCaseKey = key.toLowerCase();
    for (const { name } of sidecarsWithSystem(lowerCaseKey)) names.add(name);
    const hint = hintKeyOf(lowerCaseKey);
    if (hint !== null) names.add(hint);
  }
  return names;
}
