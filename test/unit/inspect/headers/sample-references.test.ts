import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planInspection } from '../../../../main/inspect/headers/choose.ts';
import { sampleReferences } from '../../../../main/inspect/headers/file-references.ts';
import { readHeaderOf } from '../../../../main/inspect/headers/inspection-tasks.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { hfaWithOutside } from '../formats/sample-files.ts';

const kib = 1024;

async function glance(name: string, content: string | Buffer) {
  const bytes = Buffer.from(content);
  let read = 0;
  const names = await sampleReferences(name, bytes.length, async (at, length) => {
    read += length;
    return bytes.subarray(at, at + length);
  });
  return { names, read };
}

it('sampleReferences() reads 64 KiB of an OBJ and ignores a truncated line', async () => {
  const text = `mtllib a.mtl\n${'#'.repeat(64 * kib - 13 - 15)}\nmtllib cut-off.mtl\nmtllib behind.mtl\n`;
  expect(await glance('m.obj', text)).toEqual({ names: ['a.mtl'], read: 64 * kib });
});

it('sampleReferences() reads both ends of XML and ignores partial names', async () => {
  const image = (name: string) => `<app:imageURI>${name}</app:imageURI>`;
  const textStart = `${image('a.jpg')}${' '.repeat(64 * kib - 50)}${image('cut-off.jpg')}`;
  const text = `${textStart}${' '.repeat(500 * kib)}${image('z.jpg')}`;
  expect(await glance('m.gml', text)).toEqual({ names: ['a.jpg', 'z.jpg'], read: 128 * kib });
});

it('sampleReferences() reads up to 300 KiB of a glTF', async () => {
  const gltf = (pad: number) => JSON.stringify({ buffers: [{ uri: 'a.bin' }], pad: 'x'.repeat(pad) });
  expect((await glance('m.gltf', gltf(200 * kib))).names).toEqual(['a.bin']);
  expect(await glance('m.gltf', gltf(300 * kib))).toEqual({ names: [], read: 0 });
});

it('sampleReferences() reads the pixel file of an ERDAS image in bounded reads', async () => {
  const image = hfaWithOutside('tile.ige');
  expect((await glance('m.img', image)).names).toEqual(['tile.ige']);
  for (let end = 0; end < image.length; end++) {
    const { names } = await glance('m.img', image.subarray(0, end));
    expect(names.length === 0 || names[0] === 'tile.ige').toBe(true);
  }
  // A circular tree, and a name longer than its container.
  const circle = Buffer.from(image);
  circle.writeUInt32LE(38, 38 + 128 + 12);
  expect((await glance('m.img', circle)).names).toEqual([]);
  const longImage = Buffer.from(image);
  longImage.writeUInt32LE(0xffff_ffff, longImage.indexOf('tile.ige') - 8);
  expect((await glance('m.img', longImage)).names).toEqual([]);
  const shortImage = Buffer.from(image);
  shortImage.writeUInt32LE(12, 38 + 256 + 20);
  expect((await glance('m.img', shortImage)).names).toEqual([]);
  const wideBuffer = Buffer.alloc(10_000_000);
  wideBuffer.write('EHFA_HEADER_TAG\0', 'latin1');
  wideBuffer.writeUInt32LE(20, 16);
  wideBuffer.writeUInt32LE(5_000, 28);
  for (let at = 5_000; at + 30_000 < wideBuffer.length; at += 30_000)
    wideBuffer.writeUInt32LE(at + 30_000, at);
  const { names, read } = await glance('m.img', wideBuffer);
  expect(names).toEqual([]);
  expect(read).toBeLessThanOrEqual(64 * kib);
});

it('sampleReferences() accepts only names without uncertain letters', async () => {
  const text = 'mtllib B\u00e4ume.mtl\nmtllib a.mtl\n';
  expect((await glance('m.obj', text)).names).toEqual(['B\u00e4ume.mtl', 'a.mtl']);
  expect((await glance('m.obj', Buffer.from(text, 'latin1'))).names).toEqual(['a.mtl']);
});

it('sampleReferences() tolerates a letter split at the start of the tail', async () => {
  const text = `${' '.repeat(200 * kib)}${'\u00e4'.repeat(40 * kib)}<imageURI>\u00e4.jpg</imageURI>`;
  for (const pad of ['', ' ']) expect((await glance('m.gml', text + pad)).names).toEqual(['\u00e4.jpg']);
});

it('sampleReferences() skips formats without names and the end of other XML', async () => {
  expect(await glance('m.las', 'mtllib a.mtl\n')).toEqual({ names: [], read: 0 });
  expect(await glance('m.xml', `<a>${' '.repeat(500 * kib)}</a>`)).toEqual({ names: [], read: 64 * kib });
});

it('planInspection() includes material libraries of models', async () => {
  expect(planInspection(['a.obj', 'a.mtl', 'a.txt'].map((key) => ({ key, size: 1 }))).order).toHaveLength(2);
  const folder = temporaryFolder();
  const path = join(folder, 'a.mtl');
  await writeFile(path, 'map_Kd wall.jpg\n');
  const { names, verdict } = await readHeaderOf({ kind: 'head', key: 'a.mtl', path, sidecars: [] });
  expect({ names, verdict }).toEqual({ names: ['wall.jpg'], verdict: null });
});
