import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLonLat } from '../../../../main/inspect/crs/lon-lat.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import { ScanResults } from '../../../../main/inspect/header-scan/scan-results.ts';
import { readMembers } from '../../../../main/inspect/headers/archive-members.ts';
import { planInspection } from '../../../../main/inspect/headers/choose.ts';
import { inspectedMembers, type Look } from '../../../../main/inspect/headers/look-inside.ts';
import { objModel } from '../findings/model-files.ts';
import { rasterFile } from '../findings/raster-files.ts';
import { archiveOf } from '../formats/archive-files.ts';
import { kmlLine, kmlModel, kmlOf, tileset, zipOf } from '../formats/document-files.ts';
import { cityModel, jpegFile, lasFile, projectedKeys, tiffFile } from '../formats/sample-heads.ts';

const systems = await loadSystems();

interface Options {
  readonly key?: string;
  readonly now?: () => number;
}

/** Contents read from an archive, and the length of each read. */
async function read(archive: Buffer, { key = 'a.zip', now = () => 0 }: Options = {}) {
  const lengths: number[] = [];
  const file = {
    size: archive.length,
    read: async (at: number, length: number) => {
      const bytes = archive.subarray(at, at + length);
      lengths.push(bytes.length);
      return bytes;
    },
  };
  const members = await readMembers(file, { key, currentTime: now });
  return { ...members, lengths, longest: Math.max(...lengths) };
}

/** A survey of one archive. */
async function survey(archive: Buffer, key = 'a.zip') {
  const { members, isDamaged } = await read(archive, { key });
  const archiveLook: Look = {
    ...{ key, sidecarSystemName: null, verdict: null },
    head: { kind: 'zip', traits: isDamaged ? ['damaged'] : [], methods: [] },
    ...(members && { members }),
  };
  const findings = createFindings([{ key, size: archive.length }], { ...systems, toLonLat });
  const results = new ScanResults(planInspection([{ key, size: 1 }]), findings, () => null);
  results.addLook(archiveLook);
  return results.results('done');
}
const idsIn = async (archive: Buffer, key?: string) =>
  (await survey(archive, key)).findings.map(({ id }) => id);

const placedRaster = tiffFile({
  ...{ bands: 3, geoKeys: projectedKeys(25832), size: [10, 10] },
  ...{ scale: [100, 100, 0], tie: [0, 0, 0, 500_000, 5_700_000, 0] },
});
const noise = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, index) => ((index * 7_919 * (index >> 5)) >> 3) & 0xff));
/** Its beginning suffices; its end is past the unpacked part. */
const longCity = cityModel().replace('</core:City', `<!--${noise(150_000).toString('hex')}--></core:City`);
const longLas = lasFile({ geoKeys: projectedKeys(25832), classes: Array.from({ length: 4_000 }, () => 2) });

it.each([
  ['deflated', {}],
  ['stored', { stored: true }],
  ['in Zip64', { large: true }],
  ['behind a program that unpacks them', { before: 'MZ'.repeat(500) }],
])('files in an archive are read like files in a folder with their sidecars: %s', async (_, options) => {
  const archive = archiveOf(
    {
      'x/a.tif': placedRaster,
      'x/b.tif': tiffFile({ bands: 3 }),
      'x/B.TIF.aux.xml': '<PAMDataset><SRS>EPSG:25833</SRS></PAMDataset>',
      'c.las': lasFile({ geoKeys: projectedKeys(25832) }),
      'readme.txt': 'notes',
      'x/': '',
    },
    options,
  );
  const { members } = await read(archive);
  expect(members?.heads.map(({ key, answer }) => [key, answer.degree])).toEqual([
    ['a.zip/x/a.tif', 'read'],
    ['a.zip/x/b.tif', 'read'],
    ['a.zip/c.las', 'read'],
  ]);
  expect(members).toMatchObject({
    heads: [
      { answer: { head: { kind: 'tiff', system: 'EPSG:25832' }, sidecarSystemName: null } },
      { answer: { head: { kind: 'tiff', system: null }, sidecarSystemName: 'EPSG:25833' } },
      { answer: { head: { kind: 'las', system: 'EPSG:25832' } } },
    ],
    unread: { count: 0, examples: [] },
    totals: { tif: 2, las: 1 },
  });
});

