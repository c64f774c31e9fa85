import { deflateRawSync, gunzipSync } from 'node:zlib';
import { converterOfDefinition } from '../../../main/inspect/crs/converters.ts';
import { loadSystems } from '../../../main/inspect/crs/systems.ts';
import { zipEntries } from '../../../main/inspect/formats/archives/zip.ts';
import { FileBytes, PastEndError, ReadLimitError } from '../../../main/inspect/formats/base/file-bytes.ts';
import { readFile } from '../../../main/inspect/formats/read-file.ts';
import { readMembers } from '../../../main/inspect/headers/archive-members.ts';
import { sampleReferences } from '../../../main/inspect/headers/file-references.ts';
import { unpackLaz } from '../../../main/inspect/headers/laz-perf.ts';
import { maxSidecarBytes } from '../../../main/inspect/headers/read-header.ts';
import {
  cornersInSidecar,
  sidecarsWithSystem,
  systemInSidecar,
} from '../../../main/inspect/headers/sidecar-names.ts';
import { files } from '../../unit/inspect/corpus/corpus.ts';
import {
  capture,
  daeAt,
  gltfAt,
  glb as modelGlb,
  objModel,
  ply,
} from '../../unit/inspect/findings/model-files.ts';
import { pictureFile } from '../../unit/inspect/findings/picture-files.ts';
import { texturesOf } from '../../unit/inspect/findings/texture-files.ts';
import { archiveOf } from '../../unit/inspect/formats/archive-files.ts';
import {
  ifc,
  ifcSite,
  kmlLine,
  kmlModel,
  kmlOf,
  kmlOverlay,
  onEquator,
  projectedIfc,
  region,
  splatPly,
  spz,
  tileset,
  zipOf,
} from '../../unit/inspect/formats/document-files.ts';
import gdalSamples from '../../unit/inspect/formats/gdal-samples.json' with { type: 'json' };
import { lazFile } from '../../unit/inspect/formats/laz-files.ts';
import { zip as zipFile } from '../../unit/inspect/formats/sample-files.ts';
import {
  cityModel,
  datedPhoto,
  jpegFile,
  lasFile,
  projectedKeys,
  tiffFile,
  withXmp,
} from '../../unit/inspect/formats/sample-heads.ts';
import { shapeOf, type Target } from '../target.ts';

const { systemByCode } = await loadSystems();

async function saysOf(extension: string, bytes: Buffer, header: Buffer | null = null): Promise<string> {
  const read = async (at: number, length: number) => bytes.subarray(at, at + length);
  const readSidecar = async () => header;
  const file = { extension, size: bytes.length, read, readSidecar, deep: true, unpackLaz };
  const { head, verdict } = await readFile(file);
  return `${shapeOf(head)} ${verdict}`;
}

const fewPoints = Array.from({ length: 60 }, (_, at) => ({ class: at % 3, grey: at * 700 }));

const textures = (extension: string) =>
  [texturesOf(300, 200), texturesOf(16_384, 16_385)]
    .flat()
    .flatMap(({ name, bytes }) => (name.endsWith(`.${extension}`) ? [bytes] : []));

const [largestSeed, maxSeeds] = [12_000, 24];

function format(
  extension: string,
  seeds: readonly (string | Buffer)[],
  words: readonly string[] = [],
): Target {
  const createdFiles = [...files].filter(
    ([name, { length }]) => name.endsWith(`.${extension}`) && length <= largestSeed,
  );
  const step = Math.ceil(createdFiles.length / maxSeeds);
  return {
    name: extension,
    seeds: [...seeds, ...createdFiles.flatMap(([, bytes], index) => (index % step === 0 ? [bytes] : []))],
    words,
    run: (input) => saysOf(`.${extension}`, input),
  };
}

const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000049454e44ae426082',
  'hex',
);
const glb = Buffer.concat([
  Buffer.from('glTF'),
  Buffer.from([2, 0, 0, 0, 20, 0, 0, 0]),
  Buffer.from('{"asset":{}}'),
]);

const zip: Target = {
  name: 'zip',
  seeds: [
    zipFile(),
    zipFile({ large: true, comment: 'made for tests' }),
    zipFile({ before: 'MZ' }),
    zipFile({
      entries: [
        { name: '../a.gml', flags: 1, method: 14 },
        { name: 'b/c.zip', method: 8 },
      ],
    }),
  ],
  run: async (input) => {
    const read = async (at: number, length: number) => input.subarray(at, at + length);
    const entries = await zipEntries(new FileBytes(input.length, read)).catch((error: unknown) => {
      if (error instanceof PastEndError || error instanceof ReadLimitError) return [];
      throw error;
    });
    return `${Math.min(entries.length, 5)} ${await saysOf('.zip', input)}`;
  },
};

const archivedFiles = {
  'a/b.tif': tiffFile({ bands: 3, geoKeys: projectedKeys(25832) }),
  'a/b.prj': 'GEOGCS["a"]',
  'c\\d.las': lasFile({ geoKeys: projectedKeys(25832) }),
  'e.gml': `${cityModel()}<!--${'padding '.repeat(8_300)}-->`,
  'f.kml': kmlOf(kmlLine, kmlModel),
  'g.jpg': jpegFile([47.5, 8.5]),
};

