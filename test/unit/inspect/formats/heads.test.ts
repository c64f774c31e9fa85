import { describe, expect, it } from 'vitest';
import { systemOfSrsName, systemOfWkt } from '../../../../main/inspect/formats/systems/coordinate-system.ts';
import { chooseHeaderFiles } from '../../../../main/inspect/headers/choose.ts';
import { unnamedSystem } from '../../../../shared/source.ts';
import { readBytes } from './read-bytes.ts';
import {
  cityModel,
  datedPhoto,
  jpegFile,
  lasFile,
  projectedKeys,
  tiffFile,
  withXmp,
} from './sample-heads.ts';

const read = async (name: string, bytes: Uint8Array | string) => (await readBytes(name, bytes)).head;
const box = (west: number, south: number, east: number, north: number) =>
  [west, south, east, south, east, north, west, north].flatMap((x, at, numbers) =>
    at % 2 ? [] : [[x, numbers[at + 1]]],
  );
const wkt = 'PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89"]]';

it('the header of a TIFF has its own coordinate system without a code', async () => {
  const keys = [1024, 0, 1, 1, 2048, 0, 1, 4258, 3072, 0, 1, 32_767];
  const describedKeys = [...keys, 3074, 0, 1, 16_032];
  expect(await read('a.tif', tiffFile({ geoKeys: [1, 1, 0, 4, ...describedKeys] }))).toMatchObject({
    system: unnamedSystem,
    definition: expect.stringContaining('+lon_0=9 '),
  });
  // GDAL's default for an empty definition.
  expect(await read('a.tif', tiffFile({ geoKeys: [1, 1, 0, 3, ...keys] }))).toMatchObject({
    system: null,
    nature: 'engineering',
  });
});

it.each(['', ' ', 'unnamed', 'Unknown', 'undefined', 'user-defined', '<unnamed>', 'GEOGCS[a]'])(
  'the header of a TIFF ignores the system name "%s"',
  async (name) => {
    expect(systemOfWkt(`PROJCS["${name}",GEOGCS["WGS 84"],PROJECTION["x"]]`).system).toBe(unnamedSystem);
    const heights = `COMPD_CS["a",GEOGCS["b"],VERT_CS["${name}",VERT_DATUM["${name}",2005]]]`;
    expect(systemOfWkt(heights).vertical).toBe(unnamedSystem);
    const keys = [1, 1, 0, 3, 1024, 0, 1, 2, 1026, 34_737, name.length + 1, 0, 2048, 0, 1, 32_767];
    expect(await read('a.tif', tiffFile({ geoKeys: keys, geoWords: `${name}|` }))).toMatchObject({
      system: unnamedSystem,
    });
  },
);

it('the header of a TIFF ignores placeholder names in GML', () => {
  expect(systemOfSrsName('urn:x:undefined').system).toBe(unnamedSystem);
  expect(systemOfSrsName('urn:x:town').system).toBe('town');
});

it.each([
  ['in round brackets', (text: string) => text.replaceAll('[', '(').replaceAll(']', ')')],
  ['with small exponents', (text: string) => text.replace('6378137', '6.378137e+06')],
  ['behind a byte order mark, before zeros', (text: string) => `\uFEFF${text}\0\0`],
])('the header of a TIFF parses well-known text %s', (_, writeText) => {
  const text =
    'GEOGCS["Zone (3e2) ""A""",DATUM["d",SPHEROID["GRS 1980",6378137,298.25]],UNIT["degree",0.0174532925]]';
  expect(systemOfWkt(writeText(text))).toEqual({
    ...{ system: 'Zone (3e2) "A"', vertical: null },
    definition: '+proj=longlat +a=6378137 +rf=298.25',
  });
});

it('the header of a TIFF parses nested text up to a limit', () => {
  expect(systemOfWkt('PROJCS["a",GEOGCS["b"],AUTHORITY["EPSG","25832"]]')).toMatchObject({
    system: 'EPSG:25832',
  });
  expect(systemOfWkt(`COMPD_CS["a",${'UNIT["foot",'.repeat(1_000)}`)).toEqual({
    system: null,
    vertical: null,
  });
});

