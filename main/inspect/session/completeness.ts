import type { FindingGroup } from '../../../shared/findings.ts';
import type { SourceFile } from '../../files/model.ts';
import { placesWhere } from '../../files/places.ts';
import { mayBeVolume } from '../completeness/archive-ends.ts';
import { splitArchivesIn } from '../completeness/split-archives.ts';
import { createFindings } from '../findings/create-findings.ts';
import { zeroProbeLength } from '../formats/base/file-bytes.ts';
import { isDataExtension } from '../formats/read-file.ts';
import { extensionOf } from '../headers/choose.ts';
import { tasksFor } from '../headers/header-task.ts';
import { lookOf } from '../headers/look-inside.ts';
import type { HeaderAnswer, HeaderTask } from '../headers/read-header.ts';

/** The files that are most likely incomplete, and their findings. */
export interface Completeness {
  readonly files: readonly SourceFile[];
  /** Those of a full inspection, about these files only. */
  readonly findings: readonly FindingGroup[];
  /** Names of missing volumes of split archives. */
  readonly missingVolumes: readonly string[];
  /** Keys of files that can’t be opened or read. */
  readonly unread: readonly string[];
  /** Keys of files whose last 4 KiB are zeros; too common in complete files for a finding. */
  readonly zeroTails: readonly string[];
  /** Number of data files in the source. */
  readonly dataFiles: number;
}

/** The largest and newest files, the smallest with data, and the archives. */
const maxOfEach = 100;
const maxSmall = 50;

/** Whether the file may still be filled without a new time, as memory-mapped files are. */
export const mayBeUnfilled = ({ verdict, zeros, sparse }: HeaderAnswer): boolean =>
  verdict !== null || zeros !== undefined || sparse === true;

/** Reads the headers of at most 350 files, one after the other. */
export async function inspectCompleteness(
  files: readonly SourceFile[],
  read: (task: HeaderTask) => Promise<HeaderAnswer | null>,
): Promise<Completeness> {
  const data = files.filter(({ key }) => isDataExtension(`.${extensionOf(key)}`));
  const chosenFiles = chooseFiles(files, data);
  const findings = createFindings(chosenFiles, null);
  const missingVolumes: string[] = [];
  const unread: string[] = [];
  const zeroTails: string[] = [];
  for (const task of tasksFor(chosenFiles, files)) {
    const look = lookOf(task.key, await read(task));
    missingVolumes.push(...(look.missingVolumes ?? []));
    if (look.unread) unread.push(look.key);
    else findings.add(look);
    if (look.zeros === 'tail') zeroTails.push(look.key);
  }
  return {
    files: chosenFiles,
    findings: findings.finish(),
    missingVolumes,
    unread,
    zeroTails,
    dataFiles: data.length,
  };
}

function chooseFiles(files: readonly SourceFile[], data: readonly SourceFile[]): readonly SourceFile[] {
  const large = files.filter(({ size }) => size >= zeroProbeLength);
  const smallest = data
    .filter(({ size }) => size < zeroProbeLength)
    .toSorted((a, b) => a.size - b.size)
    .slice(0, maxSmall);
  const volumes = splitArchivesIn(
    files,
    placesWhere(files, ({ key }) => mayBeVolume(key)),
  );
  const archives = [...volumes.keys()].slice(0, maxOfEach).flatMap((index) => files[index] ?? []);
  if (large.length <= 2 * maxOfEach) return [...new Set([...large, ...smallest, ...archives])];
  const largest = large.toSorted((a, b) => b.size - a.size).slice(0, maxOfEach);
  const newest = large.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, maxOfEach);
  return [...new Set([...largest, ...newest, ...smallest, ...archives])];
}
