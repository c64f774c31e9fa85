import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { readFlags } from '../../files/file-identity.ts';
import { cloudOf, isOnlyInCloud } from '../../files/left-out/cloud-files.ts';
import { isSparse } from '../../files/sparse-file.ts';
import { blockSize } from '../../files/walk/read-folder.ts';
import { maxBytes } from '../formats/base/file-bytes.ts';
import { type FileSays, type Head, readFile } from '../formats/read-file.ts';
import {
  type Corners,
  canBeTold,
  type NamedSystem,
  systemOfWkt,
} from '../formats/systems/coordinate-system.ts';
import { extensionOf } from './choose.ts';
import { unpackLaz } from './laz-perf.ts';
import {
  isImagine,
  isWorthReading,
  maxNames,
  namesAtAGlance,
  namesIn,
  stretchesForNames,
} from './named-files.ts';
import { cornersInSidecar, systemInSidecar } from './sidecar-names.ts';

type SidecarKind = Parameters<typeof systemInSidecar>[0];

/** What a look thread is asked: it reads files of others, and only it. */
export type LookTask =
  | HeadTask
  | { readonly kind: 'names'; readonly path: string; readonly size: number }
  | { readonly kind: 'beginning'; readonly path: string; readonly length: number };

export interface HeadTask {
  readonly kind: 'head';
  readonly key: string;
  readonly path: string;
  /** Files beside it that may name its coordinate system, or tell where it lies. */
  readonly sidecars: readonly { readonly path: string; readonly kind: SidecarKind }[];
  /** A file beside it that nobody reads there, and which may say what the file itself does not. */
  readonly hint?: string;
  /** Some of the data itself is looked at too. */
  readonly deep?: true;
  /** What tells that neither it nor those beside it have changed; absent where nothing does. */
  readonly version?: string;
}

export interface LookAnswers {
  /** As the fields of `Look`. */
  readonly head: FileSays & {
    readonly systemBeside: string | null;
    readonly besideSays?: NamedSystem;
    readonly hint?: string;
    readonly hintWkt?: string;
    readonly onlyInCloud?: boolean;
    readonly unread?: boolean;
    readonly sparse?: boolean;
    readonly names?: readonly string[];
  };
  /** Null where the file can't be read. */
  readonly names: readonly string[] | null;
  /** Likewise. */
  readonly beginning: Uint8Array | null;
}

/**
 * How files are opened. Synchronous: a thread has nothing else to do, and the few that libuv has are not for
 * drives that may not answer.
 */
export interface OpenFiles {
  open(path: string): number;
  read(file: number, into: Buffer, at: number): number;
  close(file: number): void;
  /** Without opening it; null where there is none. Both in bytes. */
  stat(path: string): { readonly size: number; readonly allocated: number } | null;
}

export const realFiles: OpenFiles = {
  open: (path) => openSync(path, readFlags),
  read: (file, into, at) => readSync(file, into, 0, into.length, at),
  close: closeSync,
  stat: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats ? { size: stats.size, allocated: stats.blocks * blockSize } : null;
  },
};

/** Bytes of one file. */
export const maxOfFile = maxBytes;
/** Of a sidecar. */
export const maxOfSidecar = 48 * 1024;

/** Does one task. What can't be read or understood says nothing. */
export function doLookTask(
  task: LookTask,
  files: OpenFiles = realFiles,
): Promise<LookAnswers[LookTask['kind']]> {
  if (task.kind === 'beginning') return withFile(files, task.path, (read) => read(0, task.length));
  return task.kind === 'head' ? readHeadOf(task, files) : readNames(task, files);
}

