import type { FileHandle } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { say } from '../../../strings/say.ts';
import type { SourceFile } from '../../upload/model.ts';
import { openInside } from '../folder/open-inside.ts';
import { fileEnd } from './file-end.ts';
import type { SurveyedSource } from './found-source.ts';

/** Why a source that nothing moves in may still be unfinished. */
export interface Doubt {
  /** In words, naming the file. */
  readonly reason: string;
  /** `wait-for-change`: it can’t be right as it is. `wait-longer`: it may be right, though it looks like what is not filled yet. */
  readonly kind: 'wait-for-change' | 'wait-longer';
}

/** Bytes read at each end. */
const glimpse = 4_096;
/** Files that are looked at: so many of the largest, so many of the newest. */
const mostOfEach = 100;
/** Less than this share of a file on the disk is a hole rather than compression. */
const leastAllocated = 0.05;
/** A smaller hole says nothing: file systems keep small files elsewhere. */
const smallestSparse = 1024 * 1024;
/** Anybody makes a file of terabytes that takes no room at all, and sending its zeros would keep everything else waiting: from here on a person is asked. */
const largestSparse = 16 * 1024 ** 3;

/**
 * Looks into the files of a source that seems settled: some programs and file servers give a file its full size first and fill it later, and an archive
 * that lacks its end was cut off. Reads some KB of 200 files at most, and nothing outside the watched folder. Null when nothing speaks against it.
 */
export async function lookInside(folder: string, source: SurveyedSource): Promise<Doubt | null> {
  const [missing] = source.missing;
  if (missing !== undefined) {
    const more = source.missing.length - 1;
    const reason =
      more > 0
        ? say('sources.doubt.missingMore', { file: missing, more })
        : say('sources.doubt.missing', { file: missing });
    return { kind: 'wait-for-change', reason };
  }
  const allocated = new Map(source.files.map((file, index) => [file, source.allocated[index]]));
  let longer: Doubt | null = null;
  for (const file of worthALook(source.files)) {
    const doubt = await lookIntoFile(folder, file, allocated.get(file) ?? Number.NaN);
    if (doubt?.kind === 'wait-for-change') return doubt;
    longer ??= doubt;
  }
  return longer;
}

function worthALook(files: readonly SourceFile[]): ReadonlySet<SourceFile> {
  const large = files.filter(({ size }) => size >= glimpse);
  if (large.length <= 2 * mostOfEach) return new Set(large);
  const largest = large.toSorted((a, b) => b.size - a.size).slice(0, mostOfEach);
  const newest = large.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, mostOfEach);
  return new Set([...largest, ...newest]);
}

/** `allocated`: bytes on the disk, NaN where unknown. */
async function lookIntoFile(
  folder: string,
  { path, size }: SourceFile,
  allocated: number,
): Promise<Doubt | null> {
  const file = basename(path);
  let handle: FileHandle;
  try {
    handle = await openInside(folder, path);
  } catch {
    return { kind: 'wait-longer', reason: say('sources.doubt.closed', { file }) };
  }
  try {
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    const isHardlyThere = size >= smallestSparse && allocated < size * leastAllocated;
    if (isHardlyThere && size >= largestSparse)
      return { kind: 'wait-for-change', reason: say('sources.doubt.hardlyThere', { file }) };
    const head = await read(0, glimpse);
    const tail = await read(Math.max(0, size - glimpse), glimpse);
    const wrong = await fileEnd({ extension: extname(path).toLowerCase(), size, head, tail, read });
    if (wrong !== null) return { kind: 'wait-for-change', reason: say(`sources.doubt.${wrong}`, { file }) };
    if (isEmpty(tail)) return { kind: 'wait-longer', reason: say('sources.doubt.zerosAtEnd', { file }) };
    if (isEmpty(head)) return { kind: 'wait-longer', reason: say('sources.doubt.zerosAtBegin', { file }) };
    return isHardlyThere ? { kind: 'wait-longer', reason: say('sources.doubt.hardlyThere', { file }) } : null;
  } catch {
    return { kind: 'wait-longer', reason: say('sources.doubt.held', { file }) };
  } finally {
    await handle.close();
  }
}

const isEmpty = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);