const members: Target = {
  name: 'zip-members',
  seeds: [
    archiveOf(archivedFiles),
    archiveOf(archivedFiles, { stored: true }),
    archiveOf(archivedFiles, { large: true, before: 'MZ' }),
    archiveOf({ 'a.tif': { content: '', data: deflateRawSync(Buffer.alloc(3e7)), size: 3e7 } }),
  ],
  words: ['PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', '\xff\xff\xff\xff', '\0\0\0\0', '\\', '/'],
  run: async (input) => {
    const read = async (at: number, length: number) => input.subarray(at, at + length);
    const task = { key: 'a.zip', currentTime: () => 0 };
    const foundMembers = await readMembers({ size: input.length, read }, task);
    return shapeOf(foundMembers?.members.heads.map(({ answer }) => [answer.head, answer.verdict]));
  },
};

const sidecars: Target = {
  name: 'sidecar-names',
  seeds: ['a/dgm.asc', '.prj', 'a.b.c/d'],
  words: ['.', '/', '.aux.xml'],
  run: (input) => shapeOf(sidecarsWithSystem(input.toString())),
};

const sidecarTexts: Target = {
  name: 'sidecar-texts',
  seeds: [...files].flatMap(([name, bytes]) => (/\.(?:prj|xml|\w+w|wld)$/.test(name) ? [bytes] : [])),
  words: [
    'PROJCS["',
    'GEOGCS["',
    'PARAMETER["',
    'UNIT["',
    'TOWGS84[',
    '<GeoTransform>',
    '<SRS>',
    ']',
    '"',
    ',',
  ],
  run: (input) =>
    shapeOf(
      (['prj', 'pam', 'tab', 'world'] as const).map((kind) => {
        const text = input.subarray(0, maxSidecarBytes).toString();
        const system = systemInSidecar(kind, text);
        if (system?.definition !== undefined) converterOfDefinition(system.definition, systemByCode)?.(1, 2);
        return [system, cornersInSidecar(kind, text, [10, 10])];
      }),
      3,
    ),
};

