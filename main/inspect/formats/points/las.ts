import { areZeros, type FileBytes, glimpse, PastEnd, uint, unlessRefused } from '../base/file-bytes.ts';
import { type Opened, somethingElse, type Verdict } from '../base/format.ts';
import {
  type Corners,
  cornersOfBox,
  longestWkt,
  type NamedSystem,
  noSystem,
  systemOfWkt,
} from '../systems/coordinate-system.ts';
import { systemOfGeoKeys } from '../systems/geo-keys.ts';
import { packedTraits, pointTraits } from './las-samples.ts';

/** Facts from a LAS or LAZ header (ASPRS LAS 1.4 R15). */
export interface LasHead extends NamedSystem {
  readonly kind: 'las';
  readonly version: string;
  readonly compressed: boolean;
  /** Null without points. */
  readonly corners: Corners | null;
  readonly traits?: readonly LasTrait[];
}

type LasTrait = 'no-points' | 'inverted' | 'overflow' | 'no-offset' | 'no-colours' | 'unclassified';

interface LasRecord {
  readonly user: string;
  readonly number: number;
  readonly at: number;
  readonly length: number;
}

const maxRecords = 300;
/** Bytes of a record's header, before and (since LAS 1.4) after the points. */
const [usual, extended] = [54, 60] as const;
const [geoKeysRecord, geoDoublesRecord, geoWordsRecord] = [34_735, 34_736, 34_737];
const wktRecord = 2_112;
const laszipRecord = 22_204;
const longestLaszip = 200;
/** Bytes after the header of a LAZ file without points: an empty chunk table needs 24, rounded up. */
const emptyLaz = 64;
/** Global encoding: the system is WKT. */
const wktBit = 0x10;

/** LAS 1.0 to 1.4: records and points must be in the file. */
export async function readLas(file: FileBytes): Promise<Opened<LasHead>> {
  if (!(await file.begins('LASF'))) return somethingElse;
  const head = await file.take(0, 227);
  const [major, minor] = [head.readUInt8(24), head.readUInt8(25)];
  const records = await readRecords(file, head.readUInt16LE(94), head.readUInt32LE(100), usual);
  const newer = major === 1 && minor >= 4 ? await file.take(235, 20) : null;
  const readFurther = async () =>
    newer && newer.readUInt32LE(8) > 0
      ? readRecords(file, uint(newer, 0, 8), newer.readUInt32LE(8), extended)
      : [];
  const meant = (head.readUInt16LE(6) & wktBit) === 0 ? geoKeysRecord : wktRecord;
  const named =
    (await systemIn(file, records, meant)) ?? (await systemIn(file, await unlessCut(readFurther), meant));
  const count = countIn(head, newer);
  const [east, west, north, south] = [179, 187, 195, 203].map((at) => head.readDoubleLE(at));
  const compressed = (head.readUInt8(104) & 0xc0) !== 0;
  const traits: readonly LasTrait[] =
    count === 0
      ? ['no-points']
      : [
          ...boxTraits(head),
          ...((await unlessRefused(file, pointTraits(file, head, compressed ? 0 : count))) ?? []),
        ];
  const said: LasHead = {
    kind: 'las',
    version: `${major}.${minor}`,
    compressed,
    ...(named ?? noSystem),
    corners: count === 0 ? null : cornersOfBox(west ?? 0, south ?? 0, east ?? 0, north ?? 0),
    traits,
  };
  return {
    head: said,
    ...(compressed && { zerosAtEnd: 'unfilled' as const }),
    deeper: async (unpackLaz) => {
      if (!compressed || count === 0 || !unpackLaz) return said;
      const body = await lastLaszip(file, [...records, ...(await readFurther())]);
      const more = body && (await packedTraits(file, head, { count, laszip: body, unpackLaz }));
      return more ? { ...said, traits: [...new Set([...traits, ...more])] } : said;
    },
    end: async () => {
      const begin = head.readUInt32LE(96);
      file.need(begin);
      const further = await readFurther();
      const length = head.readUInt16LE(105);
      // Programs fill in the count last.
      const least = compressed ? emptyLaz : length;
      if (count === 0 && further.length === 0 && least > 0 && file.size >= begin + least) return 'tooLong';
      if (compressed)
        return count > 0 ? chunkTable(file, begin, await compressorIn(file, [...records, ...further])) : null;
      const end = begin + count * length;
      file.need(begin, count * length);
      const isUnfilled = end - begin >= glimpse && areZeros(await file.take(end - glimpse, glimpse));
      return isUnfilled ? 'zeros' : null;
    },
  };
}

/** @param newer the fields of LAS 1.4, which end with its count */
const countIn = (head: Buffer, newer: Buffer | null): number =>
  (newer && uint(newer, 12, 8)) || head.readUInt32LE(107);

/** Throws `PastEnd`. */
export async function countPoints(file: FileBytes): Promise<number> {
  const head = await file.take(0, 227);
  return countIn(head, head.readUInt8(25) >= 4 ? await file.take(235, 20) : null);
}

