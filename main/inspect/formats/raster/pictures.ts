import { type FileBytes, PastEndError, readUint } from '../base/file-bytes.ts';
import { type Opened, unrecognizedFile, type Verdict } from '../base/format.ts';
import type { Corners } from '../systems/coordinate-system.ts';

/** A PNG, which can't name a coordinate system. */
export interface PngHead {
  readonly kind: 'png';
  /** For a sidecar file that places the picture. */
  readonly size?: readonly [columns: number, rows: number];
  readonly corners?: Corners | null;
}

const maxChunks = 2_000;
/** Bytes. */
const probeLength = 64 * 1024;

export async function readPng(file: FileBytes): Promise<Opened<PngHead>> {
  if (!(await file.startsWith('\x89PNG\r\n\x1a\n'))) return unrecognizedFile;
  const header = await file.readStart(24);
  const size = header.length === 24 && ([header.readUInt32BE(16), header.readUInt32BE(20)] as const);
  return { head: { kind: 'png', ...(size && { size }) }, end: () => pngEnd(file) };
}

/** Finds the last chunk, which other data may follow. */
async function pngEnd(file: FileBytes): Promise<Verdict> {
  const tail = await file.readEnd(probeLength);
  if (tail.includes('\0\0\0\0IEND\xaeB`\x82', 0, 'latin1')) return null;
  let chunkOffset = 8;
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const chunk = await file.read(chunkOffset, 8);
    const length = chunk.readUInt32BE(0);
    file.requireRange(chunkOffset, 12 + length);
    const kind = chunk.toString('latin1', 4);
    if (kind === 'IEND') return null;
    if (kind === '\0\0\0\0') return 'zeros';
    chunkOffset += 12 + length;
  }
  return null;
}

/** GIF89a ends with a semicolon. */
export async function gifEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('GIF8'))) return null;
  const tail = (await file.readEnd(64)).toString('latin1');
  return /;[\0\s]{0,63}$/.test(tail) ? null : 'noEnd';
}

/** Uncompressed bitmaps: rows are padded to four bytes. */
export async function bmpEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('BM'))) return null;
  const header = await file.read(0, 34);
  if (header.readUInt32LE(14) < 40) return null;
  const [width, height] = [header.readInt32LE(18), Math.abs(header.readInt32LE(22))];
  const [bits, compression] = [header.readUInt16LE(28), header.readUInt32LE(30)];
  if (width <= 0 || (compression !== 0 && compression !== 3)) return null;
  file.requireRange(header.readUInt32LE(10), Math.ceil((width * bits) / 32) * 4 * height);
  return null;
}

/** WebP: the RIFF header has the length. */
export async function webpEnd(file: FileBytes): Promise<Verdict> {
  if (!(await file.startsWith('RIFF'))) return null;
  file.requireRange(8, (await file.read(4, 4)).readUInt32LE(0));
  return null;
}

const boxSignature = '\0\0\0\x0cjP  \r\n\x87\n';
const maxBoxes = 300;

/**
 * JPEG 2000 (ISO 15444-1, annexes A and I): requires whole boxes and a codestream, whose end marker is
 * checked if it comes last.
 */
export async function jp2End(file: FileBytes): Promise<Verdict> {
  if ((await file.readStart(4)).readUInt8(0) === 0xff && (await file.startsWith('\xff\x4f\xff\x51'))) {
    return endsWithMarker(file, file.size);
  }
  if (!(await file.startsWith(boxSignature))) return 'otherFormat';
  let verdict: Verdict = 'noEnd';
  let boxOffset = 0;
  for (let box = 0; boxOffset < file.size; box++) {
    if (box > maxBoxes) return null;
    const header = await file.read(boxOffset, 8);
    const kind = header.toString('latin1', 4);
    const shortLength = header.readUInt32BE(0);
    const length =
      shortLength === 1
        ? readUint(await file.read(boxOffset + 8, 8), 0, 8, false)
        : shortLength || file.size - boxOffset;
    // Only zeros follow.
    if (shortLength === 0 && kind === '\0\0\0\0') return verdict;
    if (length < 8) return null;
    file.requireRange(boxOffset, length);
    boxOffset += length;
    if (kind === 'jp2c') verdict = boxOffset === file.size ? await endsWithMarker(file, boxOffset) : null;
  }
  return verdict;
}

async function endsWithMarker(file: FileBytes, end: number): Promise<Verdict> {
  if (end < 6) throw new PastEndError();
  const length = Math.min(64, end);
  const tail = await file.read(end - length, length);
  let dataEnd = tail.length;
  while (dataEnd > 2 && tail[dataEnd - 1] === 0) dataEnd--;
  return tail[dataEnd - 2] === 0xff && tail[dataEnd - 1] === 0xd9 ? null : 'noEnd';
}
