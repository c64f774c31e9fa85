/** A square picture as PNG and pixels. */
export interface Picture {
  readonly side: number;
  readonly png: Buffer;
  /** Four bytes per pixel, top row first, alpha not premultiplied. */
  readonly rgba: Buffer;
}

/**
 * Types of PNG pictures in an ICNS file, by side in pixels; the second of two is for double density. 16 and
 * 32 pixels of single density only have older formats, so macOS scales the next larger one.
 */
const types: readonly (readonly [type: string, side: number])[] = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

export const icnsSides: readonly number[] = [...new Set(types.map(([, side]) => side))];

/** An ICNS file: blocks of type, length and picture. Pure. Throws if a side is missing. */
export function icnsFile(pictures: readonly Pick<Picture, 'side' | 'png'>[]): Buffer {
  const blocks = types.map(([type, side]) => {
    const picture = pictures.find((candidate) => candidate.side === side);
    if (!picture) throw new Error(`The icon for macOS wants a picture of ${side} pixels`);
    return block(type, picture.png);
  });
  return block('icns', Buffer.concat(blocks));
}

function block(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(head.length + content.length, 4);
  return Buffer.concat([head, content]);
}

/** Windows expects PNG from this side on; smaller pictures are bitmaps for compatibility. */
const pngFrom = 256;

const headerBytes = 6;
const entryBytes = 16;
const bitmapHeaderBytes = 40;

/** An ICO file (ICONDIR, ICONDIRENTRY): header, directory, pictures. Pure. */
export function icoFile(pictures: readonly Picture[]): Buffer {
  const bodies = pictures.map((picture) => (picture.side < pngFrom ? bitmapOf(picture) : picture.png));
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = headerBytes + entryBytes * pictures.length;
  const entries = pictures.map(({ side }, place) => {
    const size = bodies[place]?.length ?? 0;
    const entry = Buffer.alloc(entryBytes);
    // One byte each; 256 is written as 0.
    entry.writeUInt8(side % 256, 0);
    entry.writeUInt8(side % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(size, 8);
    entry.writeUInt32LE(offset, 12);
    offset += size;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...bodies]);
}

/** A bottom-up 32-bit bitmap with an empty mask, because alpha holds the transparency. */
function bitmapOf({ side, rgba }: Picture): Buffer {
  const header = Buffer.alloc(bitmapHeaderBytes);
  header.writeUInt32LE(bitmapHeaderBytes, 0);
  header.writeInt32LE(side, 4);
  // The height counts colours and mask.
  header.writeInt32LE(side * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const colours = Buffer.alloc(rgba.length);
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const pixel = rgba.readUInt32BE((row * side + column) * 4);
      colours.writeUInt32LE(argb(pixel), ((side - 1 - row) * side + column) * 4);
    }
  }
  // One bit each, rows padded to 32 bits.
  const mask = Buffer.alloc(Math.ceil(side / 32) * 4 * side);
  return Buffer.concat([header, colours, mask]);
}

const argb = (pixel: number) => ((pixel << 24) | (pixel >>> 8)) >>> 0;
