import type { FileBytes } from '../file-bytes.ts';
import {
  readTiffDirectory,
  readTiffNumbers,
  type TiffDirectory,
  type TiffLayout,
} from '../tiff-directory.ts';
import { chosenOf, maxRead, piecesOf, tags } from './tiff-samples.ts';
import { canUnpack, undoPredictor, unpack } from './unpack.ts';

const [subfileType, photometric, planar] = [254, 262, 284];
const maskBit = 4;
/** Grey whose 0 is black, and colours. */
const understood = new Set([1, 2]);
/** Directories behind the first that may hold its mask. */
const maxBehind = 8;

/** Shares of a side: what counts as its edge, and as its middle. */
const [edge, middle] = [0.1, 0.25];
/** Pixels of each that have to be seen. */
const [fewestAtEdge, fewestInMiddle] = [2_000, 1_000];
/** How many at the edge are of the colour; in the middle none but a few may be. */
const [leastShare, mostInMiddle] = [0.04, 0.005];
/** Pixels side by side, from the very edge on. */
const leastRun = 16;
/** Values that are nearly it: dark water and bright roofs have many, of what is filled in there are none. */
const [near, mostNear] = [12, 0.03];
/** A photograph has many values. */
const fewestValues = 40;

/**
 * Whether a picture of whole bytes seems to have black or white along its edges in place of nothing, as what
 * is turned or cut along a boundary has: one colour there, from an edge on, with no shades of it, which the
 * middle does not have. Null where it does not, where it has a mask, and where that can't be seen by little
 * of it. Throws `PastEnd`, `ReadEnough`.
 */
export async function sampleBorder(
  file: FileBytes,
  layout: TiffLayout,
  directory: TiffDirectory,
  bands: number,
): Promise<'black' | 'white' | null> {
  const { fields } = directory;
  const first = async (tag: number, usual: number) => {
    const field = fields.get(tag);
    return field ? ((await readTiffNumbers(file, layout, field, 0, 1))?.[0] ?? usual) : usual;
  };
  if (bands > 4 || bands === 2 || !understood.has(await first(photometric, 0))) return null;
  if (bands > 1 && (await first(planar, 1)) !== 1) return null;
  const compression = await first(tags.compression, 1);
  const predictor = await first(tags.predictor, 1);
  const pieces = await piecesOf(file, layout, fields, first);
  if (!pieces || !canUnpack(compression) || predictor > 2) return null;
  if (await hasMask(file, layout, directory)) return null;
  const across = Math.ceil(pieces.width / pieces.columns);
  const pixels = new Pixels(bands, pieces.width, pieces.height);
  for (const index of chosenOf(pieces.places.length, across)) {
    const [at = 0, length = 0] = [pieces.places[index], pieces.lengths[index]];
    if (at === 0 || length === 0) continue;
    const packed = await file.take(at, Math.min(length, maxRead));
    const unpacked = unpack(compression, packed, pieces.columns * pieces.rows * bands);
    if (!unpacked) return null;
    const row = pieces.columns * bands;
    const whole = predictor > 1 ? unpacked.length - (unpacked.length % row) : unpacked.length;
    const bytes = predictor > 1 ? Buffer.from(unpacked.subarray(0, whole)) : unpacked;
    if (predictor > 1)
      undoPredictor(bytes, predictor, {
        ...{ columns: pieces.columns, bands, size: 1 },
        littleEndian: layout.littleEndian,
      });
    const [left, top] = [(index % across) * pieces.columns, Math.floor(index / across) * pieces.rows];
    const [right, bottom] = [Math.min(pieces.columns, pieces.width - left), pieces.height - top];
    for (let line = 0; line < bottom && line * row < bytes.length; line++)
      pixels.takeRow(bytes.subarray(line * row, line * row + right * bands), left, top + line);
  }
  return pixels.border;
}

/** One that says which pixels are there lies in a directory of its own, behind that of the picture. */
async function hasMask(file: FileBytes, layout: TiffLayout, { next }: TiffDirectory): Promise<boolean> {
  for (let at = next, count = 0; at !== 0 && count < maxBehind; count++) {
    const directory = await readTiffDirectory(file, layout, at);
    const field = directory.fields.get(subfileType);
    const kind = field ? (await readTiffNumbers(file, layout, field, 0, 1))?.[0] : 0;
    if (((kind ?? 0) & maskBit) !== 0) return true;
    at = directory.next;
  }
  return false;
}

/** What was seen of one colour. */
interface Counts {
  readonly value: 0 | 255;
  atEdge: number;
  nearby: number;
  inMiddle: number;
  run: number;
}

class Pixels {
  readonly #bands: number;
  readonly #width: number;
  readonly #height: number;
  readonly #values = new Set<number>();
  readonly #counts: readonly Counts[] = ([0, 255] as const).map((value) => ({
    ...{ value, atEdge: 0, nearby: 0, inMiddle: 0, run: 0 },
  }));
  #atEdge = 0;
  #inMiddle = 0;

  constructor(bands: number, width: number, height: number) {
    this.#bands = bands;
    this.#width = width;
    this.#height = height;
  }

  /** @param row a part of a row of pixels, which begins there */
  takeRow(row: Buffer, left: number, y: number): void {
    const bands = this.#bands;
    const isEdgeRow = y < this.#height * edge || y >= this.#height * (1 - edge);
    const isMiddleRow = y >= this.#height * middle && y < this.#height * (1 - middle);
    const count = Math.floor(row.length / bands);
    for (let at = 0; at < count; at++) {
      const x = left + at;
      let [least, most] = [255, 0];
      for (let band = 0; band < bands; band++) {
        const value = row[at * bands + band] ?? 0;
        if (value < least) least = value;
        if (value > most) most = value;
      }
      const isEdge = isEdgeRow || x < this.#width * edge || x >= this.#width * (1 - edge);
      const isMiddle = isMiddleRow && x >= this.#width * middle && x < this.#width * (1 - middle);
      if (isEdge) this.#atEdge += 1;
      if (isMiddle) this.#inMiddle += 1;
      this.#values.add(least);
      for (const counts of this.#counts) {
        const isIt = least === counts.value && most === counts.value;
        if (isIt && isEdge) counts.atEdge += 1;
        if (isIt && isMiddle) counts.inMiddle += 1;
        if (!isIt && (counts.value === 0 ? most <= near : least >= 255 - near)) counts.nearby += 1;
      }
    }
    for (const counts of this.#counts) {
      const { value } = counts;
      const isIt = (at: number) => row.subarray(at * bands, (at + 1) * bands).every((one) => one === value);
      if (left === 0) counts.run = Math.max(counts.run, runOf(count, isIt));
      if (left + count === this.#width)
        counts.run = Math.max(
          counts.run,
          runOf(count, (at) => isIt(count - 1 - at)),
        );
    }
  }

  get border(): 'black' | 'white' | null {
    if (this.#atEdge < fewestAtEdge || this.#inMiddle < fewestInMiddle) return null;
    if (this.#values.size < fewestValues) return null;
    const found = this.#counts.find(
      ({ atEdge, nearby, inMiddle, run }) =>
        run >= leastRun &&
        atEdge >= this.#atEdge * leastShare &&
        nearby <= atEdge * mostNear &&
        inMiddle <= this.#inMiddle * mostInMiddle,
    );
    return found ? (found.value === 0 ? 'black' : 'white') : null;
  }
}

function runOf(count: number, isIt: (at: number) => boolean): number {
  let run = 0;
  while (run < Math.min(count, leastRun) && isIt(run)) run += 1;
  return run;
}
