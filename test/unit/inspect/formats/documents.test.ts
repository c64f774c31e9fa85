import { expect, it } from 'vitest';
import { maxTilesetLength } from '../../../../main/inspect/formats/documents/json-documents.ts';
import { contentsOf } from '../../../../main/inspect/formats/models/tileset.ts';
import { nearSurface } from '../../../../main/inspect/formats/systems/earth-centred.ts';
import { sampleReferences } from '../../../../main/inspect/headers/file-references.ts';
import {
  ifc,
  ifcSite,
  kmlLine,
  kmlLink,
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
} from './document-files.ts';
import { readBytes } from './read-bytes.ts';

const headOf = async (name: string, content: string | Buffer) => (await readBytes(name, content)).head;

/** West, south, east and north, rounded to about 10 m. */
async function boxOf(name: string, content: string | Buffer): Promise<readonly number[] | null> {
  const head = await headOf(name, content);
  const corners = head && 'corners' in head ? head.corners : null;
  if (!corners) return null;
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const edges = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  return edges.map((edge) => Math.round(edge * 1e4) / 1e4);
}

it('a tileset lies at its region, box or sphere', async () => {
  const box = { box: [0, 0, 0, 1_000, 0, 0, 0, 2_000, 0, 0, 0, 10] };
  expect(await boxOf('a.json', tileset({}, region(9, 51, 10, 52)))).toEqual([9, 51, 10, 52]);
  expect(await boxOf('a.json', tileset({}, region(179, 51, -179, 52)))).toEqual([179, 51, 181, 52]);
  expect(await boxOf('a.json', tileset({ transform: onEquator }, box))).toEqual([
    -0.009, -0.0181, 0.009, 0.0181,
  ]);
  expect(await boxOf('a.json', tileset({ transform: onEquator }, { sphere: [0, 0, 0, 1_000] }))).toEqual([
    -0.009, -0.009, 0.009, 0.009,
  ]);
  expect(await headOf('a.json', tileset({}, region(9, 51, 10, 52)))).toMatchObject({ system: 'EPSG:4979' });
});

it('a tileset has no place without a transform, in space or around the whole earth', async () => {
  expect(await boxOf('a.json', tileset())).toBe(null);
  expect(await boxOf('a.json', tileset({}, { sphere: [0, 0, 0, 6_400_000] }))).toBe(null);
  expect(await boxOf('a.json', tileset({}, { sphere: [7_000_000, 0, 0, 10] }))).toBe(null);
  expect(await boxOf('a.json', tileset({}, { box: 'nowhere' }))).toBe(null);
  expect(await headOf('a.json', tileset())).toMatchObject({ kind: 'tileset', system: null });
});

it('a tileset names content, tilesets and the first subtree, without query and fragment', () => {
  const document = JSON.parse(
    tileset({
      content: { uri: 'a.b3dm?v=1#x' },
      children: [
        { content: { url: 'old.b3dm' }, children: [{ contents: [{ uri: 'b.glb' }, { uri: 'c%20d.glb' }] }] },
        {
          content: { uri: '{level}/{x}.glb' },
          implicitTiling: { subtrees: { uri: 'subtrees/{level}/{x}/{y}/{z}.subtree' } },
        },
        { extensions: { '3DTILES_implicit_tiling': { subtrees: { uri: 's/{level}.subtree' } } } },
        { extensions: { '3DTILES_multiple_contents': { content: [{ uri: 'e.i3dm' }] } } },
        { content: { uri: 'data:application/json,1' } },
      ],
    }),
  );
  expect(new Set(contentsOf(document, 100))).toEqual(
    new Set([
      ...['a.b3dm', 'old.b3dm', 'b.glb', 'c%20d.glb', '{level}/{x}.glb', 'e.i3dm'],
      ...['subtrees/0/0/0/0.subtree', 's/0.subtree'],
    ]),
  );
  expect(contentsOf(document, 2).length).toBeLessThanOrEqual(3);
});

it('a tileset is read completely for names, up to the limit', async () => {
  const text = tileset({ note: ' '.repeat(400_000), content: { uri: 'c%20d.glb' } });
  const read = async (at: number, length: number) => Buffer.from(text).subarray(at, at + length);
  expect(await sampleReferences('a.json', text.length, read)).toEqual(['c d.glb']);
  expect(await sampleReferences('a.json', maxTilesetLength + 1, read)).toEqual([]);
  const { head, bytesRead } = await readBytes('a.json', text, { size: maxTilesetLength + 1 });
  expect(head).toBe(null);
  expect(bytesRead).toBeLessThan(64 * 1024);
});

