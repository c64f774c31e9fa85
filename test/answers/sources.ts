import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file as it must lie on storage: its ETag is an MD5 of its bytes, or of the MD5s of its parts. */
export interface SourceFile {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
}

/** Two folders that all jobs send: one with a small file, one with a file of two parts, the second a short one. */
export interface Sources {
  readonly small: string;
  readonly smallFiles: readonly SourceFile[];
  readonly large: string;
  readonly largeFiles: readonly SourceFile[];
  remove(): Promise<void>;
}

/** The plan's smallest part. */
const partSize = 8 * 2 ** 20;
const shortPart = 40_000;

export async function makeSources(): Promise<Sources> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-answers-'));
  const [small, large] = [join(folder, 'small'), join(folder, 'large')];
  const smallBytes = randomBytes(700);
  const largeBytes = randomBytes(partSize + shortPart);
  for (const path of [small, large]) await mkdir(path);
  await writeFile(join(small, 'a.gml'), smallBytes);
  await writeFile(join(large, 'a.las'), largeBytes);
  const parts = [largeBytes.subarray(0, partSize), largeBytes.subarray(partSize)].map(md5);
  return {
    small,
    smallFiles: [{ key: 'a.gml', size: smallBytes.length, etag: md5(smallBytes).toString('hex') }],
    large,
    largeFiles: [
      { key: 'a.las', size: largeBytes.length, etag: `${md5(Buffer.concat(parts)).toString('hex')}-2` },
    ],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}
