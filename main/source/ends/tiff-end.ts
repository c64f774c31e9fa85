import { type FileBytes, PastEnd } from './file-bytes.ts';
import { uint } from './uint.ts';
import type { Verdict } from './verdict.ts';

/** TIFF 6.0 and BigTIFF: where values stand. */
interface Layout {
  readonly little: boolean;
  readonly countSize: 2 | 8;
  readonly entrySize: 12 | 20;
  readonly offsetSize: 4 | 8;
}

interface Field {
  readonly type: number;
  readonly count: number;
  readonly at: number;
}

const sizeOfType = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
/** Directories of a file, with those of overviews, masks and pages. */
const mostDirectories = 512;
const mostFields = 4_096;
/** Values that are read at a time, and pages of them that are read of one array: of more, those that lie evenly among them, the last with them. */
const pageValues = 4_096;
const mostPages = 12;

const [subDirectories, exif, gps, interoperability] = [330, 34_665, 34_853, 40_965];
/** Where pieces of a picture lie and how long they are: strips, tiles, and the one piece of an old JPEG. */
const pieces = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;

/** Every directory, every value outside of one, and every strip and tile must lie in the file. Pieces of a sparse file that are not there have the place 0. */
export async function tiffEnd(file: FileBytes): Promise<Verdict> {
  const order = (await file.first(2)).toString('latin1');
  if (order !== 'II' && order !== 'MM') {
    if (order === 'I' || order === 'M') throw new PastEnd();
    return null;
  }
  const little = order === 'II';
  const version = uint(await file.take(0, 4), 2, 2, little);
  if (version !== 42 && version !== 43) return null;
  const layout: Layout =
    version === 43
      ? { little, countSize: 8, entrySize: 20, offsetSize: 8 }
      : { little, countSize: 2, entrySize: 12, offsetSize: 4 };
  const firstAt = version === 43 ? 8 : 4;
  const first = uint(await file.take(firstAt, layout.offsetSize), 0, layout.offsetSize, little);
  if (first === 0) return 'noDirectory';
  const waiting = [first];
  const seen = new Set<number>();
  let furthest = 0;
  for (let at = waiting.pop(); at !== undefined && seen.size < mostDirectories; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const directory = await readDirectory(file, layout, at);
    waiting.push(...directory.further);
    for (const [places, lengths] of pieces) {
      const offsets = directory.fields.get(places);
      if (offsets)
        furthest = Math.max(
          furthest,
          await endOfPieces(file, layout, offsets, directory.fields.get(lengths)),
        );
    }
  }
  if (furthest > 0 && (await hasTrailers(file, firstAt + layout.offsetSize))) file.need(furthest, 4);
  return null;
}

/** Throws `PastEnd` where the directory, or a value that it leads to, does not lie in the file. */
async function readDirectory(file: FileBytes, layout: Layout, at: number) {
  const { little, countSize, entrySize, offsetSize } = layout;
  const count = uint(await file.take(at, countSize), 0, countSize, little);
  file.need(at, countSize + count * entrySize + offsetSize);
  const fields = new Map<number, Field>();
  if (count > mostFields) return { fields, further: [] };
  const entries = await file.take(at + countSize, count * entrySize + offsetSize);
  const further: number[] = [];
  for (let entry = 0; entry < count * entrySize; entry += entrySize) {
    const tag = uint(entries, entry, 2, little);
    const type = uint(entries, entry + 2, 2, little);
    const values = uint(entries, entry + 4, offsetSize, little);
    const place = entry + 4 + offsetSize;
    const length = values * (sizeOfType[type] ?? 0);
    const isInside = length <= offsetSize;
    const field = {
      type,
      count: values,
      at: isInside ? at + countSize + place : uint(entries, place, offsetSize, little),
    };
    if (!isInside) file.need(field.at, length);
    fields.set(tag, field);
    if (tag === exif || tag === gps || tag === interoperability) {
      if (values === 1) further.push(uint(entries, place, offsetSize, little));
    }
    if (tag === subDirectories && values <= mostDirectories)
      further.push(...(await readValues(file, layout, field, 0, values)));
  }
  further.push(uint(entries, count * entrySize, offsetSize, little));
  return { fields, further: further.filter((one) => one !== 0) };
}

/** Where the last of the pieces ends. Throws `PastEnd` where one does not lie in the file. */
async function endOfPieces(
  file: FileBytes,
  layout: Layout,
  offsets: Field,
  lengths: Field | undefined,
): Promise<number> {
  let furthest = 0;
  for (const page of pagesOf(offsets.count)) {
    const from = page * pageValues;
    const values = Math.min(pageValues, offsets.count - from);
    const begins = await readValues(file, layout, offsets, from, values);
    const has = lengths && lengths.count >= from + values;
    const sizes = has ? await readValues(file, layout, lengths, from, values) : [];
    for (const [index, begin] of begins.entries()) {
      const size = sizes[index] ?? 0;
      if (begin === 0) continue;
      file.need(begin, size);
      if (size > 0) furthest = Math.max(furthest, begin + size);
    }
  }
  return furthest;
}

function pagesOf(values: number): readonly number[] {
  const pages = Math.ceil(values / pageValues);
  const read = Math.min(pages, mostPages);
  return Array.from({ length: read }, (_, index) =>
    read === pages ? index : Math.round((index * (pages - 1)) / (read - 1)),
  );
}

async function readValues(
  file: FileBytes,
  { little }: Layout,
  field: Field,
  from: number,
  count: number,
): Promise<number[]> {
  const size = sizeOfType[field.type] ?? 0;
  if (size !== 2 && size !== 4 && size !== 8) return [];
  const bytes = await file.take(field.at + from * size, count * size);
  return Array.from({ length: count }, (_, index) => uint(bytes, index * size, size, little));
}

/** GDAL’s cloud-optimised files end each tile with a copy of its last four bytes, and say so behind the header (GDAL, "COG driver", structural metadata). */
async function hasTrailers(file: FileBytes, at: number): Promise<boolean> {
  const words = (await file.take(at, Math.min(400, file.size - at))).toString('latin1');
  return (
    words.startsWith('GDAL_STRUCTURAL_METADATA_SIZE=') &&
    words.includes('BLOCK_TRAILER=LAST_4_BYTES_REPEATED') &&
    !words.includes('KNOWN_INCOMPATIBLE_EDITION=YES')
  );
}
