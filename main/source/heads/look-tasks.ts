import { type FileHandle, open } from 'node:fs/promises';
import { readFlags } from '../file-identity.ts';
import { FilePieces, type Piece } from './file-pieces.ts';
import { type Head, readHead } from './head.ts';
import { isWorthReading, mostNames, namesIn, stretchesForNames } from './named-files.ts';

/** What a look thread is asked: it reads files of others, and only it. */
export type LookTask =
  | {
      readonly kind: 'head';
      readonly key: string;
      readonly path: string;
      /** Files beside it that name its coordinate system: by being there, or where they hold the mark. */
      readonly sidecars: readonly { readonly path: string; readonly mark: string | null }[];
    }
  | { readonly kind: 'names'; readonly path: string; readonly size: number };

export interface LookAnswers {
  /** As the fields of `Look`. */
  readonly head: { readonly head: Head | null; readonly systemBeside: boolean };
  /** Null where the file can't be read. */
  readonly names: readonly string[] | null;
}

const firstBytes = 48 * 1024;
const furtherBytes = 4 * 1024;
const mostFurther = 4;

/** Does one task. What can't be read or understood says nothing. */
export function doLookTask(task: LookTask): Promise<LookAnswers[LookTask['kind']]> {
  return task.kind === 'head' ? readHeadOf(task) : readNames(task);
}

async function readHeadOf(task: LookTask & { kind: 'head' }): Promise<LookAnswers['head']> {
  const head = await readPieces(task.path, (file) => readHead(task.key, file));
  let systemBeside = false;
  for (const { path, mark } of task.sidecars) {
    systemBeside ||=
      mark === null ||
      (await readPieces(path, (file) => file.takeUpTo(0, firstBytes).includes(mark))) === true;
  }
  return { head, systemBeside };
}

async function readNames({ path, size }: LookTask & { kind: 'names' }): Promise<LookAnswers['names']> {
  const stretches = stretchesForNames(path, size);
  if (stretches === null) return null;
  try {
    await using handle = await open(path, readFlags);
    const names = new Set<string>();
    for (const { at, length } of stretches) {
      const { bytes } = await readPiece(handle, at, length);
      if (at === 0 && !isWorthReading(path, bytes)) return [];
      for (const name of namesIn(path, size, bytes, at === 0)) names.add(name);
      if (names.size >= mostNames) break;
    }
    return [...names].slice(0, mostNames);
  } catch {
    return null;
  }
}

/** Reads the beginning, and what the reader asks for beyond it. */
async function readPieces<Value>(
  path: string,
  read: (file: FilePieces) => Value | null,
): Promise<Value | null> {
  try {
    await using handle = await open(path, readFlags);
    const { size } = await handle.stat();
    const pieces = [await readPiece(handle, 0, firstBytes)];
    for (let further = 0; ; further++) {
      const file = new FilePieces(size, pieces);
      const value = read(file);
      if (value !== null || file.wanted === null || further === mostFurther) return value;
      pieces.push(await readPiece(handle, file.wanted, furtherBytes));
    }
  } catch {
    return null;
  }
}

async function readPiece(handle: FileHandle, at: number, length: number): Promise<Piece> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, at);
  return { at, bytes: buffer.subarray(0, bytesRead) };
}
