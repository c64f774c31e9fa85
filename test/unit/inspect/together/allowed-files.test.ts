import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { performTask } from '../../../../main/inspect/headers/inspection-tasks.ts';
import { hasExpectedContent } from '../../../../main/inspect/together/allowed-files.ts';
import { findCompanions } from '../../../../main/inspect/together/companions.ts';
import { includeCompanions } from '../../../../main/inspect/together/include-companions.ts';
import { createReferences } from '../../../../main/inspect/together/references.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { zip } from '../formats/sample-files.ts';
import { beginningOf } from './beginnings.ts';

let home = '';
beforeEach(() => {
  home = temporaryFolder();
});

const thread = {
  ask: async (task: Parameters<typeof performTask>[0]) => (await performTask(task)) as never,
  close: () => {},
};
const references = createReferences(thread, 'dropped');

async function writeContent(place: string, content: string | Buffer) {
  await mkdir(dirname(join(home, place)), { recursive: true });
  await writeFile(join(home, place), content);
}

/** Files included with a dropped file, relative to its folder. */
async function broughtBy(document: string): Promise<readonly string[]> {
  const folder = join(home, 'downloads');
  const { taken } = await includeCompanions([join(folder, document)], (at, names) =>
    findCompanions(at, names, references),
  );
  return taken.map((path) => relative(folder, path)).sort();
}

const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n';

/** Files that a model from others must not upload. */
const secrets: Readonly<Record<string, string | Buffer>> = {
  '.ssh/id_ed25519': key,
  '.netrc': 'machine tiles.example login anna password secret\n',
  'passwords.kdbx': Buffer.from('03d9a29a67fb4bb5', 'hex'),
  'private/tax.pdf': '%PDF-1.7\n',
  '../x.png': beginningOf('x.png'),
  '.hidden/x.png': beginningOf('x.png'),
  '.x.png': beginningOf('x.png'),
  'tex/.hidden/x.png': beginningOf('x.png'),
  'key.png': key,
  'key.tga': key,
  'key.bin': key,
  'key.mtl': key,
  'key.dae': key,
  'key.kml': key,
  'key.tif': key,
  'key.flt': key,
  'key.3mxb': key,
  'key.gpkg': key,
  'wallet.bin': Buffer.from('SQLite format 3\0'),
  'vault.bin': Buffer.from('03d9a29a67fb4bb5', 'hex'),
  'key.flt.bin': Buffer.from('308204a40201000282010100', 'hex'),
  'browser.gpkg': Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(100)]),
  secret: key,
  'wallet.dat': Buffer.from('0000000062310500', 'hex'),
  'passwords.csv': 'site,password\n',
};

interface Document {
  readonly name: string;
  /** Content that names these files. */
  readonly naming: (names: readonly string[]) => string | Buffer;
  /** Files it may include; none if its format is not parsed. */
  readonly usable: readonly string[];
}

const element =
  (name: string, attributes = '') =>
  (one: string) =>
    `<${name}${attributes}>${one}</${name}>`;
const gltf = (names: readonly string[]) =>
  JSON.stringify({ buffers: names.map((uri) => ({ uri })), images: names.map((uri) => ({ uri })) });
const glb = (names: readonly string[]) => {
  const text = Buffer.from(gltf(names));
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0\0\0\0\0JSON', 'latin1');
  head.writeUInt32LE(20 + text.length, 8);
  head.writeUInt32LE(text.length, 12);
  return Buffer.concat([head, text]);
};
const tileset = (names: readonly string[]) =>
  JSON.stringify({ root: { children: names.map((uri) => ({ content: { uri } })) } });

