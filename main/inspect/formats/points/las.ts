import {
  type FileBytes,
  isAllZeros,
  PastEndError,
  readUint,
  unlessRefused,
  zeroProbeLength,
} from '../base/file-bytes.ts';
import { type Opened, unrecognizedFile, type Verdict } from '../base/format.ts';
import {
  type Corners,
  cornersOfBox,
  maxWktLength,
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
  readonly userId: string;
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

const maxRecords = 300;
/** Bytes of a record's header, before and (since LAS 1.4) after the points. */
const [usualHeader, extendedHeader] = [54, 60] as const;
const [geoKeysRecord, geoDoublesRecord, geoWordsRecord] = [34_735, 34_736, 34_737];
const wktRecord = 2_112;
const laszipRecord = 22_204;
const maxLaszipLength = 200;
/** Bytes after the header of a LAZ file without points: an empty chunk table needs 24, rounded up. */
const minLazLength = 64;
/** Global encoding: the system is WKT. */
const wktBit = 0x10;

/** LAS 1.0 to 1.4: records and points must be in the file. */
export async function readLas(file: FileBytes): Promise<Opened<LasHead>> {
  if (!(await file.startsWith('LASF'))) return unrecognizedFile;
  const header = await file.read(0, 227);
  const [major, minor] = [header.readUInt8(24), header.readUInt8(25)];
  const records = await readRecords(file, header.readUInt16LE(94), header.readUInt32LE(100), usualHeader);
  const extendedHeaderBytes = major === 1 && minor >= 4 ? await file.read(235, 20) : null;
  const readExtendedRecords = async () =>
    extendedHeaderBytes && extendedHeaderBytes.readUInt32LE(8) > 0
      ? readRecords(
          file,
          readUint(extendedHeaderBytes, 0, 8),
          extendedHeaderBytes.readUInt32LE(8),
          extendedHeader,
        )
      : [];
  const preferredRecord = (header.readUInt16LE(6) & wktBit) === 0 ? geoKeysRecord : wktRecord;
  const system =
    (await systemIn(file, records, preferredRecord)) ??
    (await systemIn(file, await emptyIfCut(readExtendedRecords), preferredRecord));
  const count = countIn(header, extendedHeaderBytes);
  const [east, west, north, south] = [179, 187, 195, 203].map((offset) => header.readDoubleLE(offset));
  const compressed = (header.readUInt8(104) & 0xc0) !== 0;
  const traits: readonly LasTrait[] =
    count === 0
      ? ['no-points']
      : [
          ...boxTraits(header),
          ...((await unlessRefused(file, pointTraits(file, header, compressed ? 0 : count))) ?? []),
        ];
  const lasHead: LasHead = {
    kind: 'las',
    version: `${major}.${minor}`,
    compressed,
    ...(system ?? noSystem),
    corners: count === 0 ? null : cornersOfBox(west ?? 0, south ?? 0, east ?? 0, north ?? 0),
    traits,
  };
  return {
    head: lasHead,
    ...(compressed && { zerosAtEnd: 'unfilled' as const }),
    readSamples: async (unpackLaz) => {
      if (!compressed || count === 0 || !unpackLaz) return lasHead;
      const recordBody = await lastLaszip(file, [...records, ...(await readExtendedRecords())]);
      const sampledTraits =
        recordBody && (await packedTraits(file, header, { count, laszip: recordBody, unpackLaz }));
      return sampledTraits ? { ...lasHead, traits: [...new Set([...traits, ...sampledTraits])] } : lasHead;
    },
    end: async () => {
      const pointsOffset = header.readUInt32LE(96);
      file.requireRange(pointsOffset);
      const extendedRecords = await readExtendedRecords();
      const length = header.readUInt16LE(105);
      // Programs fill in the count last.
      const minLength = compressed ? minLazLength : length;
      if (
        count === 0 &&
        extendedRecords.length === 0 &&
        minLength > 0 &&
        file.size >= pointsOffset + minLength
      )
        return 'tooLong';
      if (compressed)
        return count > 0
          ? chunkTable(file, pointsOffset, await compressorIn(file, [...records, ...extendedRecords]))
          : null;
      const end = pointsOffset + count * length;
      file.requireRange(pointsOffset, count * length);
      const isUnfilled =
        end - pointsOffset >= zeroProbeLength &&
        isAllZeros(await file.read(end - zeroProbeLength, zeroProbeLength));
      return isUnfilled ? 'zeros' : null;
    },
  };
}

/** @param extendedHeaderBytes the fields of LAS 1.4, which end with its count */
const countIn = (header: Buffer, extendedHeaderBytes: Buffer | null): number =>
  (extendedHeaderBytes && readUint(extendedHeaderBytes, 12, 8)) || header.readUInt32LE(107);

/** Throws `PastEndError`. */
export async function countPoints(file: FileBytes): Promise<number> {
  const header = await file.read(0, 227);
  return countIn(header, header.readUInt8(25) >= 4 ? await file.read(235, 20) : null);
}

/** Returns LASzip's parameters in a LAZ file, or null. Throws `PastEndError`, `ReadLimitError`. */
export async function laszipIn(file: FileBytes): Promise<Buffer | null> {
  const header = await file.read(0, 227);
  return lastLaszip(
    file,
    await readRecords(file, header.readUInt16LE(94), header.readUInt32LE(100), usualHeader),
  );
}

/** Throws `PastEndError` for records outside the file. */
async function readRecords(
  file: FileBytes,
  start: number,
  count: number,
  headerLength: typeof usualHeader | typeof extendedHeader,
): Promise<readonly LasRecord[]> {
  const records: LasRecord[] = [];
  let recordOffset = start;
  while (records.length < Math.min(count, maxRecords)) {
    const record = await file.read(recordOffset, headerLength);
    const length = readUint(record, 20, headerLength === usualHeader ? 2 : 8);
    file.requireRange(recordOffset, headerLength + length);
    const userId = record.toString('latin1', 2, 18).replace(/\0.*$/s, '');
    records.push({ userId, number: record.readUInt16LE(18), offset: recordOffset + headerLength, length });
    recordOffset += headerLength + length;
  }
  return records;
}

/** `end` reports truncated records. */
async function emptyIfCut(read: () => Promise<readonly LasRecord[]>): Promise<readonly LasRecord[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PastEndError) return [];
    throw error;
  }
}

