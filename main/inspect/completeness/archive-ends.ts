import { type VolumeSeries, volumeSeriesIn } from './volumes.ts';

/** Bytes of an archive's end: a zip's end record with its longest comment (APPNOTE 4.3.16). */
const endReach = 22 + 0xffff;
const zipEnd = Buffer.from('PK\x05\x06', 'latin1');
const sevenZip = Buffer.from('377abcaf271c', 'hex');
const rar = Buffer.from('526172211a07', 'hex');

/** Whether a file of this name may be a volume of a split archive, or open one. */
export const mayBeVolume = (name: string): boolean => /\.(?:\d{3,4}|zip|rar|[r-z]\d{2,3})$/i.test(name);

interface Volume {
  readonly path: string;
  readonly size: number;
}

type ReadRange = (offset: number, length: number) => Promise<Buffer>;

/** Opens a volume for `useVolume`. */
type WithVolume = (volume: Volume, useVolume: (read: ReadRange) => Promise<Buffer>) => Promise<Buffer | null>;

/** Returns the missing volumes of one archive: gaps between the names, and the next one. */
export async function missingVolumesOf(
  volumes: readonly (Volume & { readonly name: string })[],
  withVolume: WithVolume,
): Promise<readonly string[]> {
  const [series] = volumeSeriesIn(volumes.map(({ name }) => name));
  if (!series) return [];
  const next = await nextOf(series, volumes, withVolume);
  return next === null ? series.missing : [...series.missing, next];
}

/**
 * Returns the next volume that an archive needs according to its own end, or null. File names show gaps in
 * the middle (`volumes.ts`).
 *
 * @param volumes present ones, in order
 */
async function nextOf(
  { kind, highest, nameOf }: VolumeSeries,
  volumes: readonly Volume[],
  withVolume: WithVolume,
): Promise<string | null> {
  const [firstVolume, lastVolume] = [volumes[0], volumes.at(-1)];
  if (!firstVolume || !lastVolume) return null;
  const readFrom = async (volume: Volume, offset: number, length: number) =>
    (await withVolume(volume, (read) => read(offset, length))) ?? Buffer.alloc(0);
  const tailOf = (volume: Volume) =>
    readFrom(volume, Math.max(0, volume.size - endReach), Math.min(volume.size, endReach));
  const nextName = nameOf(highest + 1);
  if (kind === 'zip') {
    const end = endOfZip(await tailOf(firstVolume));
    // The end record's disk number is the number of preceding volumes.
    return end !== null && end.readUInt16LE(4) > highest ? nextName : null;
  }
  if (kind === 'split') {
    const head = await readFrom(firstVolume, 0, 32);
    if (head.subarray(0, 6).equals(sevenZip)) {
      if (head.length < 32) return nextName;
      const whole = 32 + Number(head.readBigUInt64LE(12)) + Number(head.readBigUInt64LE(20));
      return volumes.reduce((sum, { size }) => sum + size, 0) < whole ? nextName : null;
    }
    if (head.toString('latin1', 0, 2) !== 'PK') return null;
    const secondLast = lastVolume.size < endReach ? volumes.at(-2) : undefined;
    const tails = [secondLast ? await tailOf(secondLast) : Buffer.alloc(0), await tailOf(lastVolume)];
    return Buffer.concat(tails).includes(zipEnd) ? null : nextName;
  }
  const head = await readFrom(lastVolume, 0, 8);
  return head.subarray(0, 6).equals(rar) && goesOnBehind(head, await tailOf(lastVolume)) ? nextName : null;
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
