import { closeSync, fstatSync, lstatSync, opendirSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readFlags } from '../../files/file-identity.ts';
import { cloudOf, isOnlyInCloud } from '../../files/left-out/cloud-files.ts';
import { openInside } from '../../files/open-inside.ts';
import { blockSize } from '../../files/walk/read-folder.ts';
import { missingVolumesOf } from '../completeness/archive-ends.ts';
import { nameOfDownload } from '../completeness/downloads.ts';
import type { Thumbnail } from '../thumbnails/thumbnail.ts';
import { readMembers } from './archive-members.ts';
import {
  isErdasImage,
  isWorthReading,
  maxNames,
  namesIn,
  referenceRanges,
  sampleReferences,
} from './file-references.ts';
import { isInspectedArchive } from './header-task.ts';
import { unpackLaz } from './laz-perf.ts';
import {
  type HeaderAnswer,
  type HeaderTask,
  type OpenedFile,
  readFileHeader,
  type WithFile,
} from './read-header.ts';

/** A task for the inspection thread, which alone opens user files. */
export type InspectionTask = (
  | HeaderTask
  | { readonly kind: 'names'; readonly path: string; readonly size: number }
  | { readonly kind: 'beginning'; readonly path: string; readonly length: number }
  | { readonly kind: 'thumbnail'; readonly path: string }
) & {
  /** A watched folder, outside of which no file is opened. */
  readonly folder?: string;
};

export interface InspectionAnswers {
  readonly head: HeaderAnswer;
  /** Null if unreadable, as `beginning`. */
  readonly names: readonly string[] | null;
  readonly beginning: Uint8Array | null;
  /** Null if it can't be drawn, or only by downloading the file. */
  readonly thumbnail: Thumbnail | null;
}

/** Synchronous, because hanging drives must not block libuv's few threads. */
export interface FileAccess {
  open(path: string): number;
  read(file: number, target: Buffer, offset: number): number;
  close(file: number): void;
  /** Sizes in bytes without opening the file; null if missing. */
  stat(path: string): { readonly size: number; readonly allocated: number } | null;
  /** Names in a folder; none if unreadable. */
  names(folder: string): Iterable<string>;
}

export const realFiles: FileAccess = {
  open: (path) => openSync(path, readFlags),
  read: (file, target, offset) => readSync(file, target, 0, target.length, offset),
  close: closeSync,
  stat: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats ? { size: stats.size, allocated: stats.blocks * blockSize } : null;
  },
  names: function* (folder) {
    try {
      const listing = opendirSync(folder, { bufferSize: 1_000 });
      try {
        for (let entry = listing.readSync(); entry; entry = listing.readSync()) yield entry.name;
      } finally {
        listing.closeSync();
      }
    } catch {
      // The folder may have gone.
    }
  },
};

/** Creates the object that answers calls in the thread of `createInspectionThread`. */
export const createInspectionHandler = (files: FileAccess = realFiles) => ({
  look: (task: InspectionTask) => performTask(task, files),
});

/** Performs a task. Unreadable files yield nothing. */
export function performTask(
  task: InspectionTask,
  allFiles: FileAccess = realFiles,
): Promise<InspectionAnswers[InspectionTask['kind']]> {
  const { folder } = task;
  const files =
    folder === undefined ? allFiles : { ...allFiles, open: (path: string) => openInside(folder, path) };
  if (task.kind === 'thumbnail') return readThumbnail(task.path, files);
  if (task.kind === 'beginning') return withFile(files, task.path, ({ read }) => read(0, task.length));
  return task.kind === 'head' ? readHeaderOf(task, files) : readNames(task, files);
}

async function readThumbnail(path: string, files: FileAccess): Promise<Thumbnail | null> {
  if (isCloudOnly(path, files)) return null;
  const { drawFile } = await import('../thumbnails/thumbnail.ts');
  return withFile(files, path, ({ size, read }) => drawFile(path, size, read, unpackLaz));
}

/** Reads a file's header, sidecars and, for archives, members and volumes. */
export async function readHeaderOf(
  task: HeaderTask,
  files: FileAccess = realFiles,
  currentTime: () => number = () => performance.now(),
): Promise<HeaderAnswer> {
  const isAway = (path: string) => !task.downloads && isCloudOnly(path, files);
  if (isAway(task.path)) return { head: null, sidecarSystemName: null, verdict: null, onlyInCloud: true };
  const withLocalFile: WithFile = async (path, useFile) =>
    isAway(path) ? null : withFile(files, path, useFile);
  const answer = await readHeaderAndMembers(task, withLocalFile, currentTime);
  const missingVolumes = await missingVolumesOf(task.volumes ?? [], ({ path }, useVolume) =>
    withLocalFile(path, ({ read }) => useVolume(read)),
  );
  return {
    ...answer,
    ...(task.volumes && answer.degree === undefined && { degree: 'end-only' as const }),
    ...(missingVolumes.length > 0 && { missingVolumes }),
    ...(isDownloading(task.path, files, currentTime()) && { downloading: true }),
  };
}

