import type { Picture } from './picture.ts';

/**
 * What the icon file of macOS calls its PNG pictures, by side in pixels; the second of two is for screens of double density.
 * 16 and 32 pixels of single density have older formats only: macOS scales the next larger picture for them.
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

/** The sides that the icon of a program for macOS has. */
export const icnsSides: readonly number[] = [...new Set(types.map(([, side]) => side))];

/** The icon file of macOS: blocks of type, length and picture, in one such block. Pure. Throws where a side is missing. */
export function icnsFile(pictures: readonly Pick<Picture, 'side' | 'png'>[]): Buffer {
  const blocks = types.map(([type, side]) => {
    const picture = pictures.find((one) => one.side === side);
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
