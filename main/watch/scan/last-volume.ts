import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { SourceFile } from '../../files/model.ts';
import { type VolumeSeries, volumeSeriesIn } from '../../inspect/together/volumes.ts';
import { openInside } from './folder/open-inside.ts';

/** Bytes of an archive's end: a zip's end record with its longest comment (APPNOTE 4.3.16). */
const endReach = 22 + 0xffff;
const zipEnd = Buffer.from('PK\x05\x06', 'latin1');
const sevenZip = Buffer.from('377abcaf271c', 'hex');
const rar = Buffer.from('526172211a07', 'hex');

/**
 * Returns the next volume that an archive needs according to its own end, or null. File names show gaps in
 * the middle (`volumes.ts`).
 *
 * @param folder the watched folder; nothing outside is opened
 */
export async function nextVolume(folder: string, files: readonly SourceFile[]): Promise<string | null> {
  const byFolder = new Map<string, Map<string, SourceFile>>();
  for (const file of files) {
    if (!mayBeVolume.test(file.path)) continue;
    const place = dirname(file.path);
    const filesByName = byFolder.get(place) ?? new Map<string, SourceFile>();
    byFolder.set(place, filesByName.set(basename(file.path), file));
  }
  for (const filesByName of byFolder.values()) {
    for (const series of volumeSeriesIn([...filesByName.keys()])) {
      const volumes = series.volumes.flatMap((name) => filesByName.get(name) ?? []);
      const missingVolume = await nextOf(series, volumes, (file) => openInside(folder, file.path));
      if (missingVolume !== null) return missingVolume;
    }
  }
  return null;
}

const mayBeVolume = /\.(?:\d{3,4}|zip|rar|[r-z]\d{2,3})$/i;

type Open = (file: SourceFile) => Promise<FileHandle>;

async function nextOf(
  series: VolumeSeries,
  volumes: readonly SourceFile[],
  openVolume: Open,
): Promise<string | null> {
  const { kind, highest, nameOf } = series;
  const [firstVolume, lastVolume] = [volumes[0], volumes.at(-1)];
  if (!firstVolume || !lastVolume) return null;
  const nextName = nameOf(highest + 1);
  if (kind === 'zip') {
    const end = endOfZip(await tailOf(firstVolume, openVolume));
    // The end record's disk number is the number of preceding volumes.
    return end !== null && end.readUInt16LE(4) > highest ? nextName : null;
  }
  if (kind === 'split') {
    const head = await read(firstVolume, 0, 32, openVolume);
    if (head.subarray(0, 6).equals(sevenZip)) {
      if (head.length < 32) return nextName;
      const whole = 32 + Number(head.readBigUInt64LE(12)) + Number(head.readBigUInt64LE(20));
      return volumes.reduce((sum, { size }) => sum + size, 0) < whole ? nextName : null;
    }
    if (head.toString('latin1', 0, 2) !== 'PK') return null;
    const secondLast = lastVolume.size < endReach ? volumes.at(-2) : undefined;
    const tails = [
      secondLast ? await tailOf(secondLast, openVolume) : Buffer.alloc(0),
      await tailOf(lastVolume, openVolume),
    ];
    return Buffer.concat(tails).includes(zipEnd) ? null : nextName;
  }
  const head = await read(lastVolume, 0, 8, openVolume);
  return head.subarray(0, 6).equals(rar) && goesOnBehind(head, await tailOf(lastVolume, openVolume))
    ? nextName
    : null;
}

function endOfZip(tail: Buffer): Buffer | null {
  const offset = tail.lastIndexOf(zipEnd);
  return offset === -1 || offset + 22 > tail.length ? null : tail.subarray(offset);
}

/** RAR 5.0, "End of archive header"; older versions have the block of type 0x7b with the same flag 1. */
function goesOnBehind(head: Buffer, tail: Buffer): boolean {
  if (head[6] === 1) return tail.at(-3) === 5 && ((tail.at(-1) ?? 0) & 1) === 1;
  for (let offset = Math.max(2, tail.length - 32); offset + 5 <= tail.length; offset += 1) {
    const isEnd = tail[offset] === 0x7b && tail.readUInt16LE(offset + 3) === tail.length - (offset - 2);
    if (isEnd) return (tail.readUInt16LE(offset + 1) & 1) === 1;
  }
  return false;
}

const tailOf = (file: SourceFile, openVolume: Open): Promise<Buffer> =>
  read(file, Math.max(0, file.size - endReach), Math.min(file.size, endReach), openVolume);

async function read(file: SourceFile, offset: number, length: number, openVolume: Open): Promise<Buffer> {
  await using handle = await openVolume(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