describe('texts in a TIFF', () => {
  /** Keys of a user-defined projection, with a citation in key 1026. */
  const withWords = (words: string, ...furtherKeys: readonly number[]) =>
    tiffFile({
      geoKeys: [
        1,
        1,
        0,
        2 + furtherKeys.length / 4,
        1024,
        0,
        1,
        1,
        1026,
        34_737,
        words.length,
        0,
        ...furtherKeys,
      ],
      geoWords: words,
    });

  it.each([
    ['Oregon, linear_FeeT', 0.3048],
    ['NAD83 / international_Feet', 0.3048],
    ['NAD83 US survey foot', 1_200 / 3_937],
    ['NAD83 / Oregon', undefined],
  ])('texts in a TIFF supply a unit without a key: %s', async (words, unit) => {
    const head = await read('a.tif', withWords(words, 3072, 0, 1, 32_126));
    expect(head && 'unit' in head ? head.unit : undefined).toBe(unit);
  });

  it('texts in a TIFF contain ESRI text after other words', async () => {
    expect(
      await read('a.tif', withWords(`Made by hand; ESRI PE String = ${wkt}|`, 3072, 0, 1, 32_767)),
    ).toMatchObject({ system: 'ETRS89 / UTM zone 32N' });
  });

  it('texts in a TIFF name a projection as IMAGINE does, which is no local system', async () => {
    const words = 'IMAGINE GeoTIFF Support\nCopyright\nProjection Name = RSO\nUnits = meters|';
    const head = await read('a.tif', withWords(words, 3072, 0, 1, 32_767));
    expect(head).toMatchObject({ system: 'RSO' });
    expect(head).not.toHaveProperty('nature');
  });
});

it('a TIFF has no corners when its scale is no number', async () => {
  const place = { size: [4, 2], tie: [0, 0, 0, 500, 800, 0] } as const;
  expect(await read('a.tif', tiffFile({ ...place, scale: [Number.NaN, 10, 0] }))).toMatchObject({
    corners: null,
  });
});

it.each([5, 6, 8, 9, 10] as const)(
  'the header of a photo contains its position as numbers of type %i',
  async (type) => {
    expect(await read('IMG_1.jpg', jpegFile([52.5, 13.4], type))).toMatchObject({ hasPosition: true });
  },
);

it.each([
  [[52.5, 13.4] as const, { hasPosition: true, position: [13.4, 52.5] }],
  [[-34.5, -58.4] as const, { hasPosition: true, position: [-58.4, -34.5] }],
  [[0, 0] as const, { hasPosition: false, positionFault: 'zero' }],
  [[0, 13] as const, { hasPosition: true, position: [13, 0] }],
  [[145, 38] as const, { hasPosition: false, positionFault: 'outside' }],
  [[38, -181] as const, { hasPosition: false, positionFault: 'outside' }],
  ['no reception' as const, { hasPosition: false }],
  [null, { hasPosition: false }],
])('the header of a photo contains the position %j', async (position, expectedFacts) => {
  expect(await read('IMG_1.jpg', jpegFile(position))).toEqual({ kind: 'jpeg', ...expectedFacts });
});