it('files in an archive have the findings of a folder: no system, no place, truncated, foreign', async () => {
  const { findings } = await survey(
    archiveOf({ 'a.tif': tiffFile({ bands: 3 }), 'b.tif': placedRaster.subarray(0, -1), 'c.las': 'x y z' }),
  );
  expect(
    findings.filter(({ inArchives, fix }) => inArchives && !fix).map(({ id, keys }) => [id, keys]),
  ).toEqual([
    ['no-system-raster', ['a.zip/a.tif']],
    ['cut-off', ['a.zip/b.tif']],
    ['wrong-format', ['a.zip/c.las']],
    ['no-place', ['a.zip/a.tif']],
  ]);
  expect(findings.flatMap(({ fix }) => fix?.kind ?? [])).toEqual(['switch']);
  expect(findings[0]).toMatchObject({ count: 1, looked: 2, total: 2 });
});

it('files in an archive are found in folders with backslashes', async () => {
  const { members } = await read(
    archiveOf({ 'd\\t\\a.tif': tiffFile({}), 'd\\t\\a.tfw': '1\n0\n0\n-1\n5\n6\n' }),
  );
  expect(members?.heads).toMatchObject([{ key: 'a.zip/d/t/a.tif' }]);
  expect(members?.keys).toEqual(['a.zip/d/t/a.tif', 'a.zip/d/t/a.tfw']);
});

it('files in an archive have their references resolved in the archive', async () => {
  const model = { 'a.obj': `mtllib a.mtl\n${objModel([1, 2, 3])}`, 'a.mtl': 'map_Kd wall.jpg\n' };
  expect(await idsIn(archiveOf(model))).toContain('missing-files');
  expect(await idsIn(archiveOf({ ...model, 'wall.jpg': jpegFile(null) }))).not.toContain('missing-files');
});

it('files in an archive in a KMZ reveal whether it has models', async () => {
  expect(await idsIn(zipOf('doc.kml', kmlOf(kmlLine)), 'a.kmz')).toContain('kml-no-models');
  expect(await idsIn(zipOf('doc.kml', kmlOf(kmlModel)), 'a.kmz')).not.toContain('kml-no-models');
  const longKml = kmlOf(kmlLine, `<!--${noise(100_000).toString('hex')}-->`, kmlModel);
  expect(await idsIn(zipOf('doc.kml', longKml), 'a.kmz')).not.toContain('kml-no-models');
});

it('files in an archive count as textures of a city model', async () => {
  const archive = archiveOf({ 'a.gml': cityModel(), 'wall.jpg': jpegFile([52, 13]) });
  const { members } = await read(archive);
  expect(members?.heads).toMatchObject([{ answer: { head: { kind: 'gml' } } }, { key: 'a.zip/wall.jpg' }]);
  expect(members?.heads[1]?.answer.head?.kind).not.toBe('jpeg');
});

it('files in an archive are proposed as the root of a tileset by their name in the archive', async () => {
  const scene = tileset({ content: { uri: 'a.b3dm' } });
  const fixesOf = async (...names: string[]) => {
    const archive = archiveOf(Object.fromEntries([...names, 'a/a.b3dm'].map((name) => [name, scene])));
    return (await survey(archive)).findings.flatMap(({ id, fix }) => (id === 'tileset-name' ? [fix] : []));
  };
  expect(await fixesOf('a/scene.json')).toEqual([{ kind: 'tileset-root', key: 'a/scene.json' }]);
  expect(await fixesOf('a/scene.json', 'a/other.json')).toEqual([undefined]);
  expect(await fixesOf('a/tileset.json')).toEqual([]);
});

it('files in an archive are ignored if a scan would ignore them', async () => {
  const { members } = await read(
    archiveOf({ '__MACOSX/._a.tif': 'x', 'b/.DS_Store': 'x', 'a.tif': placedRaster }),
  );
  expect(members).toMatchObject({ totals: { tif: 1 }, keys: ['a.zip/a.tif'] });
});

