import { crc32, deflateSync } from 'node:zlib';

interface Png {
  readonly columns: number;
  readonly rows: number;
  /** Rows as its head says, where its data ends before. */
  readonly height?: number;
  /** Each band of a pixel; by its place. */
  readonly at: (x: number, y: number) => readonly number[] | number;
  /** Grey 0, colours 2, numbers of colours 3, grey and colours with alpha 4 and 6. */
  readonly colours?: 0 | 2 | 3 | 4 | 6;
  readonly bits?: 8 | 16;
  /** The filters of its rows, in turn. */
  readonly filters?: readonly (0 | 1 | 2 | 3 | 4)[];
  readonly interlaced?: true;
  /** Longest of the pieces that its data lies in. */
  readonly pieces?: number;
  /** A value that stands for nothing. */
  readonly transparent?: number;
  /** How hard zlib tries. */
  readonly level?: number;
}

const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** A PNG, by its specification: signature, IHDR, tRNS, IDAT, IEND. */
export function pngFile(picture: Png): Buffer {
  const { columns, rows, at, colours = 2, bits = 8, filters = [4, 0, 1, 2, 3], level = 6 } = picture;
  const { interlaced = false, pieces = 8_192, transparent, height = rows } = picture;
  const bands = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colours];
  const size = bands * (bits / 8);
  const lines: Buffer[] = [];
  for (const [left, top, across, down] of interlaced ? passes : [[0, 0, 1, 1] as const]) {
    const width = Math.ceil((columns - left) / across);
    let above = Buffer.alloc(width * size);
    for (let y = top; y < rows && width > 0; y += down) {
      const row = Buffer.alloc(width * size);
      for (let x = 0; x < width; x++) {
        const value = at(left + x * across, y);
        for (let band = 0; band < bands; band++) {
          const one = (typeof value === 'number' ? value : value[band]) ?? 0;
          row.fill(one, x * size + (band * size) / bands, x * size + ((band + 1) * size) / bands);
        }
      }
      lines.push(filtered(row, above, size, filters[lines.length % filters.length] ?? 0));
      above = row;
    }
  }
  const data = deflateSync(Buffer.concat(lines), { level });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(columns, 0);
  head.writeUInt32BE(height, 4);
  head.set([bits, colours, 0, 0, interlaced ? 1 : 0], 8);
  const chunks = [chunk('IHDR', head)];
  if (transparent !== undefined) chunks.push(chunk('tRNS', Buffer.alloc(bands * 2, transparent)));
  for (let from = 0; from < data.length; from += pieces)
    chunks.push(chunk('IDAT', data.subarray(from, from + pieces)));
  const end = Buffer.from('\0\0\0\0IEND\xaeB`\x82', 'latin1');
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks, end]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(kind), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function filtered(row: Buffer, above: Buffer, size: number, filter: number): Buffer {
  const bytes = Buffer.alloc(row.length + 1);
  bytes[0] = filter;
  for (let place = 0; place < row.length; place++) {
    const a = place < size ? 0 : (row[place - size] ?? 0);
    const b = above[place] ?? 0;
    const c = place < size ? 0 : (above[place - size] ?? 0);
    const guesses = [() => 0, () => a, () => b, () => (a + b) >> 1, () => nearest(a, b, c)];
    const guess = guesses[filter]?.() ?? 0;
    bytes[place + 1] = (row[place] ?? 0) - guess;
  }
  return bytes;
}

const nearest = (a: number, b: number, c: number): number =>
  [a, b, c].toSorted((one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other))[0] ?? 0;