describe('the position of a photo', () => {
  const elements = (latitude: string, longitude: string) =>
    `<exif:GPSLatitude>${latitude}</exif:GPSLatitude><exif:GPSLongitude>${longitude}</exif:GPSLongitude>`;
  it.each([
    [elements('51,21.0N', '7,30,36W'), [-7.51, 51.35]],
    ['<rdf:Description exif:GPSLatitude="33,54,0S" exif:GPSLongitude="151,12.0E"/>', [151.2, -33.9]],
    ["<x drone-dji:GpsLatitude='-33.9' drone-dji:GpsLongtitude = '+151.2'/>", [151.2, -33.9]],
    ['<x drone-dji:GpsLongitude="7.5" drone-dji:GpsLatitude="51.35"/>', [7.5, 51.35]],
  ])('the position of a photo is read from XMP without EXIF: %s', async (packet, position) => {
    const head = await read('1.jpg', withXmp(jpegFile(null), packet));
    expect(head).toEqual({ kind: 'jpeg', hasPosition: true, position });
    expect(await read('1.jpg', withXmp(jpegFile([52, 13]), packet))).toMatchObject({ position: [13, 52] });
  });

  it('the position of a photo is read from XMP when EXIF’s is invalid', async () => {
    const zero = jpegFile([0, 0]);
    expect(await read('1.jpg', withXmp(zero, elements('51,0N', '7,0E')))).toEqual({
      ...{ kind: 'jpeg', hasPosition: true, position: [7, 51] },
    });
    const noPosition = { kind: 'jpeg', hasPosition: false, positionFault: 'zero' };
    expect(await read('1.jpg', withXmp(zero, '<x/>'))).toEqual(noPosition);
    expect(await read('1.jpg', withXmp(jpegFile(null), elements('0,0N', '0,0E')))).toEqual(noPosition);
  });

  it.each([
    [elements('north', 'east'), undefined],
    [elements('51,0N', ''), undefined],
    [elements('144.97', '37.8'), undefined],
    // Beyond the inspected part, and other application data.
    [`${' '.repeat(40_000)}${elements('51,0N', '7,0E')}`, undefined],
    [elements('51,0N', '7,0E'), 'http://ns.adobe.com/xmp/extension/\0'],
  ])('the position of a photo is missing when XMP has none: %.40s', async (packet, mark) => {
    expect(await read('1.jpg', withXmp(jpegFile(null), packet, mark))).toMatchObject({ hasPosition: false });
  });
});

describe('EXIF data of a photo', () => {
  const day = Date.UTC(2025, 5, 1) / 86_400_000;
  it.each([
    ['FC6310', '2025:06:01 12:00:00', { camera: 'FC6310', day }],
    ['**X**{a}\n<b> \0junk', '2025:06:01', { camera: 'Xab' }],
    ['x'.repeat(100), '1994:06:01 12:00:00', { camera: 'x'.repeat(60) }],
    ['\0', 'yesterday', {}],
  ])('EXIF data of a photo are read from model %j, taken %s', async (model, takenAt, expectedFacts) => {
    const head = await read('1.jpg', datedPhoto(model, takenAt));
    expect(head).toEqual({ kind: 'jpeg', hasPosition: false, ...expectedFacts });
  });

  it('EXIF data of a photo are read as far as they go when truncated', async () => {
    const bytes = datedPhoto('FC6310', '2025:06:01 12:00:00');
    // Where the date stands is beyond the segment.
    const at = bytes.indexOf(Buffer.from([0x69, 0x87, 4, 0]));
    bytes.writeUInt32LE(60_000, at + 8);
    expect(await read('1.jpg', bytes)).toEqual({ kind: 'jpeg', hasPosition: false, camera: 'FC6310' });
  });
});