const pictures = ['wall.png', 'tex/roof.jpg', 'tex/ground.tif'];
const documents: readonly Document[] = [
  { name: 'm.gltf', naming: gltf, usable: [...pictures, 'data.bin'] },
  { name: 'm.glb', naming: glb, usable: [] },
  {
    name: 'm.obj',
    naming: (names) => names.map((name) => `mtllib ${name}\n`).join(''),
    usable: ['lib/a.mtl'],
  },
  {
    name: 'm.mtl',
    naming: (names) => `newmtl a\n${names.map((name) => `map_Kd ${name}\n`).join('')}`,
    usable: pictures,
  },
  {
    name: 'm.dae',
    naming: (names) =>
      `<COLLADA><library_images>${names.map(element('init_from')).join('')}</library_images></COLLADA>`,
    usable: pictures,
  },
  {
    name: 'm.kml',
    naming: (names) => `<kml>${names.map(element('href')).join('')}</kml>`,
    usable: [...pictures, 'house.dae', 'more.kml'],
  },
  {
    name: 'm.gml',
    naming: (names) => `<CityModel>${names.map(element('app:imageURI')).join('')}</CityModel>`,
    usable: pictures,
  },
  {
    name: 'm.vrt',
    naming: (names) =>
      `<VRTDataset>${names.map(element('SourceFilename', ' relativeToVRT="1"')).join('')}</VRTDataset>`,
    usable: [...pictures, 'other.vrt'],
  },
  {
    name: 'm.gti',
    naming: (names) =>
      `<GDALTileIndexDataset>${names.map(element('IndexDataset')).join('')}</GDALTileIndexDataset>`,
    usable: ['index.gpkg'],
  },
  {
    name: 'm.3mx',
    naming: (names) => JSON.stringify({ layers: names.map((root) => ({ root })) }),
    usable: ['Data/root.3mxb'],
  },
  { name: 'tileset.json', naming: tileset, usable: [] },
  { name: 'm.zip', naming: (names) => Buffer.concat([zip(), Buffer.from(gltf(names))]), usable: [] },
];

const allUsable = [...new Set(documents.flatMap(({ usable }) => usable))];

describe.each(documents)('a dropped $name', ({ name, naming, usable: usableFiles }) => {
  it('S23: includes files its format uses, and nothing private', async () => {
    for (const [place, content] of Object.entries(secrets)) await writeContent(`downloads/${place}`, content);
    for (const place of allUsable) await writeContent(`downloads/${place}`, beginningOf(place));
    await writeContent(`downloads/${name}`, naming([...Object.keys(secrets), ...allUsable]));
    expect(await broughtBy(name)).toEqual(usableFiles.toSorted());
  });
});

it('S24: an OBJ includes no private file through its material library', async () => {
  for (const [place, content] of Object.entries(secrets)) await writeContent(`downloads/${place}`, content);
  await writeContent('downloads/wall.png', beginningOf('wall.png'));
  await writeContent('downloads/m.obj', 'mtllib lib/a.mtl\n');
  const up = Object.keys(secrets).map((place) => `map_Kd ../${place}\nmap_Ks ${place}\n`);
  await writeContent('downloads/lib/a.mtl', `newmtl a\n${up.join('')}map_Ka ../wall.png\n`);
  expect(await broughtBy('m.obj')).toEqual(['lib/a.mtl', 'wall.png']);
});

describe('hasExpectedContent()', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  it.each([
    ['a.png', latin1('\xff\xd8\xff\xe0'), 'a picture of another format than its ending says'],
    ['a.tga', Buffer.from('000002000000000000000000100010002000', 'hex'), 'a TGA without a signature'],
    ['a.mtl', Buffer.from('# made by hand\r\n\r\n  Kd 1 1 1\r\n'), 'a library that begins with comments'],
    ['a.mtl', Buffer.from("# Blender MTL File: 'None'\n"), 'a library without materials'],
    ['a.kml', Buffer.from('\ufeff<?xml version="1.0"?><k:kml xmlns:k="x">', 'utf16le'), 'XML in UTF-16'],
    ['a.hgt', Buffer.from('00640065ff9c8000', 'hex'), 'heights without a head'],
    ['a.asc', Buffer.from('ncols 4\nnrows 4\n'), 'a text grid'],
  ])('hasExpectedContent() accepts in %s the bytes %j: %s', (name, beginning) => {
    expect(hasExpectedContent(name, beginning)).toBe(true);
  });

  it.each([
    ['a.mtl', Buffer.from('password: secret\n'), 'text that is no library'],
    ['a.bin', Buffer.from(key, 'utf16le').fill('\xff\xfe', 0, 2, 'latin1'), 'text in UTF-16'],
    ['a.bin', Buffer.from('PK\x03\x04\x14\0'), 'an archive'],
    ['a.png', Buffer.alloc(0), 'nothing'],
    ['a.unheard', latin1('\x89PNG\r\n\x1a\n'), 'a picture of an unknown ending'],
  ])('hasExpectedContent() rejects in %s the bytes %j: %s', (name, beginning) => {
    expect(hasExpectedContent(name, beginning)).toBe(false);
  });
});