it('a tileset is reported as truncated or broken, unlike settings files', async () => {
  const text = tileset();
  expect(await readBytes('a.json', text.slice(0, -9))).toMatchObject({ verdict: 'noEnd' });
  expect(await readBytes('a.json', text.replace('10', '1 0'))).toMatchObject({
    head: { kind: 'broken-json' },
    verdict: null,
  });
  for (const otherText of ['{"root": "/a", // note\n}', '{"a": [1, 2', '', 'x'])
    expect(await readBytes('a.json', otherText)).toMatchObject({ head: null, verdict: null });
  expect(await readBytes('a.json', '{"type": "FeatureCollection", "features": [')).toMatchObject({
    verdict: 'noEnd',
  });
});

it('a tileset is placed by earth-centred coordinates', () => {
  // 52.5° N, 13.4° E, 100 m by EPSG method 9602.
  const [longitude, latitude] = nearSurface([3_785_100.745, 901_738.193, 5_036_943.92]) ?? [];
  expect(longitude).toBeCloseTo(13.4, 7);
  expect(latitude).toBeCloseTo(52.5, 7);
  expect(nearSurface([0, 0, 6_356_752.3])?.[1]).toBeCloseTo(90, 6);
  expect(nearSurface([0, 0, 0])).toBe(null);
});

it('a document of features lies at its coordinates or box in its named system', async () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [9, 51, 3],
      [10, 52],
    ],
  };
  const feature = { type: 'Feature', geometry: line, properties: { coordinates: [0, 0] } };
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } };
  const namedSystem = JSON.stringify({ type: 'FeatureCollection', crs, features: [feature] });
  expect(await boxOf('a.geojson', JSON.stringify(line))).toEqual([9, 51, 10, 52]);
  expect(await headOf('a.geojson', namedSystem)).toMatchObject({ system: 'EPSG:25832' });
  expect(await boxOf('a.geojson', namedSystem)).toEqual([9, 51, 10, 52]);
  expect(await headOf('a.geojson', JSON.stringify(feature))).toMatchObject({ system: 'EPSG:4326' });
  const boxed = { type: 'FeatureCollection', bbox: [170, -20, 0, -170, -10, 5], features: [] };
  expect(await boxOf('a.geojson', JSON.stringify(boxed))).toEqual([170, -20, 190, -10]);
  expect(await headOf('a.geojson', JSON.stringify({ ...boxed, bbox: undefined }))).toEqual({
    ...{ kind: 'features', system: 'EPSG:4326', vertical: null },
  });
  expect(await headOf('a.geojson', JSON.stringify({ ...feature, crs: null }))).toMatchObject({
    system: null,
  });
  expect(await headOf('a.geojson', '{"type": "else"}')).toBe(null);
});

it('a document of features may be a topology with delta-encoded arcs', async () => {
  const transform = { scale: [0.5, 0.25], translate: [8, 50] };
  const steps = {
    type: 'Topology',
    transform,
    objects: {},
    arcs: [
      [
        [2, 4],
        [2, 4],
      ],
    ],
  };
  expect(await boxOf('a.topojson', JSON.stringify(steps))).toEqual([9, 51, 10, 52]);
  const plain = {
    type: 'Topology',
    objects: {},
    arcs: [
      [
        [9, 51],
        [10, 52],
      ],
    ],
  };
  expect(await boxOf('a.topojson', JSON.stringify(plain))).toEqual([9, 51, 10, 52]);
});

it('a document of features may be CZML with sampled positions', async () => {
  const packets = [
    { id: 'document', version: '1.0' },
    { position: { epoch: '2026-01-01T00:00:00Z', cartographicDegrees: [0, 9, 51, 5, 60, 9.5, 51.5, 5] } },
    { polyline: { positions: { cartographicDegrees: [9, 51, 0, 10, 52, 0] } } },
    { rectangle: { coordinates: { wsenDegrees: [9.1, 51.1, 9.2, 51.2] } } },
  ];
  expect(await boxOf('a.czml', JSON.stringify(packets))).toEqual([9, 51, 10, 52]);
  const centred = [{ id: 'document' }, { position: { cartesian: [6_378_137, 0, 0] } }];
  expect(await boxOf('a.czml', JSON.stringify(centred))).toEqual([0, 0, 0, 0]);
  expect(await headOf('a.czml', '[1]')).toBe(null);
});

it('a document of features is reported as truncated or broken, except line-delimited features', async () => {
  const text = '{"type": "FeatureCollection", "features": []}';
  expect(await readBytes('a.topojson', text.slice(0, -1))).toMatchObject({ verdict: 'noEnd' });
  expect(await readBytes('a.czml', '[{"id": "document"}')).toMatchObject({ verdict: 'noEnd' });
  expect(await headOf('a.geojson', text.replace(',', ''))).toEqual({ kind: 'broken-json' });
  expect(await headOf('a.geojson', '{"type": "Feature"}\n{"type": "Feature"}\n')).toBe(null);
});