/** Reads the head of a file and what stands beside it. */
export async function readHeadOf(
  { key, path, sidecars, hint, deep }: HeadTask,
  files: OpenFiles = realFiles,
): Promise<LookAnswers['head']> {
  if (isAway(path, files)) return { head: null, systemBeside: null, verdict: null, onlyInCloud: true };
  const ending = `.${extensionOf(key)}`;
  const says = await withFile(files, path, async (read, size, allocated) => {
    const said = await readFile({
      ending,
      size,
      read,
      beside: async (wanted) => (wanted === '.hdr' ? readHeader(sidecars, files) : null),
      budget: maxOfFile,
      deep: deep === true,
      unpackLaz,
    });
    const names = await namesAtAGlance(key, size, read);
    return { ...said, ...(isSparse(size, allocated) && { sparse: true }), names };
  });
  const { names, ...fileSays } = says ?? { head: null, verdict: null, names: [] };
  const { head } = fileSays;
  const unplaced = head && 'size' in head ? (head.size ?? null) : null;
  let beside: NamedSystem | null = null;
  let corners: Corners | null = null;
  for (const { path, kind } of sidecars) {
    if (kind === 'hdr') continue;
    const isDone = kind === 'world' ? !unplaced || corners !== null : beside !== null;
    if (isDone || isAway(path, files)) continue;
    await withFile(files, path, async (read) => {
      const text = (await read(0, maxOfSidecar)).toString('utf8');
      beside ??= systemInSidecar(kind, text);
      if (unplaced) corners ??= cornersInSidecar(kind, text, unplaced);
    });
  }
  const namesNone = beside === null && head && !('system' in head && head.system !== null);
  const hinted =
    namesNone && hint !== undefined && !isAway(hint, files)
      ? await withFile(files, hint, async (read) => {
          const text = (await read(0, maxOfSidecar)).toString('utf8');
          const { system } = systemOfWkt(text);
          return system === null ? null : { hint: system, ...(canBeTold(text) && { hintWkt: text.trim() }) };
        })
      : null;
  return {
    ...hinted,
    ...fileSays,
    head: head && corners ? ({ ...head, corners } as Head) : head,
    systemBeside: beside === null ? null : (beside as NamedSystem).system,
    ...(beside === null ? {} : { besideSays: beside }),
    ...(!says && { unread: true }),
    ...(names.length > 0 && { names }),
  };
}

/** The beginning of the header beside a raster; null without one. */
async function readHeader(sidecars: HeadTask['sidecars'], files: OpenFiles): Promise<Buffer | null> {
  const header = sidecars.find(({ kind }) => kind === 'hdr');
  if (!header || isAway(header.path, files)) return null;
  return withFile(files, header.path, (read) => read(0, maxOfSidecar));
}

async function readNames(
  { path, size }: LookTask & { kind: 'names' },
  files: OpenFiles,
): Promise<LookAnswers['names']> {
  if (isImagine(path)) return withFile(files, path, (read) => namesAtAGlance(path, size, read));
  const stretches = stretchesForNames(path, size);
  if (stretches === null) return null;
  return withFile(files, path, async (read) => {
    const names = new Set<string>();
    for (const { at, length } of stretches) {
      const bytes = await read(at, length);
      if (at === 0 && !isWorthReading(path, bytes)) return [];
      for (const name of namesIn(path, size, bytes, at === 0)) names.add(name);
      if (names.size >= maxNames) break;
    }
    return [...names].slice(0, maxNames);
  });
}

let lastFolder = { path: '', isOfCloud: false };

/** Reading a file that only a cloud service has would fetch it. Elsewhere nothing is asked of the disk. */
function isAway(path: string, files: OpenFiles): boolean {
  const folder = dirname(path);
  if (lastFolder.path !== folder) lastFolder = { path: folder, isOfCloud: cloudOf(folder) !== null };
  if (!lastFolder.isOfCloud) return false;
  const stats = files.stat(path);
  return stats !== null && isOnlyInCloud(path, stats.size, stats.allocated);
}

type Read = (at: number, length: number) => Promise<Buffer>;

/** Null where it can't be read. */
async function withFile<Value>(
  files: OpenFiles,
  path: string,
  use: (read: Read, size: number, allocated: number) => Promise<Value>,
): Promise<Value | null> {
  let file: number | null = null;
  try {
    file = files.open(path);
    const opened = file;
    const read: Read = async (at, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, files.read(opened, bytes, at));
    };
    const { size, blocks } = fstatSync(opened);
    return await use(read, size, blocks * blockSize);
  } catch {
    return null;
  } finally {
    if (file !== null) files.close(file);
  }
}
