import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mebibyte, type Work } from './work.ts';

const batch = 64;
const perFolder = 1_000;
const treeContent = 'tile';

/** Writes a file whose blocks differ. It stays in the page cache, so the disk plays no role. */
export async function makeLarge(path: string, bytes: number): Promise<Work> {
  const block = randomBytes(mebibyte);
  const file = await open(path, 'w');
  try {
    for (let offset = 0; offset < bytes; offset += block.length) {
      block.writeUIntBE(offset, 0, 6);
      await file.write(block, 0, Math.min(block.length, bytes - offset), offset);
    }
  } finally {
    await file.close();
  }
  return { id: 'large', shape: 'file', path, files: 1, bytes };
}

/** Creates many files in one folder. */
export async function makeSmall(folder: string, files: number, bytesEach: number): Promise<Work> {
  await mkdir(folder);
  const content = randomBytes(bytesEach);
  await inBatches(files, async (index) => {
    const copy = Buffer.from(content);
    copy.writeUInt32BE(index, 0);
    await writeFile(join(folder, nameOf(index)), copy);
  });
  return { id: 'small', shape: 'folder', path: folder, files, bytes: files * bytesEach };
}

/** Reads all data: `rclone` removes files that it has sent from the page cache (`POSIX_FADV_DONTNEED`). */
export async function readIntoCache({ shape, path }: Work): Promise<void> {
  const names = shape === 'file' ? [''] : await readdir(path);
  const block = Buffer.allocUnsafe(mebibyte);
  for (const name of names) {
    const file = await open(join(path, name));
    while ((await file.read(block)).bytesRead > 0);
    await file.close();
  }
}

/** Creates small files in folders of a thousand, for scans only. */
export async function makeTree(folder: string, files: number): Promise<void> {
  for (let index = 0; index < files; index += perFolder)
    await mkdir(join(folder, nameOf(index)), { recursive: true });
  await inBatches(files, (index) =>
    writeFile(join(folder, nameOf(index - (index % perFolder)), nameOf(index)), treeContent),
  );
}

/** Total size of the tree's files. */
export const treeBytes = (files: number): number => files * treeContent.length;

/** Total length of the tree's file names. */
export const treeNameBytes = (files: number): number => files * nameOf(0).length;

/** Creates a sparse file of zeros. */
export async function makeSparse(path: string, bytes: number): Promise<Work> {
  await writeFile(path, '');
  await truncate(path, bytes);
  return { id: 'large', shape: 'file', path, files: 1, bytes };
}

async function inBatches(count: number, makeFile: (index: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < count; start += batch) {
    const size = Math.min(batch, count - start);
    await Promise.all(Array.from({ length: size }, (_, offset) => makeFile(start + offset)));
  }
}

function nameOf(index: number): string {
  return `tile-${String(index).padStart(6, '0')}`;
}