it('an unreadable KMZ may contain the models that a KML lacks', () => {
  const kml: Look = {
    ...{ key: 'b.kml', sidecarSystemName: null, verdict: null },
    head: { kind: 'kml', system: 'EPSG:4326', vertical: null, content: 'shapes' },
  };
  const idsOf = (...manyLooks: readonly Look[]) => {
    const files = manyLooks.map(({ key }) => ({ key, size: 9 }));
    const findings = createFindings(files, { ...systems, toLonLat });
    for (const header of manyLooks) findings.add(header);
    return findings.finish().map(({ id }) => id);
  };
  const kmz: Look = { key: 'a.kmz', sidecarSystemName: null, verdict: null, head: null, unread: true };
  expect(idsOf(kml)).toContain('kml-no-models');
  expect(idsOf(kmz, kml)).not.toContain('kml-no-models');
});

describe('the degree of an archive', () => {
  const degreesOf = async (archive: Buffer) =>
    (await survey(archive)).degrees.map(({ degree, count, examples }) => [degree, count, examples]);

  it('the degree of an archive is that of its files', async () => {
    const files = {
      'a.tif': placedRaster,
      'b.tif': placedRaster,
      'long.gml': longCity,
      'c.tif': { content: placedRaster, flags: 1 },
    };
    expect(await degreesOf(archiveOf(files))).toEqual([
      ['read', 2, []],
      ['head-only', 1, ['a.zip/long.gml']],
      ['names-only', 1, ['a.zip/c.tif']],
    ]);
  });

  it('the degree of an archive is read for a long stored file', async () => {
    expect(await degreesOf(archiveOf({ 'long.gml': longCity }, { stored: true }))).toEqual([['read', 1, []]]);
  });

  it('the degree of an archive counts files that are encrypted, nested or too many by name', async () => {
    const manyFiles = Object.fromEntries(Array.from({ length: 1_003 }, (_, at) => [`${at}.xyz`, '1 2 3']));
    expect(await degreesOf(archiveOf(manyFiles))).toContainEqual(['names-only', 3, expect.any(Array)]);
    const archive = archiveOf({
      'b.zip': zipOf('a.tif', placedRaster),
      'c.tif': { content: placedRaster, method: 14 },
    });
    expect(await degreesOf(archive)).toEqual([['names-only', 2, ['a.zip/b.zip', 'a.zip/c.tif']]]);
    expect((await read(archive)).members?.heads).toEqual([]);
  });

  it('the degree of an archive counts files that were not read within two seconds by name', async () => {
    let ms = 0;
    const now = () => {
      ms += 600;
      return ms;
    };
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}.tif`, placedRaster]));
    const { members } = await read(archiveOf(files), { now });
    expect(members).toMatchObject({ heads: [{}, {}, {}], unread: { count: 2 } });
  });
});

it('a long deflated file is described by its beginning, except for facts its end may change', async () => {
  const { members } = await read(archiveOf({ 'a.gml': longCity, 'b.las': longLas }));
  expect(members?.heads).toMatchObject([
    { answer: { head: { kind: 'gml', system: 'EPSG:25832' }, verdict: null, degree: 'head-only' } },
    { answer: { head: { kind: 'las', system: 'EPSG:25832' }, verdict: null, degree: 'head-only' } },
  ]);
  expect(members?.heads[0]?.answer.head).not.toHaveProperty('traits');
});

it('a long deflated file gets no verdict on a partly unpacked grid', async () => {
  const rows = Array.from({ length: 300 }, (_, row) => `${`${row} `.repeat(299)}7\n`).join('');
  const grid = `ncols 300\nnrows 300\nxllcorner 0\nyllcorner 0\ncellsize 1\n${rows}`;
  const { members } = await read(archiveOf({ 'a.asc': grid }));
  expect(members?.heads).toMatchObject([
    { answer: { head: { kind: 'grid' }, verdict: null, degree: 'head-only' } },
  ]);
});

it('a long deflated file is unpacked up to a limit', async () => {
  const bomb = deflateRawSync(Buffer.alloc(300_000_000));
  const archive = archiveOf({ 'a.tif': { content: '', data: bomb, size: 300_000_000, packed: bomb.length } });
  const { members, longest: longestName } = await read(archive);
  expect(members?.unread.count ?? 0).toBe(0);
  expect(members?.heads).toMatchObject([{ answer: { verdict: 'zeros' } }]);
  expect(longestName).toBeLessThan(200_000);
});

describe('a file that can’t be unpacked', () => {
  const wholeMember = deflateRawSync(placedRaster);
  it.each([
    ['is longer than the directory says', { content: placedRaster, size: placedRaster.length - 1 }],
    ['is shorter than the directory says', { content: placedRaster, size: placedRaster.length + 1 }],
    ['has another checksum', { content: placedRaster, crc: 1 }],
    ['is stored with another checksum', { content: placedRaster, crc: 1, method: 0 }],
    ['breaks off', { content: placedRaster, data: wholeMember.subarray(0, -20) }],
    ['is no Deflate', { content: placedRaster, data: Buffer.alloc(500, 0xff) }],
    ['would end behind the archive', { content: placedRaster, packed: 900_000 }],
    ['is not where the directory says', { content: placedRaster, place: 3 }],
    ['is stored in two lengths', { content: placedRaster, method: 0, size: 3 }],
    ['begins behind the archive', { content: placedRaster, place: 2 ** 31 }],
  ])('a file that can’t be unpacked damages the archive if it %s', async (_, file) => {
    const { findings, degrees } = await survey(archiveOf({ 'a.tif': file, 'b.tif': placedRaster }));
    expect(findings.map(({ id }) => id)).toContain('zip-damaged');
    expect(degrees).toEqual([
      { degree: 'read', count: 1, examples: [] },
      { degree: 'names-only', count: 1, examples: ['a.zip/a.tif'] },
    ]);
  });

  it('a file that can’t be unpacked includes a local header with another name', async () => {
    const { isDamaged, members } = await read(
      archiveOf({ 'a.tif': { content: placedRaster, localName: 'other/name' } }),
    );
    expect(isDamaged).toBe(false);
    expect(members?.heads).toHaveLength(1);
  });
});

it('archive files have the same findings and degrees, however they are packed', async () => {
  const contents: readonly (readonly [string, Buffer | string])[] = [
    ['tif', placedRaster],
    ['tif', tiffFile({ bands: 3 })],
    ['tif', placedRaster.subarray(0, -3)],
    [
      'tif',
      rasterFile({
        rows: [
          [1, 2],
          [3, 4],
        ],
      }),
    ],
    ['las', lasFile({ geoKeys: projectedKeys(25832) })],
    ['gml', cityModel('')],
    ['obj', objModel([550_000, 5_800_000, 40])],
    ['kml', kmlOf(kmlLine)],
    ['prj', 'PROJCS["x"]'],
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(contents.length - 1), { minLength: 1, maxLength: 9 }),
      async (chosenNumbers) => {
        const files = Object.fromEntries(
          chosenNumbers.map((index, at) => [`${at}.${contents[index]?.[0]}`, contents[index]?.[1] ?? '']),
        );
        const [deflated, storedFacts, large] = await Promise.all([
          survey(archiveOf(files)),
          survey(archiveOf(files, { stored: true })),
          survey(archiveOf(files, { large: true, before: 'x' })),
        ]);
        const plain = (facts: Awaited<ReturnType<typeof survey>>) => ({ ...facts, findings: facts.findings });
        expect(plain(storedFacts)).toEqual(plain(deflated));
        expect(plain(large)).toEqual(plain(deflated));
      },
    ),
    { numRuns: 40 },
  );
});

it('mutated archives never throw', async () => {
  const wholeArchive = archiveOf(
    { 'a.tif': placedRaster, 'b\\c.las': lasFile({}), 'd.gml': longCity },
    { large: true },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(wholeArchive.length - 1), fc.nat(255)), { maxLength: 12 }),
      fc.nat(wholeArchive.length),
      async (changes, length) => {
        const bytes = Buffer.from(wholeArchive);
        for (const [at, value] of changes) bytes[at] = value;
        const { members, longest: longestName } = await read(
          length % 3 === 0 ? bytes.subarray(0, length) : bytes,
        );
        expect(longestName).toBeLessThan(1_000_000);
        expect(
          inspectedMembers({
            key: 'a.zip',
            head: null,
            sidecarSystemName: null,
            verdict: null,
            ...(members && { members }),
          }).length,
        ).toBeLessThan(4);
      },
    ),
    { numRuns: 300 },
  );
});
