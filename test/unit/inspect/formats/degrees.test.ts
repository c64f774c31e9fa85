import { describe, expect, it } from 'vitest';
import { readFile } from '../../../../main/inspect/formats/read-file.ts';
import { areAllRead } from '../../../../shared/degrees.ts';
import { glb } from '../findings/model-files.ts';
import { plain, wholeFiles } from '../unread-files.ts';
import { readBytes } from './read-bytes.ts';
import { jpeg, laz, png, zip } from './sample-files.ts';

const degreeOf = async (...file: Parameters<typeof readBytes>) => (await readBytes(...file)).degree;
const noise = Buffer.alloc(6_000, 7);

it('the degree of a complete file distinguishes formats without a reader from files without data', async () => {
  expect(await degreeOf('a.dwg', 'AC1032')).toBe('no-reader');
  expect(await degreeOf('a.hgt', noise)).toBe('no-reader');
  expect(await degreeOf('a.asc', '1 2 3\n4 5 6\n')).toBe('no-reader');
  expect(await degreeOf('a.txt', 'notes')).toBeUndefined();
  expect(await degreeOf('a.xml', '<metadata/>')).toBeUndefined();
});

it('the degree of a complete file is limited when finding the end takes too many bytes', async () => {
  const read = async (at: number, length: number) => photo.subarray(at, at + length);
  const photo = Buffer.concat([jpeg, Buffer.alloc(100_000, 7)]);
  const file = { extension: '.jpg', size: photo.length, read, readSidecar: async () => null };
  expect(await readFile({ ...file, budget: 8_192 })).toMatchObject({ verdict: null, degree: 'limit' });
  expect(await readFile(file)).toMatchObject({ degree: 'read' });
});

it.each([
  ['a.tif', png, 'png'],
  ['a.tif', '<VRTDataset/>', 'xml'],
  ['a.las', 'x y z', 'text'],
  ['a.glb', noise, 'unknown'],
  ['a.obj', noise, 'unknown'],
  ['a.gltf', 'not JSON', 'text'],
  ['a.ifc', 'not STEP', 'text'],
  ['a.fbx', noise, 'unknown'],
  ['a.b3dm', noise, 'unknown'],
  ['a.e57', jpeg, 'jpeg'],
  ['a.gml', zip(), 'zip'],
  ['a.dwg', '%PDF-1.7', 'pdf'],
] as const)('foreign content is reported for %s', async (name, bytes, content) => {
  const expected = { verdict: 'otherFormat', degree: 'wrong-format', content };
  expect(await readBytes(name, bytes)).toMatchObject(expected);
});

it('foreign content is ignored by readers that detect formats: pictures, packed tiles, glTF tiles and FBX text', async () => {
  expect(await readBytes('a.jpg', png)).toMatchObject({ head: { kind: 'png' }, degree: 'read' });
  expect(await readBytes('a.png', jpeg)).toMatchObject({ head: { kind: 'jpeg' }, verdict: null });
  const packedBytes = Buffer.from('1f8b08', 'hex');
  expect(await readBytes('a.b3dm', packedBytes)).toMatchObject({ verdict: null, degree: 'end-only' });
  expect(await readBytes('a.b3dm', glb([1, 2, 3]))).toMatchObject({ verdict: null });
  expect(await readBytes('a.fbx', '; FBX 7.3.0 project file')).toMatchObject({ verdict: null });
  expect(await readBytes('a.img', noise)).toMatchObject({ verdict: null, degree: 'no-reader' });
});

describe('zeros', () => {
  const zeros = Buffer.alloc(9_000);

  it('zeros are no data in formats with magic bytes or text', async () => {
    for (const extension of '.tif .las .laz .jpg .png .glb .obj .gml .asc .fbx .shp'.split(' '))
      expect(await readBytes(`a${extension}`, zeros), extension).toMatchObject({ verdict: 'zeros' });
  });

  it('zeros are noted in formats of bare numbers', async () => {
    for (const extension of ['.bil', '.flt', '.img', '.hgt'])
      expect(await readBytes(`a${extension}`, zeros), extension).toMatchObject({
        verdict: null,
        zeros: 'begin',
      });
    const lines = Buffer.concat([Buffer.from('1 2 3\n'.repeat(200)), zeros]);
    expect(await readBytes('a.xyz', lines)).toMatchObject({ verdict: null, zeros: 'end' });
    const black = Buffer.concat([Buffer.alloc(90_000, 7), Buffer.alloc(5_000)]);
    expect(await readBytes('a.hgt', black)).toMatchObject({ verdict: null, zeros: 'tail' });
  });

  it('zeros are not noted in complete files', async () => {
    for (const [name, bytes] of Object.entries({ ...wholeFiles, 'e.tif': plain })) {
      const contents = await readBytes(name, bytes);
      expect([contents.verdict, contents.degree, contents.zeros], name).toEqual([null, 'read', undefined]);
    }
  });

  it('zeros after packed points mark an unfilled file', async () => {
    expect(await readBytes('a.laz', Buffer.concat([laz(), zeros]))).toMatchObject({ verdict: 'zeros' });
  });
});

it('areAllRead() requires data files that are all read', () => {
  const read = { degree: 'read', count: 3, examples: [] } as const;
  expect(areAllRead([])).toBe(false);
  expect(areAllRead([read])).toBe(true);
  expect(areAllRead([read, { degree: 'limit', count: 1, examples: ['a.tif'] }])).toBe(false);
});
