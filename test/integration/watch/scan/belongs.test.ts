import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInspector } from '../../../../main/inspect/session/inspector.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { scanRule, scanSourceAt } from '../../../../main/watch/scan/scan-rule.ts';
import { checkCompleteness } from '../../../../main/watch/settle/completeness.ts';
import { sayPhrase } from '../../../../renderer/say.ts';
import { sevenZip, splitArchives } from '../../../unit/inspect/formats/volume-files.ts';
import { openWatchFixture } from '../fixture.ts';
import { createWatchedFolder, type WatchedFolder } from '../watched-folder.ts';

const inspector = createInspector();
afterAll(() => inspector.close());

let folder: WatchedFolder;
beforeEach(async () => {
  folder = await createWatchedFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const filesRule = (...patterns: readonly string[]) => folder.rule({ unit: { kind: 'files', patterns } });
const wholeFolder = () => folder.rule({ unit: { kind: 'whole-folder' } });

/** Formats each source as "source: its files / missing files". */
async function sourcesOf(rule: WatchRule = folder.rule()): Promise<readonly string[]> {
  const { sources } = await scanRule(rule);
  return sources.map(({ path, files, missing }) => {
    const lacks = missing.length > 0 ? ` / ${missing.join(' ')}` : '';
    return `${path}: ${files.map(({ key }) => key).join(' ')}${lacks}`;
  });
}

/** Returns why the source has to wait, or null. */
async function reasonFor(path: string, rule: WatchRule = folder.rule()): Promise<string | null> {
  const source = await scanSourceAt(rule, path);
  if (!source) throw new Error(`no source ${path}`);
  const notReady = await checkCompleteness(rule.folder, source, { inspector });
  return notReady && sayPhrase(notReady.reason);
}

const collada = (image: string) =>
  `<?xml version="1.0"?><COLLADA version="1.4.1"><library_effects><surface type="2D"><init_from>wall-image</init_from></surface></library_effects>
   <library_images><image id="wall-image"><init_from>${image}</init_from></image></library_images></COLLADA>`;
const cityModel = (...images: readonly string[]) =>
  `<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0">${images
    .map(
      (image) => `<app:ParameterizedTexture><app:imageURI>${image}</app:imageURI></app:ParameterizedTexture>`,
    )
    .join('')}</core:CityModel>`;
const kml = (...hrefs: readonly string[]) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2">${hrefs.map((href) => `<Icon><href>${href}</href></Icon>`).join('')}</kml>`;
const mosaic = (...tiles: readonly string[]) =>
  `<VRTDataset>${tiles.map((tile) => `<SourceFilename relativeToVRT="1">${tile}</SourceFilename>`).join('')}</VRTDataset>`;

describe('referenced files', () => {
  it.each([
    ['m.dae', collada('tex%20a/wall&amp;1.jpg'), 'tex a/wall&1.jpg'],
    ['m.dae', collada('<ref>./wall.jpg</ref>'), 'wall.jpg'],
    ['c.gml', cityModel('pics/a.jpg'), 'pics/a.jpg'],
    ['c.xml', cityModel('pics\\a.jpg'), 'pics/a.jpg'],
    ['k.kml', kml('over.png#x'), 'over.png'],
    ['k.kml', '<kml><Model><Link><href>house.dae</href></Link></Model></kml>', 'house.dae'],
    ['k.kml', '<kml><Link><href><![CDATA[files/more.kml?a=1]]></href></Link></kml>', 'files/more.kml'],
    ['v.vrt', mosaic('tiles/1.tif'), 'tiles/1.tif'],
    [
      't.gti',
      '<GDALTileIndexDataset><IndexDataset>index.gpkg</IndexDataset></GDALTileIndexDataset>',
      'index.gpkg',
    ],
    [
      's.3mx',
      '{"3mxVersion":1,"layers":[{"type":"meshPyramid","root":"Tiles/root.3mxb"}]}',
      'Tiles/root.3mxb',
    ],
    ['g.gltf', '{"images":[{"uri":"t%C3%A4x.png"}]}', 't\u00e4x.png'],
  ])('adds referenced files to the source %s: %s', async (name, content, named) => {
    await folder.write(name, content);
    const missing = `${name}: ${name} / ${named}`;
    expect(await sourcesOf()).toEqual([missing]);
    await folder.putData(named);
    expect(await sourcesOf()).toEqual([`${name}: ${[name, named].sort().join(' ')}`]);
  });

  it('ignores addresses, absolute paths, ids and paths outside the watched folder', async () => {
    await folder.write(
      'k.kml',
      kml('https://host/a.png', '/abs/a.png', '../a.png', 'root://icons/1.png', '#style'),
    );
    await folder.write('m.dae', collada('file:///C:/tex/wall.jpg'));
    await folder.write(
      'v.vrt',
      '<VRTDataset><SourceFilename relativeToVRT="0">a.tif</SourceFilename><!-- <SourceFilename relativeToVRT="1">b.tif</SourceFilename> --></VRTDataset>',
    );
    await folder.write('notes.xml', '<notes><imageURI>a.jpg</imageURI></notes>');
    expect(await sourcesOf()).toEqual([
      'k.kml: k.kml',
      'm.dae: m.dae',
      'notes.xml: notes.xml',
      'v.vrt: v.vrt',
    ]);
  });

  it('follows references through several files and keeps one source of a cycle', async () => {
    await folder.write('k.kml', kml('house.dae', 'l.kml'));
    await folder.write('l.kml', kml('k.kml'));
    await folder.write('house.dae', collada('wall.jpg'));
    await folder.putData('wall.jpg', 'other.jpg');
    expect(await sourcesOf()).toEqual(['k.kml: house.dae k.kml l.kml wall.jpg', 'other.jpg: other.jpg']);
  });

  it('finds references far behind the start of a file and next to a cut between stretches', async () => {
    const filler = '<v>1 2 3</v>'.repeat(400_000);
    await folder.write('c.gml', cityModel('first.jpg', ...[filler], 'last.jpg'));
    await folder.write(
      'm.dae',
      `<COLLADA><library_geometries>${filler.repeat(3)}</library_geometries>${collada('late.jpg')}`,
    );
    await folder.putData('first.jpg', 'last.jpg', 'late.jpg');
    expect(await sourcesOf()).toEqual(['c.gml: c.gml first.jpg last.jpg', 'm.dae: late.jpg m.dae']);
  });

  it('includes whole folders that belong to a file', async () => {
    await folder.write('s.3mx', '{"layers":[{"root":"Data/a/root.3mxb"}]}');
    await folder.putData('Data/a/root.3mxb', 'Data/b.3mxb', 'fixture.fbx', 'fixture.fbm/wall.jpg');
    expect(await sourcesOf()).toEqual([
      'fixture.fbx: fixture.fbm/wall.jpg fixture.fbx',
      's.3mx: Data/a/root.3mxb Data/b.3mxb s.3mx',
    ]);
  });

  it('includes the tiles next to a photogrammetry’s metadata.xml', async () => {
    await folder.put('metadata.xml', 'Data/Tile_+000_+000/Tile_+000_+000.osgb', 'other/a.obj');
    expect(await sourcesOf()).toEqual([
      'metadata.xml: Data/Tile_+000_+000/Tile_+000_+000.osgb metadata.xml',
      'other: a.obj',
    ]);
  });
});

describe('references of a file inside a folder', () => {
  it('reports missing references inside a folder and includes a library next to it', async () => {
    await folder.write('flight/deep/m.obj', 'mtllib ../../lib/m.mtl\n');
    await folder.write('lib/m.mtl', 'map_Kd wall.jpg\n');
    expect(await sourcesOf()).toContain('flight: flight/deep/m.obj lib/m.mtl / lib/wall.jpg');
    await folder.putData('lib/wall.jpg');
    expect(await sourcesOf()).toContain('flight: flight/deep/m.obj lib/m.mtl lib/wall.jpg');
  });

  it('reports missing references of a whole folder', async () => {
    await folder.write('a/m.obj', 'mtllib m.mtl\n');
    expect(await sourcesOf(wholeFolder())).toEqual(['.: a/m.obj / a/m.mtl']);
    expect(await reasonFor('.', wholeFolder())).toBe('a/m.mtl is required and missing');
  });

  it('delays a folder until its referenced files exist', async () => {
    const fixture = await openWatchFixture();
    try {
      await fixture.write({ 'flight/m.obj': 'mtllib m.mtl\n' });
      const rule = await fixture.rule();
      const waiting = await fixture.untilSource(rule, 'flight', ({ why }) => why.includes('missing'));
      expect(waiting).toMatchObject({ why: 'flight/m.mtl is required and missing', actions: ['take-now'] });
      await fixture.write({ 'flight/m.mtl': 'Kd 1 1 1\n' });
      await fixture.untilComplete(rule, 'flight');
      expect(fixture.statuses()).toEqual(['flight COMPLETE']);
    } finally {
      await fixture.close();
    }
  });
});

it('waits for the required files of a shapefile, even in a folder', async () => {
  await folder.put('a.shp', 'a.shx', 'in/B.SHP', 'in/b.dbf');
  expect(await sourcesOf()).toEqual(['a.shp: a.shp a.shx / a.dbf', 'in: B.SHP b.dbf / in/B.shx']);
});

describe('a split archive', () => {
  it.each([
    ['a.zip.001 a.zip.002 a.zip.004', 'a.zip.001', 'a.zip.003'],
    ['a.7z.002 a.7z.003', 'a.7z.002', 'a.7z.001'],
    ['a.z01 a.z03 a.zip', 'a.zip', 'a.z02'],
    ['a.z01 a.z02', 'a.z01', 'a.zip'],
    ['a.part1.rar a.part3.rar', 'a.part1.rar', 'a.part2.rar'],
    ['a.part02.rar', 'a.part02.rar', 'a.part01.rar'],
    ['a.rar a.r00 a.r02', 'a.rar', 'a.r01'],
    ['a.r00 a.r01', 'a.r00', 'a.rar'],
  ])('combines the volumes %s into the source %s and waits for %s', async (names, primary, missing) => {
    await folder.put(...names.split(' '));
    expect(await sourcesOf()).toEqual([`${primary}: ${names.split(' ').sort().join(' ')} / ${missing}`]);
    await folder.put(...names.split(' ').map((name) => `in/${name}`));
    expect((await sourcesOf()).at(-1)).toMatch(new RegExp(`^in: .* / in/${missing}$`));
  });

  it('treats other archives as separate sources', async () => {
    await folder.put('a.zip', 'b.rar', 'c.part.tif', 'd.7z', 'photo.001', 'e.r00.tif');
    expect(await sourcesOf()).toHaveLength(6);
  });

  it.each(splitArchives)(
    '$primary waits for its last volume if its end shows that there is more',
    async ({ primary, present, next, last }) => {
      for (const [name, content] of Object.entries(present)) await folder.write(name, content);
      expect(await reasonFor(primary)).toBe(`${next} is required and missing`);
      await folder.write(next, last);
      expect(await reasonFor(primary)).toBeNull();
    },
  );

  it('names the next missing volume although the header of the first one is cut off', async () => {
    await folder.write('a.7z.001', sevenZip(5_042).subarray(0, 20));
    await folder.put('a.7z.002');
    expect(await reasonFor('a.7z.001')).toBe('a.7z.003 is required and missing');
  });
});

it('includes referenced files under a rule with patterns', async () => {
  await folder.write('in/v.vrt', mosaic('../tiles/1.tif'));
  await folder.putData('tiles/1.tif');
  expect(await sourcesOf(filesRule('*.vrt'))).toEqual(['in/v.vrt: in/v.vrt tiles/1.tif']);
});
