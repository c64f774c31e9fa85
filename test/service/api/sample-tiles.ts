import { crc32, deflateSync } from 'node:zlib';

/** The smallest data of each asset type that a viewer draws. All assets of a type look the same. */

interface SampleFile {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

interface Sample {
  /** The entry below `/tiles/{id}/`; empty: the folder itself. */
  readonly entry: string;
  readonly files: (name: string) => SampleFile | undefined;
}

/** Berlin: longitude and latitude in degrees, and Earth-centred coordinates in metres. */
const place = [13.4, 52.5] as const;
const centre = [3_785_100, 901_738, 5_036_944] as const;
/** Edge of the box, metres. */
const edge = 200;

const json = (value: unknown): SampleFile => ({
  mediaType: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});
const onlyEntry =
  (entry: string, file: () => SampleFile): Sample['files'] =>
  (name) =>
    name === entry ? file() : undefined;
const singleFile = (entry: string, file: () => SampleFile): Sample => ({
  entry,
  files: onlyEntry(entry, file),
});

const samples: Readonly<Record<string, Sample>> = {
  '3DTILES': {
    entry: 'tileset.json',
    files: (name) => onlyEntry('tileset.json', tileset)(name) ?? onlyEntry('box.glb', box)(name),
  },
  IMAGERY: {
    entry: '',
    files: (name) =>
      onlyEntry('tilemapresource.xml', tileMap)(name) ?? (isRootTile(name, 'png') ? picture() : undefined),
  },
  TERRAIN: {
    entry: '',
    files: (name) =>
      onlyEntry('layer.json', layer)(name) ?? (isRootTile(name, 'terrain') ? plain() : undefined),
  },
  GLTF: singleFile('model.glb', box),
  GEOJSON: singleFile('data.geojson', () => json({ type: 'Point', coordinates: place })),
  CZML: singleFile('data.czml', () =>
    json([
      { id: 'document', version: '1.0' },
      { id: 'place', position: { cartographicDegrees: [...place, 0] }, point: { pixelSize: 10 } },
    ]),
  ),
  KML: singleFile('doc.kml', () => ({
    mediaType: 'application/vnd.google-earth.kml+xml',
    bytes: Buffer.from(
      '<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Point>' +
        `<coordinates>${place.join()}</coordinates></Point></Placemark></kml>`,
    ),
  })),
};

export const entryOf = (type: string): string => samples[type]?.entry ?? '';

/** Undefined if assets of this type have no such file. */
export const sampleFile = (type: string, name: string): SampleFile | undefined => samples[type]?.files(name);

/** Level 0 of a geographic pyramid has two tiles. */
const isRootTile = (name: string, extension: string): boolean =>
  name === `0/0/0.${extension}` || name === `0/1/0.${extension}`;

function tileset(): SampleFile {
  return json({
    asset: { version: '1.1' },
    geometricError: edge,
    root: {
      transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...centre, 1],
      boundingVolume: { sphere: [0, 0, 0, edge] },
      geometricError: 0,
      refine: 'REPLACE',
      content: { uri: 'box.glb' },
    },
  });
}

/** A cube as binary glTF 2.0: eight corners, two triangles for each side. */
function box(): SampleFile {
  const corners = Array.from({ length: 8 }, (_, corner) => [corner & 1, (corner >> 1) & 1, corner >> 2]);
  const positions = Float32Array.from(corners.flat(), (side) => (side - 0.5) * edge);
  const sides = ['021123', '456576', '014154', '263367', '042246', '135375'];
  const indices = Uint16Array.from(sides.join(''), Number);
  const [vertexBytes, indexBytes] = [Buffer.from(positions.buffer), Buffer.from(indices.buffer)];
  const binary = Buffer.concat([vertexBytes, indexBytes]);
  const [min, max] = [-edge / 2, edge / 2];
  const scene = JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.72, 0.4, 0.3, 1], metallicFactor: 0 } }],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: 8,
        type: 'VEC3',
        min: [min, min, min],
        max: [max, max, max],
      },
      { bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: vertexBytes.length, target: 34962 },
      { buffer: 0, byteOffset: vertexBytes.length, byteLength: indexBytes.length, target: 34963 },
    ],
    buffers: [{ byteLength: binary.length }],
  });
  const text = Buffer.from(scene.padEnd(Math.ceil(scene.length / 4) * 4));
  const chunks = Buffer.concat([
    words(text.length),
    Buffer.from('JSON'),
    text,
    words(binary.length),
    Buffer.from('BIN\0'),
    binary,
  ]);
  return {
    mediaType: 'model/gltf-binary',
    bytes: Buffer.concat([Buffer.from('glTF'), words(2, 12 + chunks.length), chunks]),
  };
}

const words = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);

function tileMap(): SampleFile {
  const text =
    '<TileMap version="1.0.0"><SRS>EPSG:4326</SRS><BoundingBox minx="-180" miny="-90" maxx="180" maxy="90"/>' +
    '<Origin x="-180" y="-90"/><TileFormat width="256" height="256" mime-type="image/png" extension="png"/>' +
    '<TileSets profile="geodetic"><TileSet href="0" units-per-pixel="0.703125" order="0"/></TileSets></TileMap>';
  return { mediaType: 'application/xml', bytes: Buffer.from(text) };
}

/** A PNG of 256 × 256 pixels, of one grey. */
function picture(): SampleFile {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(256, 0);
  header.writeUInt32BE(256, 4);
  header.writeUInt8(8, 8);
  // Each row begins with filter type 0.
  const row = Buffer.alloc(257, 0xb0).fill(0, 0, 1);
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(256).fill(row)));
  const chunk = (name: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(name), data]);
    const framed = Buffer.alloc(content.length + 8);
    framed.writeUInt32BE(data.length);
    content.copy(framed, 4);
    framed.writeUInt32BE(crc32(content), content.length + 4);
    return framed;
  };
  return {
    mediaType: 'image/png',
    bytes: Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      ...[chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))],
    ]),
  };
}

function layer(): SampleFile {
  return json({
    ...{
      tilejson: '2.1.0',
      version: '1.0.0',
      format: 'heightmap-1.0',
      scheme: 'tms',
      projection: 'EPSG:4326',
    },
    ...{ tiles: ['{z}/{x}/{y}.terrain'], bounds: [-180, -90, 180, 90], minzoom: 0, maxzoom: 0 },
    available: [[{ startX: 0, startY: 0, endX: 1, endY: 0 }]],
  });
}

/** 65 × 65 heights of 0 m (fifths of a metre above −1000 m), no children, land only. */
function plain(): SampleFile {
  const heights = Buffer.from(new Uint16Array(65 * 65).fill(5000).buffer);
  return { mediaType: 'application/octet-stream', bytes: Buffer.concat([heights, Buffer.alloc(2)]) };
}