describe('the coordinate system of a point cloud', () => {
  const [geoKeys, namedText] = [
    projectedKeys(25832),
    'PROJCS["x",GEOGCS["y",AUTHORITY["EPSG","4258"]],AUTHORITY["EPSG","25833"]]',
  ];

  it.each([
    [true, 'EPSG:25833'],
    [false, 'EPSG:25832'],
  ])(
    'the coordinate system of a point cloud comes from the record that the header selects: text %s',
    async (wktBit, system) => {
      expect(await read('a.las', lasFile({ geoKeys, wkt: namedText, wktBit }))).toMatchObject({ system });
      expect(await read('a.las', lasFile({ geoKeys, wkt: namedText, wktBit, behind: 300 }))).toMatchObject({
        system,
      });
    },
  );

  it('the coordinate system of a point cloud includes its vertical system', async () => {
    const text = `COMPD_CS["both",${namedText},VERT_CS["heights",AUTHORITY["EPSG","7837"]]]`;
    const expected = { system: 'EPSG:25833', vertical: 'EPSG:7837' };
    expect(await read('a.las', lasFile({ wkt: text }))).toMatchObject(expected);
    const secondSystem =
      'COMPOUNDCRS["both",PROJCRS["x",BASEGEOGCRS["y",ID["EPSG",4258]],ID["EPSG",25833]],VERTCRS["heights",ID["EPSG",7837]]]';
    expect(await read('a.las', lasFile({ wkt: secondSystem }))).toMatchObject(expected);
  });

  // `gdalsrsinfo -o wkt_esri EPSG:25832+5783`, and ArcGIS's heights above an ellipsoid.
  it.each([
    ['VERTCS["DHHN92",VDATUM["Deutsches_Haupthoehennetz_1992"],UNIT["Meter",1.0]]', 'DHHN92', undefined],
    ['VERTCS["NAVD88_ft",VDATUM["NAVD"],UNIT["Foot_US",0.3048006]]', 'NAVD88_ft', 'feet'],
    ['VERTCS["WGS_1984",DATUM["D_WGS",SPHEROID["WGS",6378137,298]],UNIT["Meter",1]]', null, 'ellipsoid'],
  ])(
    'the coordinate system of a point cloud in ESRI text includes the heights after it: %s',
    (behind, vertical, heights) => {
      const flat = 'PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D"]],UNIT["Meter",1.0]]';
      const parsed = systemOfWkt(`${flat},${behind}`);
      expect(parsed).toMatchObject({ system: 'ETRS_1989_UTM_Zone_32N', vertical });
      expect(parsed.heights).toBe(heights);
      expect(systemOfWkt(flat)).toMatchObject({ system: 'ETRS_1989_UTM_Zone_32N', vertical: null });
    },
  );
});

it.each([
  ['xllcorner 500\nyllcorner 800\ncellsize 10', box(500, 800, 520, 830)],
  ['xllcenter 500\nyllcenter 800\ncellsize 10', box(495, 795, 515, 825)],
  ['xllcorner 500\nyllcorner 800\ndx 1\ndy 2', box(500, 800, 502, 806)],
  ['xllcorner here', null],
])('the header of an ASCII grid has the corners of %j', async (lines, corners) => {
  expect(await read('a.asc', `ncols 2\nnrows 3\n${lines}\n`)).toEqual({ kind: 'grid', corners });
});