/** Prefers the kind of record that the header announces. */
async function systemIn(
  file: FileBytes,
  records: readonly LasRecord[],
  preferredRecord: number,
): Promise<NamedSystem | null> {
  const projectionRecords = records.filter(({ userId }) => userId === 'LASF_Projection');
  for (const { number, offset, length } of projectionRecords.toSorted(
    (a, b) => rankOf(a, preferredRecord) - rankOf(b, preferredRecord),
  )) {
    const isWkt = number === wktRecord;
    if (!isWkt && number !== geoKeysRecord) continue;
    const recordBody = await file.read(offset, Math.min(length, isWkt ? maxWktLength : 0xffff));
    const system = isWkt
      ? systemOfWkt(recordBody.toString('utf8'))
      : systemOfGeoKeys({
          keys: shortsOf(recordBody),
          doubles: doublesOf(await bodyOf(file, projectionRecords, geoDoublesRecord)),
          asciiText: (await bodyOf(file, projectionRecords, geoWordsRecord)).toString('latin1'),
        });
    if (system.system !== null || system.nature !== undefined) return system;
  }
  return null;
}

/** Coordinates are 32-bit integers times a scale plus an offset. */
const maxInteger = 2 ** 31;
const farFromZero = 100_000;

function boxTraits(header: Buffer): readonly LasTrait[] {
  const axes = [0, 1, 2].map((axis) => ({
    scale: header.readDoubleLE(131 + axis * 8),
    offset: header.readDoubleLE(155 + axis * 8),
    ends: [header.readDoubleLE(187 + axis * 16), header.readDoubleLE(179 + axis * 16)] as const,
  }));
  const isInverted = axes.some(({ ends: [lowest, highest] }) => lowest > highest);
  const overflows = axes.some(
    ({ scale, offset, ends }) =>
      scale > 0 && ends.some((end) => Math.abs((end - offset) / scale) > maxInteger),
  );
  const isFar = axes.some(
    ({ offset, ends }) => offset === 0 && ends.every((end) => Math.abs(end) > farFromZero),
  );
  return [
    ...(isInverted ? (['inverted'] as const) : []),
    ...(overflows ? (['overflow'] as const) : isFar && !isInverted ? (['no-offset'] as const) : []),
  ];
}

async function bodyOf(file: FileBytes, records: readonly LasRecord[], recordNumber: number): Promise<Buffer> {
  const record = records.find(({ number }) => number === recordNumber);
  return record ? file.read(record.offset, Math.min(record.length, maxWktLength)) : Buffer.alloc(0);
}

const rankOf = ({ number }: LasRecord, preferredRecord: number): number =>
  number === preferredRecord ? 0 : 1;

function shortsOf(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16LE(index * 2));
}

function doublesOf(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length >> 3 }, (_, index) => bytes.readDoubleLE(index * 8));
}

async function compressorIn(file: FileBytes, records: readonly LasRecord[]): Promise<number | null> {
  const recordBody = await lastLaszip(file, records);
  return recordBody && recordBody.length >= 2 ? recordBody.readUInt16LE(0) : null;
}

/** LASzip's parameters, at most 70 bytes in real files. */
async function lastLaszip(file: FileBytes, records: readonly LasRecord[]): Promise<Buffer | null> {
  const record = records.findLast(
    ({ userId, number }) => userId === 'laszip encoded' && number === laszipRecord,
  );
  return record ? file.read(record.offset, Math.min(record.length, maxLaszipLength)) : null;
}

/**
 * LASzip writes its chunk table last, and the table's offset before the points, or at the end if it can't
 * seek.
 */
async function chunkTable(
  file: FileBytes,
  pointsOffset: number,
  compressor: number | null,
): Promise<Verdict> {
  const pointwise = 1;
  if (compressor === pointwise) {
    file.requireRange(pointsOffset, 1);
    return null;
  }
  const tablePointer = await file.read(pointsOffset, 8);
  const isStreamed = tablePointer.every((byte) => byte === 0xff);
  const tableOffset = readUint(isStreamed ? await file.readEnd(8) : tablePointer, 0, 8);
  if (tableOffset < pointsOffset + 8) return 'tooShort';
  const table = await file.read(tableOffset, 8);
  if (table.readUInt32LE(0) !== 0) return isStreamed ? 'tooShort' : null;
  // The table was never filled in.
  if (table.readUInt32LE(4) === 0) return 'tooShort';
  // The table's compressed data has at least four bytes.
  file.requireRange(tableOffset + 8, 4);
  return null;
}
