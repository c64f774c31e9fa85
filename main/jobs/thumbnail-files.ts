import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../atomic-file.ts';

/** Stored thumbnails of jobs, PNG. A lost one only costs another look at the source. */
export interface ThumbnailFiles {
  /** Null if there is none. */
  read(jobId: string): Promise<Buffer | null>;
  /** Replaces an earlier one. Throws file system errors. */
  write(jobId: string, png: Uint8Array): Promise<void>;
  remove(jobId: string): void;
}

/** Some 50 MB; older ones are deleted. */
const maxFiles = 1_000;

/** `folder` is created with the first file. */
export function createThumbnailFiles(folder: string): ThumbnailFiles {
  const pathOf = (jobId: string) => join(folder, `${jobId}.png`);
  return {
    read: (jobId) => readFile(pathOf(jobId)).catch(() => null),
    write: async (jobId, png) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFileAtomic(pathOf(jobId), png, { mode: 0o600 });
      const names = await readdir(folder);
      if (names.length > maxFiles) await removeOldest(folder, names);
    },
    remove: (jobId) => {
      rm(pathOf(jobId), { force: true }).catch(() => {});
    },
  };
}

async function removeOldest(folder: string, names: readonly string[]): Promise<void> {
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs = 0 } = (await stat(path).catch(() => null)) ?? {};
      return { path, mtimeMs };
    }),
  );
  files.sort((a, b) => a.mtimeMs - b.mtimeMs);
  for (const { path } of files.slice(0, names.length - maxFiles)) await rm(path, { force: true });
}
