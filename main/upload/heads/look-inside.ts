import { type FileHandle, open } from 'node:fs/promises';
import type { Clock } from '../../outside.ts';
import { readFlags } from '../file-identity.ts';
import type { SourceFile } from '../model.ts';
import { FilePieces, type Piece } from './file-pieces.ts';
import { chooseForHeads, type Head, readHead } from './head.ts';
import { sidecarsWithSystem } from './sidecar-names.ts';

/** What was seen in one file. */
export interface Look {
  readonly key: string;
  /** Null where it could not be read, or is not what its ending says. */
  readonly head: Head | null;
  /** A file beside it names its coordinate system. */
  readonly systemBeside: boolean;
}

/** Of all sources that are looked into together. */
const mostFiles = 20;
const longestMs = 500;
const firstBytes = 48 * 1024;
const furtherBytes = 4 * 1024;
const mostFurther = 4;

/**
 * Looks into the heads of a few files of each source: at most 20 files, 64 KiB of each, half a second in all. What can't be read in that time, or at all, is
 * left out: it serves a guess and a warning, and nothing waits for it.
 */
export async function lookInside(
  sources: readonly (readonly SourceFile[])[],
  clock: Clock,
): Promise<ReadonlyMap<string, Look>> {
  const looks = new Map<string, Look>();
  const each = Math.max(1, Math.floor(mostFiles / Math.max(1, sources.length)));
  const stop = new AbortController();
  const work = async () => {
    let left = mostFiles;
    for (const files of sources) {
      const chosen = chooseForHeads(files, Math.min(each, left));
      const pathOfSidecar = findSidecars(chosen, files);
      for (const { key, path } of chosen) {
        // One after the other: a drive that does not answer holds up one thread, not all.
        const look = await lookAt(key, path, pathOfSidecar);
        if (stop.signal.aborted) return;
        looks.set(key, look);
        left -= 1;
      }
      if (left === 0) return;
    }
  };
  await Promise.race([work(), clock.sleep(longestMs, stop.signal)]).finally(() => stop.abort());
  return looks;
}

/** Paths by keys in lower case: some programs write `a.PRJ` beside `A.asc`. */
function findSidecars(
  chosen: readonly SourceFile[],
  files: readonly SourceFile[],
): ReadonlyMap<string, string> {
  const wanted = new Set(
    chosen.flatMap(({ key }) => sidecarsWithSystem(key.toLowerCase()).map(({ name }) => name)),
  );
  const found = new Map<string, string>();
  for (const { key, path } of wanted.size > 0 ? files : []) {
    const low = key.toLowerCase();
    if (wanted.has(low)) found.set(low, path);
  }
  return found;
}

async function lookAt(key: string, path: string, pathOfSidecar: ReadonlyMap<string, string>): Promise<Look> {
  const head = await readPieces(path, (file) => readHead(key, file));
  let systemBeside = false;
  for (const { name, mark } of sidecarsWithSystem(key.toLowerCase())) {
    const sidecar = pathOfSidecar.get(name);
    if (sidecar === undefined) continue;
    systemBeside ||=
      mark === null ||
      (await readPieces(sidecar, (file) => file.takeUpTo(0, firstBytes).includes(mark))) === true;
  }
  return { key, head, systemBeside };
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