/** Throws `PastEnd` for records outside the file. */
async function readRecords(
  file: FileBytes,
  from: number,
  count: number,
  header: typeof usual | typeof extended,
): Promise<readonly LasRecord[]> {
  const records: LasRecord[] = [];
  let at = from;
  while (records.length < Math.min(count, maxRecords)) {
    const record = await file.take(at, header);
    const length = uint(record, 20, header === usual ? 2 : 8);
    file.need(at, header + length);
    const user = record.toString('latin1', 2, 18).replace(/\0.*$/s, '');
    records.push({ user, number: record.readUInt16LE(18), at: at + header, length });
    at += header + length;
  }
  return records;
}

/** `end` reports truncated records. */
async function unlessCut(read: () => Promise<readonly LasRecord[]>): Promise<readonly LasRecord[]> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof PastEnd) return [];
    throw thrown;
  }
}

/** Prefers the kind of record that the header announces. */
async function systemIn(
  file: FileBytes,
  records: readonly LasRecord[],
  meant: number,
): Promise<NamedSystem | null> {
  const told = records.filter(({ user }) => user === 'LASF_Projection');
  for (const { number, at, length } of told.toSorted((a, b) => rank(a, meant) - rank(b, meant))) {
    const isWkt = number === wktRecord;
    if (!isWkt && number !== geoKeysRecord) continue;
    const body = await file.take(at, Math.min(length, isWkt ? longestWkt : 0xffff));
    const named = isWkt
      ? systemOfWkt(body.toString('utf8'))
      : systemOfGeoKeys({
          keys: shortsOf(body),
          doubles: doublesOf(await bodyOf(file, told, geoDoublesRecord)),
          words: (await bodyOf(file, told, geoWordsRecord)).toString('latin1'),
        });
    if (named.system !== null || named.nature !== undefined) return named;
  }
  return null;
}

/** Coordinates are 32-bit integers times a scale plus an offset. */
const largestNumber = 2 ** 31;
const farFromZero = 100_000;

function boxTraits(head: Buffer): readonly LasTrait[] {
  const axes = [0, 1, 2].map((axis) => ({
    scale: head.readDoubleLE(131 + axis * 8),
    offset: head.readDoubleLE(155 + axis * 8),
    ends: [head.readDoubleLE(187 + axis * 16), head.readDoubleLE(179 + axis * 16)] as const,
  }));
  const isInverted = axes.some(({ ends: [least, most] }) => least > most);
  const overflows = axes.some(
    ({ scale, offset, ends }) =>
      scale > 0 && ends.some((end) => Math.abs((end - offset) / scale) > largestNumber),
  );
  const isFar = axes.some(
    ({ offset, ends }) => offset === 0 && ends.every((end) => Math.abs(end) > farFromZero),
  );
  return [
    ...(isInverted ? (['inverted'] as const) : []),
    ...(overflows ? (['overflow'] as const) : isFar && !isInverted ? (['no-offset'] as const) : []),
  ];
}

async function bodyOf(file: FileBytes, records: readonly LasRecord[], wanted: number): Promise<Buffer> {
  const record = records.find(({ number }) => number === wanted);
  return record ? file.take(record.at, Math.min(record.length, longestWkt)) : Buffer.alloc(0);
}

const rank = ({ number }: LasRecord, meant: number): number => (number === meant ? 0 : 1);

function shortsOf(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16LE(index * 2));
}

function doublesOf(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length >> 3 }, (_, index) => bytes.readDoubleLE(index * 8));
}

async function compressorIn(file: FileBytes, records: readonly LasRecord[]): Promise<number | null> {
  const body = await lastLaszip(file, records);
  return body && body.length >= 2 ? body.readUInt16LE(0) : null;
}

/** LASzip's parameters, at most 70 bytes in real files. */
async function lastLaszip(file: FileBytes, records: readonly LasRecord[]): Promise<Buffer | null> {
  const record = records.findLast(({ user, number }) => user === 'laszip encoded' && number === laszipRecord);
  return record ? file.take(record.at, Math.min(record.length, longestLaszip)) : null;
}

/**
 * LASzip writes its chunk table last, and the table's offset before the points, or at the end if it can't
 * seek.
 */
async function chunkTable(file: FileBytes, begin: number, compressor: number | null): Promise<Verdict> {
  const pointwise = 1;
  if (compressor === pointwise) {
    file.need(begin, 1);
    return null;
  }
  const place = await file.take(begin, 8);
  const isStreamed = place.every((byte) => byte === 0xff);
  const at = uint(isStreamed ? await file.last(8) : place, 0, 8);
  if (at < begin + 8) return 'tooShort';
  const table = await file.take(at, 8);
  if (table.readUInt32LE(0) !== 0) return isStreamed ? 'tooShort' : null;
  // The table was never filled in.
  if (table.readUInt32LE(4) === 0) return 'tooShort';
  // The table's compressed data has at least four bytes.
  file.need(at + 8, 4);
  return null;
}