/** Control files of one folder, by the lower-case name of the download. */
let lastListing = { folder: '', time: 0, controls: new Map<string, string>() };
/** Files of a folder mostly follow each other, ms. */
const listingMs = 10_000;

/** Whether the file has a control file of a download next to it. */
function isDownloading(path: string, files: FileAccess, time: number): boolean {
  const folder = dirname(path);
  if (lastListing.folder !== folder || time - lastListing.time > listingMs) {
    const controls = new Map<string, string>();
    for (const name of files.names(folder)) {
      const download = nameOfDownload(name);
      if (download !== null) controls.set(download, name);
    }
    lastListing = { folder, time, controls };
  }
  const control = lastListing.controls.get(basename(path).toLowerCase());
  return control !== undefined && files.stat(join(folder, control)) !== null;
}

async function readHeaderAndMembers(
  task: HeaderTask,
  withLocalFile: WithFile,
  currentTime: () => number,
): Promise<HeaderAnswer> {
  if (!isInspectedArchive(task.key)) return readFileHeader(task, withLocalFile);
  const answer = await withLocalFile(task.path, async (archive) => {
    const withOpened: WithFile = (path, useFile) =>
      path === task.path ? useFile(archive) : withLocalFile(path, useFile);
    return withMembers(await readFileHeader(task, withOpened), archive, task, currentTime);
  });
  return answer ?? { head: null, sidecarSystemName: null, verdict: null, unread: true };
}

async function withMembers(
  answer: HeaderAnswer,
  archive: OpenedFile,
  { key, membersMs }: HeaderTask,
  currentTime: () => number,
): Promise<HeaderAnswer> {
  const { head, degree, ...otherFields } = answer;
  if (head?.kind !== 'zip' || answer.verdict !== null) return answer;
  const archiveMembers = await readMembers(archive, {
    key,
    currentTime,
    ...(membersMs !== undefined && { longestMs: membersMs }),
  });
  if (archiveMembers === null) return answer;
  const { members, isDamaged } = archiveMembers;
  const isCounted = members.heads.length + members.unread.count > 0 && !head.traits.includes('damaged');
  const traits = isDamaged ? [...new Set([...head.traits, 'damaged' as const])].sort() : head.traits;
  return {
    ...otherFields,
    head: { ...head, traits },
    members,
    // The members count instead of the archive.
    ...(!isCounted && degree !== undefined && { degree }),
  };
}

async function readNames(
  { path, size }: InspectionTask & { kind: 'names' },
  files: FileAccess,
): Promise<InspectionAnswers['names']> {
  if (isErdasImage(path)) return withFile(files, path, ({ read }) => sampleReferences(path, size, read));
  const ranges = referenceRanges(path, size);
  if (ranges === null) return null;
  return withFile(files, path, async ({ read }) => {
    const names = new Set<string>();
    for (const { offset, length } of ranges) {
      const bytes = await read(offset, length);
      if (offset === 0 && !isWorthReading(path, bytes)) return [];
      for (const name of namesIn(path, size, bytes, offset === 0)) names.add(name);
      if (names.size >= maxNames) break;
    }
    return [...names].slice(0, maxNames);
  });
}

let lastFolder = { path: '', isOfCloud: false };

/** Whether the file is cloud-only, so that reading would download it. Only stats files in cloud folders. */
function isCloudOnly(path: string, files: FileAccess): boolean {
  const folder = dirname(path);
  if (lastFolder.path !== folder) lastFolder = { path: folder, isOfCloud: cloudOf(folder) !== null };
  if (!lastFolder.isOfCloud) return false;
  const stats = files.stat(path);
  return stats !== null && isOnlyInCloud(path, stats.size, stats.allocated);
}

/** Null if it can't be read. */
async function withFile<Value>(
  files: FileAccess,
  path: string,
  useFile: (file: OpenedFile) => Promise<Value>,
): Promise<Value | null> {
  let file: number | null = null;
  try {
    file = files.open(path);
    const opened = file;
    const read: OpenedFile['read'] = async (offset, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, files.read(opened, bytes, offset));
    };
    const { size, blocks } = fstatSync(opened);
    return await useFile({ size, read, allocated: blocks * blockSize });
  } catch {
    return null;
  } finally {
    if (file !== null) files.close(file);
  }
}
