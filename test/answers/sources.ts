import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that storage must have: its ETag is an MD5 of its bytes or of its parts' MD5s. */
export interface SourceFile {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
}

/** A folder with a small file, and one with a file of several parts, the last one short. */
export interface Sources {
  readonly small: string;
  readonly smallFiles: readonly SourceFile[];
  readonly large: string;
  readonly largeFiles: readonly SourceFile[];
  remove(): Promise<void>;
}

/** The plan's minimum size of parts. */
const partSize = 8 * 2 ** 20;
const shortPart = 40_000;

export async function makeSources(partCount = 2): Promise<Sources> {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-answers-'));
  const [small, large] = [join(folder, 'small'), join(folder, 'large')];
  const smallBytes = randomBytes(700);
  const largeBytes = randomBytes((partCount - 1) * partSize + shortPart);
  for (const path of [small, large]) await mkdir(path);
  await writeFile(join(small, 'a.gml'), smallBytes);
  await writeFile(join(large, 'a.las'), largeBytes);
  const parts = Array.from({ length: partCount }, (_, index) =>
    md5(largeBytes.subarray(index * partSize, (index + 1) * partSize)),
  );
  return {
    small,
    smallFiles: [{ key: 'a.gml', size: smallBytes.length, etag: md5(smallBytes).toString('hex') }],
    large,
    largeFiles: [
      {
        key: 'a.las',
        size: largeBytes.length,
        etag: `${md5(Buffer.concat(parts)).toString('hex')}-${partCount}`,
      },
    ],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}
