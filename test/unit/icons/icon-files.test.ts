import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Picture } from '../../../tools/icons/icon-files.ts';
import { icnsFile, icnsSides, icoFile } from '../../../tools/icons/icon-files.ts';

const build = join(import.meta.dirname, '..', '..', '..', 'build');
const png = (side: number) => Buffer.from(`png of ${side}`);

/** Opaque red except for the first pixel, which is half-transparent blue. */
function aPicture(side: number): Picture {
  const rgba = Buffer.alloc(side * side * 4);
  for (let at = 0; at < rgba.length; at += 4) rgba.writeUInt32BE(0xff0000ff, at);
  rgba.writeUInt32BE(0x0000ff80, 0);
  return { side, png: png(side), rgba };
}

/** Directory of a Windows icon file. */
const entriesOf = (file: Buffer) =>
  Array.from({ length: file.readUInt16LE(4) }, (_, place) => {
    const at = 6 + 16 * place;
    const start = file.readUInt32LE(at + 12);
    const side = file.readUInt8(at) || 256;
    return { side, body: file.subarray(start, start + file.readUInt32LE(at + 8)) };
  });

/** Blocks of a macOS icon file by type. */
function blocksOf(file: Buffer): ReadonlyMap<string, Buffer> {
  const blocks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4))
    blocks.set(file.toString('latin1', at, at + 4), file.subarray(at + 8, at + file.readUInt32BE(at + 4)));
  return blocks;
}

const sideOfPng = (file: Buffer) => file.readUInt32BE(16);

it('the Windows icon file contains small pictures as bottom-up bitmaps, blue first', () => {
  const [entry] = entriesOf(icoFile([aPicture(20)]));
  const body = entry?.body ?? Buffer.alloc(0);
  // Header, 20 × 20 colours, and a mask with rows padded to 4 bytes.
  expect(body).toHaveLength(40 + 1600 + 80);
  expect([body.readInt32LE(4), body.readInt32LE(8)]).toEqual([20, 40]);
  const topLeft = 40 + 19 * 20 * 4;
  expect([...body.subarray(topLeft, topLeft + 8)]).toEqual([0xff, 0, 0, 0x80, 0, 0, 0xff, 0xff]);
});

it('the Windows icon file contains large pictures as PNG at the listed offsets', () => {
  const entries = entriesOf(icoFile([aPicture(16), aPicture(256), aPicture(32)]));
  expect(entries.map(({ side }) => side)).toEqual([16, 256, 32]);
  expect(entries[1]?.body).toEqual(png(256));
  expect(entries[2]?.body.readUInt32LE(0)).toBe(40);
});

it('the Windows icon file exists in build/ with every size that Windows needs', () => {
  const entries = entriesOf(readFileSync(join(build, 'icon.ico')));
  expect(entries.map(({ side }) => side)).toEqual([16, 20, 24, 32, 40, 48, 64, 96, 128, 256]);
});

it('the macOS icon file contains a picture for each size, and again for double density', () => {
  const file = icnsFile(icnsSides.map((side) => ({ side, png: png(side) })));
  expect(file.readUInt32BE(4)).toBe(file.length);
  expect(blocksOf(file).get('ic08')).toEqual(png(256));
  expect(blocksOf(file).get('ic13')).toEqual(png(256));
});

it('the macOS icon file requires every size', () =>
  expect(() => icnsFile([{ side: 32, png: png(32) }])).toThrow('64 pixels'));

it('the macOS icon file exists in build/ with pictures of the right sizes', () => {
  const sides = [...blocksOf(readFileSync(join(build, 'icon.icns')))].map(
    ([type, picture]) => [type, sideOfPng(picture)] as const,
  );
  expect(Object.fromEntries(sides)).toEqual({
    ...{ ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 },
  });
});
