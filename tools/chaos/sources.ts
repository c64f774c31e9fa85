import { createHash } from 'node:crypto';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Chance } from './random.ts';

interface ExpectedFile {
  /** Below the asset's prefix. */
  readonly key: string;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

export interface Source {
  readonly kind: 'one large file' | 'small files' | 'photogrammetry';
  readonly path: string;
  readonly files: readonly ExpectedFile[];
}

const mebibyte = 1024 * 1024;

/** Amount of data; trials use less than the full measure. */
export interface Measure {
  readonly largeBytes: number;
  readonly smallFiles: number;
  /** All files of a flight, or a few of each kind. */
  readonly mix: 'whole' | 'few';
}
export const fullMeasure: Measure = { largeBytes: 2048 * mebibyte, smallFiles: 5000, mix: 'whole' };

/** Creates the three sources below `folder`. `chance` determines their content. */
export async function makeSources(
  folder: string,
  chance: Chance,
  measure: Measure,
): Promise<readonly Source[]> {
  await mkdir(folder, { recursive: true });
  return [
    await largeFile(join(folder, 'block scan.las'), chance.branch('large'), measure.largeBytes),
    await smallFiles(join(folder, 'tiles'), chance.branch('small'), measure.smallFiles),
    await photogrammetry(join(folder, 'Überflug #7'), chance.branch('mix'), measure.mix),
  ];
}

/** Sparse, with one random block per mebibyte: saves disk space, but all parts differ. */
async function largeFile(path: string, chance: Chance, size: number): Promise<Source> {
  const block = 64 * 1024;
  const bytes = chance.bytes();
  const hash = createHash('sha256');
  const piece = Buffer.alloc(mebibyte);
  const file = await open(path, 'w');
  try {
    await file.truncate(size);
    for (let start = 0; start < size; start += mebibyte) {
      const length = Math.min(mebibyte, size - start);
      const offset = chance.between(0, Math.max(0, length - block));
      const filledBytes = bytes(Math.min(block, length));
      piece.fill(0);
      filledBytes.copy(piece, offset);
      await file.write(filledBytes, 0, filledBytes.length, start + offset);
      hash.update(piece.subarray(0, length));
    }
  } finally {
    await file.close();
  }
  return {
    kind: 'one large file',
    path,
    files: [{ key: 'block scan.las', size, sha256: hash.digest('hex') }],
  };
}

/** Up to 40 KiB each, some empty, in folders of 100. */
async function smallFiles(path: string, chance: Chance, count: number): Promise<Source> {
  const bytes = chance.bytes();
  const files: ExpectedFile[] = [];
  for (let index = 0; index < count; index++) {
    const key = `level ${Math.floor(index / 100)}/tile-${index}.b3dm`;
    const size = index % 500 === 0 ? 0 : chance.between(1, 40 * 1024);
    files.push(await writeExpected(path, key, bytes(size)));
  }
  return { kind: 'small files', path, files };
}

/** Up to forty files of a flight: photos, a mesh with material, textures, sidecar files. */
async function photogrammetry(path: string, chance: Chance, mix: Measure['mix']): Promise<Source> {
  const bytes = chance.bytes();
  const isWhole = mix === 'whole';
  const photos = Array.from({ length: isWhole ? 28 : 2 }, (_, index) => [
    `photos/DJI_${String(index).padStart(4, '0')}.JPG`,
    chance.between(3 * mebibyte, 12 * mebibyte),
  ]);
  const textures = Array.from({ length: isWhole ? 6 : 1 }, (_, index) => [
    `model/texture ${index + 1}+2.png`,
    chance.between(7 * mebibyte, 20 * mebibyte),
  ]);
  const otherArguments = [
    ['model/mesh.obj', (isWhole ? 70 : 20) * mebibyte + 17],
    ['model/mesh.mtl', 1_200],
    // Exactly one part, and exactly two.
    ['ortho/größe 50%.tif', 8 * mebibyte],
    ['ortho/mosaic.tif', 16 * mebibyte],
    ['ortho/mosaic.tfw', 80],
    ['empty.prj', 0],
  ];
  const files: ExpectedFile[] = [];
  for (const [key, size] of [...photos, ...textures, ...otherArguments]) {
    files.push(await writeExpected(path, String(key), bytes(Number(size))));
  }
  return { kind: 'photogrammetry', path, files };
}

async function writeExpected(root: string, key: string, content: Buffer): Promise<ExpectedFile> {
  const path = join(root, key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return { key, size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}