describe('the header of a city model', () => {
  it.each([
    ['urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::5783', 'EPSG:25832'],
    ['EPSG:25832', 'EPSG:25832'],
    ['http://www.opengis.net/def/crs/EPSG/0/25832', 'EPSG:25832'],
    ['urn:ogc:def:crs:EPSG:6.12:3068', 'EPSG:3068'],
    ['', null],
  ])('the header of a city model reads srsName "%s" as %s', async (srsName, system) => {
    expect(await read('a.gml', cityModel(srsName))).toEqual({
      kind: 'gml',
      isCityGml: true,
      version: '2.0',
      system,
      vertical: srsName.includes('5783') ? 'EPSG:5783' : null,
      ...(srsName !== '' && { srsName }),
      traits: ['no-geometry'],
    });
  });

  it.each([
    ['urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH', 'EPSG:25832', 'EPSG:7837'],
    ['urn:adv:crs:ETRS89_UTM33*DE_DHHN92_NH', 'EPSG:25833', 'EPSG:5783'],
    ['urn:adv:crs:DE_DHDN_3GK4*DE_DHN92_NH', 'EPSG:31468', 'EPSG:5783'],
    ['urn:adv:crs:DE_DHDN_3GK3_HE100*DE_DHHN12_NOH', 'EPSG:31467', 'EPSG:7699'],
    ['urn:adv:crs:DE_RD/83_3GK5', 'EPSG:3399', null],
    ['DE_42-83_3GK4*DE_AMST_NH', 'EPSG:2398', 'DE_AMST_NH'],
    ['urn:adv:crs:constructor*toString', 'constructor*toString', null],
  ])(
    'the header of a city model maps the German authorities’ name %s to %s and %s',
    async (srsName, system, vertical) => {
      expect(await read('a.gml', cityModel(srsName))).toMatchObject({ system, vertical });
    },
  );

  it('the header of a city model detects ellipsoidal heights in AdV’s name', async () => {
    const head = await read('a.gml', cityModel('urn:adv:crs:ETRS89_UTM32*ETRS89_h'));
    expect(head).toMatchObject({ system: 'EPSG:25832', vertical: null, heights: 'ellipsoid' });
  });

  const boxOf = async (places: string) =>
    await read('a.gml', cityModel().replace('</core:City', `${places}</core:City`));
  it.each([
    ['<gml:posList srsDimension="3">1 2 30 4.5 6 70</gml:posList><gml:pos>9 1 0</gml:pos>'],
    ['<posList>1 1 1e3 9 6 1e3</posList>'],
    ['<gml:coordinates>1,1,5 9,6,5</gml:coordinates>'],
    ['<gml:posList srsDimension="2">1 1 9 6 1 6</gml:posList>'],
    // Relative coordinates, a comment, and a truncated list.
    [
      '<gml:pos>1 1 0</gml:pos><core:relativeGMLGeometry><gml:pos>-70 0 0</gml:pos></core:relativeGMLGeometry>' +
        '<core:relativeGMLGeometry xlink:href="#a"/>' +
        `<!-- <gml:pos>0 0 0</gml:pos> --><gml:pos>9 6 0</gml:pos><gml:posList>1 1 1 ${'9 6 1 '.repeat(20_000)}0 0 0`,
    ],
  ])(
    'the header of a city model has the corners of its first places without an envelope: %.60s',
    async (places) => {
      expect(await boxOf(places)).toMatchObject({ corners: box(1, 1, 9, 6) });
    },
  );

  it.each(['<gml:pos>1 here</gml:pos>', '<gml:pos/>', '<gml:coordinates>7</gml:coordinates>'])(
    'the header of a city model has no corners for invalid places: %s',
    async (places) => expect(await boxOf(places)).not.toHaveProperty('corners'),
  );

  it('the header of a city model has the corners of its envelope', async () => {
    const envelope =
      '<gml:Envelope srsName="EPSG:25832"><gml:lowerCorner>1 2 3</gml:lowerCorner><gml:upperCorner> 4.5 6 7</gml:upperCorner>';
    const model = cityModel().replace(/<gml:Envelope[^>]*\/>/, `${envelope}</gml:Envelope>`);
    expect(await read('a.gml', model)).toMatchObject({ corners: box(1, 2, 4.5, 6) });
    expect(await read('a.gml', cityModel())).not.toHaveProperty('corners');
  });

  it('the header of a city model is read in UTF-16', async () => {
    const bytes = Buffer.from(`\uFEFF${cityModel()}`, 'utf16le');
    expect(await read('a.gml', bytes)).toMatchObject({ isCityGml: true, system: 'EPSG:25832' });
    expect(await read('a.gml', bytes.swap16())).toMatchObject({ isCityGml: true, system: 'EPSG:25832' });
  });

  it('the header of a city model differs from other GML and XML', async () => {
    const otherCollection = '<wfs:FeatureCollection xmlns:gml="http://www.opengis.net/gml/3.2"/>';
    expect(await read('a.gml', otherCollection)).toMatchObject({ isCityGml: false });
    expect(await read('a.xml', '<PAMDataset><SRS/></PAMDataset>')).toBeNull();
  });
});

describe('chooseHeaderFiles()', () => {
  const files = (count: number, extension: string) =>
    Array.from({ length: count }, (_, index) => ({ key: `${index}.${extension}` }));

  it('chooseHeaderFiles() spreads over the source up to the limit', async () => {
    expect(chooseHeaderFiles(files(1000, 'tif'), 4).map(({ key }) => key)).toEqual([
      '0.tif',
      '250.tif',
      '500.tif',
      '750.tif',
    ]);
  });

  it('chooseHeaderFiles() skips textures and descriptions next to better files', async () => {
    const chosenFiles = chooseHeaderFiles([...files(500, 'jpg'), ...files(3, 'gml'), ...files(3, 'xml')], 20);
    expect(chosenFiles).toEqual(files(3, 'gml'));
    expect(chooseHeaderFiles(files(30, 'jpg'), 20)).toHaveLength(20);
  });
});
