import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilePieces } from '../../../../main/source/heads/file-pieces.ts';
import { chooseForHeads, readHead } from '../../../../main/source/heads/head.ts';
import { cityModel, jpegFile, lasFile, pixelKeys, projectedKeys, tiffFile } from './sample-files.ts';

const read = (name: string, bytes: Uint8Array | string) => {
  const whole = Buffer.from(bytes);
  return readHead(name, new FilePieces(whole.length, [{ at: 0, bytes: whole }]));
};
const wkt = 'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89"]]';

describe('the head of a TIFF', () => {
  it.each([
    ['small', {}],
    ['big', { big: true }],
    ['big-endian', { littleEndian: false }],
    ['big and big-endian', { big: true, littleEndian: false }],
  ])('tells its samples and its coordinate system: %s', (_name, layout) => {
    const file = tiffFile({ ...layout, bands: 1, bits: 32, sampleFormat: 3, geoKeys: projectedKeys(25833) });
    expect(read('dgm.tif', file)).toEqual({
      kind: 'tiff',
      bands: 1,
      bits: 32,
      sample: 'float',
      palette: false,
      system: 'EPSG:25833',
      geo: true,
    });
  });

  it('has no coordinate system where its keys only say how pixels are meant', () => {
    expect(read('a.TIF', tiffFile({ bands: 3, geoKeys: pixelKeys }))).toMatchObject({
      bands: 3,
      system: null,
    });
    expect(read('a.tif', tiffFile())).toMatchObject({ system: null, geo: false });
  });

  it('knows a coordinate system of its own, without a number', () => {
    const keys = [1, 1, 0, 3, 1024, 0, 1, 1, 2048, 0, 1, 4258, 3072, 0, 1, 32_767];
    expect(read('a.tif', tiffFile({ geoKeys: keys }))).toMatchObject({
      system: 'a coordinate system of its own',
    });
  });

  it('asks for the directory that lies beyond what was read', () => {
    const whole = tiffFile({ directoryAt: 100_000, geoKeys: projectedKeys(25832) });
    const head = { at: 0, bytes: whole.subarray(0, 1000) };
    const file = new FilePieces(whole.length, [head]);
    expect(readHead('a.tif', file)).toBeNull();
    expect(file.wanted).toBe(100_000);
    const more = new FilePieces(whole.length, [head, { at: 100_000, bytes: whole.subarray(100_000) }]);
    expect(readHead('a.tif', more)).toMatchObject({ system: 'EPSG:25832' });
  });
});

describe('the head of a photo', () => {
  it.each([
    [[52.5, 13.4] as const, true],
    ['no reception' as const, false],
    [null, false],
  ])('with position %j', (position, hasPosition) => {
    expect(read('IMG_1.jpg', jpegFile(position))).toEqual({ kind: 'jpeg', hasPosition });
  });
});

describe('the head of a point cloud', () => {
  it.each([
    [
      { geoKeys: projectedKeys(25832), minor: 2 },
      { version: '1.2', system: 'EPSG:25832' },
    ],
    [{ wkt }, { version: '1.4', system: 'ETRS89 / UTM zone 32N' }],
    [{ wkt, behind: 500 }, { system: 'ETRS89 / UTM zone 32N' }],
    [{ wkt: 'LOCAL_CS["scanner"]' }, { system: null }],
    [{ compressed: true }, { compressed: true, system: null }],
  ])('of %j', (options, head) => {
    expect(read('scan.laz', lasFile(options))).toMatchObject({ kind: 'las', ...head });
  });

  it('asks for records behind the points', () => {
    const whole = lasFile({ wkt, behind: 90_000 });
    const file = new FilePieces(whole.length, [{ at: 0, bytes: whole.subarray(0, 4096) }]);
    expect(readHead('a.las', file)).toBeNull();
    expect(file.wanted).toBe(90_375);
  });
});

describe('the head of a city model', () => {
  it.each([
    ['urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783', 'EPSG:25832'],
    ['EPSG:25832', 'EPSG:25832'],
    ['http://www.opengis.net/def/crs/EPSG/0/25832', 'EPSG:25832'],
    ['urn:ogc:def:crs:EPSG:6.12:3068', 'EPSG:3068'],
    ['urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH', 'ETRS89_UTM32*DE_DHHN2016_NH'],
    ['', null],
  ])('says of srsName "%s": %s', (srsName, system) => {
    expect(read('a.gml', cityModel(srsName))).toEqual({
      kind: 'gml',
      isCityGml: true,
      version: '2.0',
      system,
    });
  });

  it('is read in UTF-16 too', () => {
    const bytes = Buffer.from(`\uFEFF${cityModel()}`, 'utf16le');
    expect(read('a.gml', bytes)).toMatchObject({ isCityGml: true, system: 'EPSG:25832' });
    expect(read('a.gml', bytes.swap16())).toMatchObject({ isCityGml: true, system: 'EPSG:25832' });
  });

  it('is told from other GML and other XML', () => {
    const other = '<wfs:FeatureCollection xmlns:gml="http://www.opengis.net/gml/3.2"/>';
    expect(read('a.gml', other)).toMatchObject({ isCityGml: false });
    expect(read('a.xml', '<PAMDataset><SRS/></PAMDataset>')).toBeNull();
  });
});

describe('any head', () => {
  it('is never more than unreadable, whatever stands there', () => {
    const names = ['a.tif', 'a.jpg', 'a.las', 'a.gml', 'a.asc', 'a.png', 'a.xml', 'a'];
    const beginnings = [
      tiffFile({ big: true }),
      jpegFile([1, 2]),
      lasFile({ wkt }),
      Buffer.from(cityModel()),
    ];
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 600 }),
      fc
        .tuple(
          fc.constantFrom(...beginnings),
          fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { maxLength: 12 }),
        )
        .map(([file, changes]) => {
          const changed = Buffer.from(file);
          for (const [at, value] of changes) changed[at % changed.length] = value;
          return changed;
        }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), garbage, fc.nat(1e9), (name, bytes, further) => {
        const buffer = Buffer.from(bytes);
        const file = new FilePieces(buffer.length + further, [{ at: 0, bytes: buffer }]);
        const head = readHead(name, file);
        expect(head === null || typeof head.kind === 'string').toBe(true);
        expect(file.wanted ?? 0).toBeLessThanOrEqual(file.size);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the choice of files', () => {
  const files = (count: number, ending: string) =>
    Array.from({ length: count }, (_, index) => ({ key: `${index}.${ending}` }));

  it('is spread over the source and never more than asked for', () => {
    expect(chooseForHeads(files(1000, 'tif'), 4).map(({ key }) => key)).toEqual([
      '0.tif',
      '250.tif',
      '500.tif',
      '750.tif',
    ]);
  });

  it('leaves textures and descriptions beside something better alone', () => {
    const chosen = chooseForHeads([...files(500, 'jpg'), ...files(3, 'gml'), ...files(3, 'xml')], 20);
    expect(chosen).toEqual(files(3, 'gml'));
    expect(chooseForHeads(files(30, 'jpg'), 20)).toHaveLength(20);
  });
});