it('a KML document lies at its models, overlays, shapes or links', async () => {
  const cases = [
    [kmlOf(kmlLine, kmlModel), 'models', [9, 51, 13.4, 52.5]],
    [kmlOf(kmlOverlay, kmlLine), 'overlays', [9, 51, 10, 52]],
    [kmlOf(kmlLine, kmlLink), 'shapes', [9, 51, 10, 52]],
    [kmlOf(kmlLink), 'links', null],
    [kmlOf(`<!-- ${kmlModel} -->`), 'nothing', null],
    [kmlOf('<LookAt><longitude>9</longitude><latitude>51</latitude></LookAt>'), 'nothing', [9, 51, 9, 51]],
  ] as const;
  for (const [text, content, box] of cases) {
    expect(await headOf('a.kml', text)).toMatchObject({ kind: 'kml', content, system: 'EPSG:4326' });
    expect(await boxOf('a.kml', text)).toEqual(box);
  }
});

it('a KML document has unknown content when too long to read', async () => {
  const { head } = await readBytes('a.kml', kmlOf(kmlLine), { size: 5_000_000 });
  expect(head).toMatchObject({ kind: 'kml', content: null });
});

it('a building model lies at its map conversion, in metres or its length unit', async () => {
  const head = {
    kind: 'ifc',
    system: 'EPSG:25832',
    vertical: 'DHHN2016',
    lengthUnit: 0.001,
    isUnplaced: false,
  };
  expect(await headOf('a.ifc', projectedIfc('367000.', '5690000.'))).toMatchObject(head);
  expect(await boxOf('a.ifc', projectedIfc('367000.', '5690000.'))).toEqual([
    367_000, 5_690_000, 367_000, 5_690_000,
  ]);
  expect(await boxOf('a.ifc', projectedIfc('367000000.', '5690000000.'))).toMatchObject({ 1: 5_690_000 });
});

it('a building model lies at its site, unless that was never set', async () => {
  expect(await boxOf('a.ifc', ifc(ifcSite('(51,30,0)', '(-7,-15,0,0)')))).toEqual([-7.25, 51.5, -7.25, 51.5]);
  for (const site of [ifcSite('$', '$'), ifcSite('(0,0,0)', '(0,0,0)'), ifcSite('(95,0,0)', '(1,0,0)')])
    expect(await headOf('a.ifc', ifc(site))).toMatchObject({ system: null, isUnplaced: true });
});

it('a building model has no place only if it was read completely, in all versions', async () => {
  const { head } = await readBytes('a.ifc', ifc(), { size: 20_000_000 });
  expect(head).toMatchObject({ isUnplaced: false });
  const olderModel = ifc("#5=IFCPROPERTYSET('a',$,'ePSet_MapConversion',$,(#6));");
  expect(await headOf('a.ifc', olderModel)).toMatchObject({ isUnplaced: false });
});

it('a building model may count in feet', async () => {
  const feet = ifc("#7=IFCCONVERSIONBASEDUNIT(#8,.LENGTHUNIT.,'FOOT',#9);");
  expect(await headOf('a.ifc', feet)).toMatchObject({ lengthUnit: 0.3048 });
});

it('a building model may be packed', async () => {
  const packedModel = zipOf('a.ifc', projectedIfc('367000.', '5690000.'));
  expect(await boxOf('a.ifczip', packedModel)).toEqual([367_000, 5_690_000, 367_000, 5_690_000]);
  expect(await readBytes('a.ifczip', packedModel.subarray(0, -9))).toMatchObject({ verdict: 'noArchiveEnd' });
  const bomb = zipOf('a.ifc', `${ifc()}${' '.repeat(20_000_000)}`);
  expect(await readBytes('a.ifczip', bomb)).toMatchObject({ head: null, verdict: null });
});

it('Gaussian splats are detected by properties, magic bytes or extensions', async () => {
  for (const [name, bytes] of [
    ['a.ply', splatPly()],
    ['a.spz', spz()],
    ['b.spz', Buffer.from('NGSP\x04')],
    ['a.splat', Buffer.alloc(64, 1)],
    ['a.ksplat', Buffer.alloc(64, 1)],
    ['a.sog', zipOf('meta.json', '{}')],
  ] as const)
    expect(await headOf(name, bytes)).toEqual({ kind: 'splats' });
  expect(await headOf('a.spz', 'else')).toBe(null);
});

it('a GLB may end with padding, but nothing longer', async () => {
  const glb = Buffer.alloc(20, ' ');
  glb.write('glTF');
  glb.writeUInt32LE(2, 4);
  glb.writeUInt32LE(20, 8);
  for (const padding of [0, 1, 4, 8])
    expect(await readBytes('a.glb', Buffer.concat([glb, Buffer.alloc(padding)]))).toMatchObject({
      verdict: null,
    });
  expect(await readBytes('a.glb', Buffer.concat([glb, Buffer.alloc(12)]))).toMatchObject({
    verdict: 'tooLong',
  });
});