export const headTargets: readonly Target[] = [
  format(
    'tif',
    [
      tiffFile({ bands: 3, geoKeys: projectedKeys(25832) }),
      pictureFile({ columns: 40, rows: 40, tile: 16, compression: 'zstd', at: (x, y) => (x * y) % 256 }),
      ...Object.values(gdalSamples).map((text) => gunzipSync(Buffer.from(text, 'base64'))),
      tiffFile({ big: true, littleEndian: false, geoKeys: projectedKeys(4326), directoryAt: 5_000 }),
    ],
    ['II*\0', 'MM\0*', 'MM\0+'],
  ),
  format(
    'las',
    [
      lasFile({ wkt: 'PROJCS["ETRS89 / UTM zone 32N",GEOGCS[]]' }),
      lasFile({ geoKeys: projectedKeys(25832), behind: 60_000 }),
    ],
    ['LASF_Projection', 'COMPD_CS["', 'LASF'],
  ),
  format(
    'jpg',
    [
      jpegFile([47.5, 8.5]),
      jpegFile('no reception'),
      jpegFile(null),
      datedPhoto('A', '2025:06:01 12:00:00'),
      withXmp(jpegFile([0, 0]), '<x exif:GPSLatitude="51,21.0N" exif:GPSLongitude="7,30,36E"/>'),
      withXmp(jpegFile(null), '<drone-dji:GpsLatitude>+1.5</><drone-dji:GpsLongtitude>-2</>'),
    ],
    ['Exif\0\0', 'II*\0', 'http://ns.adobe.com/xap/1.0/\0', 'exif:GPSLatitude="', 'drone-dji:GpsLatitude'],
  ),
  format('png', [png], ['IEND', 'IHDR', 'IDAT', 'tRNS']),
  format('dds', textures('dds'), ['DDS ']),
  format('ktx2', textures('ktx2'), ['\xabKTX 20\xbb\r\n\x1a\n']),
  format('gif', textures('gif'), ['GIF89a']),
  format('bmp', textures('bmp'), ['BM']),
  format('webp', textures('webp'), ['RIFF', 'WEBPVP8 ', 'WEBPVP8L', 'WEBPVP8X']),
  format('dem', [files.get('sheet_utm_84.dem')?.subarray(0, 4_000) ?? ''], ['     1', '-99999', '0.1D+01']),
  {
    ...format('hdr', [], ['nrows ', 'ulxmap ', 'cellsize ', 'ENVI', '1e999', 'nbits ']),
    name: 'flt',
    run: (input) => saysOf('.flt', Buffer.alloc(700), input),
  },
  format('img', [], ['EHFA_HEADER_TAG', 'Eimg_Layer', 'Edms_State']),
  format(
    'laz',
    [0, 2, 6, 7].flatMap((kind) =>
      [true, false].map((areUneven) =>
        lazFile({ format: kind, chunks: [fewPoints, fewPoints], areUneven, extra: kind }),
      ),
    ),
    ['LASF_Projection', 'laszip encoded', '\xff\xff\xff\xff'],
  ),
  sidecarTexts,
  format('glb', [glb, modelGlb([550_000, 5_800_000, 40])], ['glTF', 'JSON', '"POSITION"']),
  format('gltf', [gltfAt([550_000, 5_800_000, 40])], ['"POSITION"', '"min"', '1e9', '}']),
  format(
    'geojson',
    [
      '{"type":"FeatureCollection","features":[]}',
      '{"type":"MultiPoint","crs":{"properties":{"name":"EPSG:25832"}},"coordinates":[[9,51],[10,52]]}',
      '{"type":"Topology","transform":{"scale":[1,1],"translate":[0,0]},"arcs":[[[9,51],[1,1]]]}',
      '[{"id":"document"},{"position":{"epoch":"a","cartographicDegrees":[0,9,51,5]},"b":{"cartesian":[6378137,0,0]}}]',
    ],
    ['{', '}', '[', ']', '"', '1e999', '"bbox":[', '"coordinates":', '"crs":'],
  ),
  {
    ...format(
      'json',
      [
        tileset({ content: { uri: 'a.b3dm' } }, region(9, 51, 10, 52)),
        tileset({ transform: onEquator }, { box: [0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9] }),
        tileset(
          { implicitTiling: { subtrees: { uri: '{level}.subtree' } } },
          { sphere: [6_378_137, 0, 0, 9] },
        ),
      ],
      ['{', '}', '[', ']', '"', '1e999', '"children":[', '"box":', '"region":', '"uri":'],
    ),
    run: async (input) => {
      const read = async (at: number, length: number) => input.subarray(at, at + length);
      return `${await saysOf('.json', input)} ${shapeOf(await sampleReferences('a.json', input.length, read))}`;
    },
  },
  format(
    'kml',
    [kmlOf(kmlLine, kmlModel), kmlOf(kmlOverlay)],
    ['<coordinates>', '</coordinates>', '<LatLonBox>', '<!--', '<west>', '1e999,', 'gx:coord>', '>', '<'],
  ),
  format(
    'ifc',
    [projectedIfc('367000.', '5690000.'), ifc(ifcSite('(51,30,0)', '(7,15,0,0)'))],
    ['=IFCSITE(', '=IFCMAPCONVERSION(', '=IFCPROJECTEDCRS(', "'", '(', ')', ','],
  ),
  format('ifczip', [zipOf('a.ifc', ifc()), zipOf('a.ifc', projectedIfc('1.', '2.'))]),
  format('cityjson', ['{"type":"CityJSON","version":"2.0"}'], ['{', '}', '"']),
  format('spz', [spz(), 'NGSP'], ['NGSP', '\x1f\x8b']),
  format('splat', [Buffer.alloc(64, 1)]),
  format('sog', [zipOf('meta.json', '{}')], ['PK\x05\x06', 'PK\x01\x02']),
  { ...format('obj', [objModel([550_000, 5_800_000, 40])], ['v ', '1e9']), name: 'obj-places' },
  format(
    'ply',
    [
      ...(['ascii', 'binary_little_endian', 'binary_big_endian'] as const).map((kind) =>
        ply(kind, 'float', [550_000, 5_800_000, 40]),
      ),
      splatPly(),
    ],
    ['element vertex ', 'property float x', 'property list uchar int a', 'end_header'],
  ),
  { ...format('dae', [daeAt([550_000, 5_800_000, 40])], ['<float_array', 'position']), name: 'dae-places' },
  format('xml', [capture('EPSG:25832', '1,2,3')], ['<SRS>', '<SRSOrigin>', '<ModelMetadata']),
  format(
    'gml',
    [
      cityModel(),
      cityModel("urn:x'y", '3.0'),
      Buffer.from(`\ufeff${cityModel()}`, 'utf16le'),
      cityModel('urn:adv:crs:ETRS89_UTM32*DE_DHHN2016_NH').replace(
        '</core',
        '<dem:TINRelief><gml:posList srsDimension="3">1 2 3 4 5 6</gml:posList><gml:coordinates>1,2 3,4</gml:coordinates></core',
      ),
    ],
    [
      '<core:CityModel',
      'srsName="',
      "srsName='",
      'xmlns:gml="http://www.opengis.net/gml"',
      'EPSG:',
      '::',
      '<?',
      '<!--',
      '<!DOCTYPE ',
      '<bldg:lod2Solid>',
      '<bldg:lod1Solid>',
      '<gml:posList>',
      '<gml:coordinates>',
      '<core:relativeGMLGeometry>',
      '<dem:ReliefFeature>',
      'urn:adv:crs:',
      '*DE_',
    ],
  ),
  format('asc', ['ncols 2\nnrows 2\nxllcorner 0\n'], ['ncols ', 'nrows ', ' ']),
  zip,
  members,
  sidecars,
];
