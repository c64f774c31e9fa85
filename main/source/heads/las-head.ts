import { systemOfGeoKeys, systemOfWkt } from './coordinate-system.ts';
import type { FilePieces } from './file-pieces.ts';

/** What the head of a LAS or LAZ file says (ASPRS LAS 1.4 R15). */
export interface LasHead {
  readonly kind: 'las';
  /** `1.4`. */
  readonly version: string;
  readonly compressed: boolean;
  /** `EPSG:25832`, or in words; null where no record names one. */
  readonly system: string | null;
}

interface RecordShape {
  readonly header: number;
  readonly lengthSize: 2 | 8;
}

const usual: RecordShape = { header: 54, lengthSize: 2 };
/** LAS 1.4 keeps further records behind the points. */
const extended: RecordShape = { header: 60, lengthSize: 8 };
const geoKeysRecord = 34_735;
const wktRecord = 2_112;
const mostRecords = 200;
/** More of a well-known text is not needed for its name. */
const wktStart = 1_024;

/** Null for what is no LAS file, and while pieces are missing. */
export function readLasHead(file: FilePieces): LasHead | null {
  const head = file.take(0, 227);
  if (head?.toString('latin1', 0, 4) !== 'LASF') return null;
  const minor = head.readUInt8(25);
  const first = readSystem(file, usual, head.readUInt16LE(94), head.readUInt32LE(100));
  if (first === null && file.wanted !== null) return null;
  let system = first;
  if (system === null && minor >= 4) {
    const tail = file.take(235, 12);
    const count = tail?.readUInt32LE(8) ?? 0;
    if (tail && count > 0) system = readSystem(file, extended, Number(tail.readBigUInt64LE(0)), count);
    if (system === null && file.wanted !== null) return null;
  }
  const version = `${head.readUInt8(24)}.${minor}`;
  return { kind: 'las', version, compressed: (head.readUInt8(104) & 0x80) !== 0, system };
}

function readSystem(file: FilePieces, shape: RecordShape, from: number, count: number): string | null {
  let at = from;
  for (let index = 0; index < Math.min(count, mostRecords); index++) {
    const record = file.take(at, shape.header);
    if (!record) return null;
    const user = record.toString('latin1', 2, 18).replace(/\0.*$/s, '');
    const number = record.readUInt16LE(18);
    const length = shape.lengthSize === 2 ? record.readUInt16LE(20) : Number(record.readBigUInt64LE(20));
    at += shape.header;
    if (user === 'LASF_Projection' && (number === geoKeysRecord || number === wktRecord)) {
      const body = file.take(at, number === wktRecord ? Math.min(length, wktStart) : length);
      if (!body) return null;
      const system =
        number === wktRecord ? systemOfWkt(body.toString('utf8')) : systemOfGeoKeys(shortsOf(body));
      if (system !== null) return system;
    }
    at += length;
  }
  return null;
}

function shortsOf(bytes: Buffer): readonly number[] {
  return Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readUInt16LE(index * 2));
}
