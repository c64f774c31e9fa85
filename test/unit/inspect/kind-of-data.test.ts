import { describe, expect, it } from 'vitest';
import type { Head } from '../../../main/inspect/formats/read-file.ts';
import { suggestKind } from '../../../main/inspect/kind-of-data.ts';
import { sayPhrase, sayValue } from '../../../renderer/say.ts';
import type { Suggestion } from '../../../shared/source.ts';

const inWords = (suggestion: Suggestion | null) =>
  suggestion && { ...suggestion, kind: sayPhrase(suggestion.kind), reason: sayValue(suggestion.reason) };
const suggest = (names: readonly string[], archivedNames?: readonly string[]) =>
  inWords(
    suggestKind({
      files: names.map((key) => ({ key, path: `/${key}`, size: 1, mtimeMs: 0 })),
      ...(archivedNames ? { archivedNames } : {}),
    }),
  );
const manyNames = (count: number, extension: string) =>
  Array.from({ length: count }, (_, index) => `f${index}.${extension}`);

describe('suggestKind()', () => {
  it.each([
    [manyNames(34, 'gml'), 'CITYGML', '3DTILES', '34 .gml files'],
    [['a.citygml'], 'CITYGML', '3DTILES', '1 .citygml file'],
    [['A.GML', 'b.citygml'], 'CITYGML', '3DTILES', '1 .gml and 1 .citygml files'],
    [['scan.laz'], 'POINT_CLOUD', '3DTILES', '1 .laz file'],
    [['house.obj', 'house.mtl', ...manyNames(50, 'jpg')], '3D_MODEL', '3DTILES', '1 .obj file'],
    [['Data/Tile_+000_-001/Tile_+000_-001.obj'], '3D_CAPTURE', '3DTILES', '1 .obj file'],
    [['plan.ifczip'], 'BIM_CAD', '3DTILES', '1 .ifczip file'],
    [['doc.kml', 'models/a.dae'], 'KML', '3DTILES', '1 .kml file'],
    [['plan.ifc'], 'BIM_CAD', '3DTILES', '1 .ifc file'],
    [['out/tileset.json', 'out/0.glb'], '3DTILES', '3DTILES', 'a tileset.json'],
    [['dem.asc', 'dem.prj'], 'RASTER_TERRAIN', 'TERRAIN', '1 .asc file'],
    [['world.terraindb'], 'TERRAIN_DATABASE', 'TERRAIN', '1 .terraindb file'],
    [['ortho.tif', 'ortho.tfw'], 'RASTER_IMAGERY', 'IMAGERY', '1 .tif file'],
    [['map.jpg', 'map.jgw'], 'RASTER_IMAGERY', 'IMAGERY', '1 .jpg file with world files'],
    [['map.png'], 'RASTER_IMAGERY', 'IMAGERY', '1 .png file'],
    [manyNames(200, 'jpg'), '3D_CAPTURE', '3DTILES', '200 .jpg files without world files'],
  ])('suggestKind() suggests for %j: %s', (names, sourceType, assetType, reason) => {
    expect(suggest(names)).toMatchObject({ sourceType, assetType, reason });
  });

  it('C28: reads names in a single archive', () => {
    expect(suggest(['city.zip'], ['data/a.gml', 'appearance/1.jpg'])).toMatchObject({
      sourceType: 'CITYGML',
      reason: '1 .gml file in the archive',
    });
  });

  it.each([
    [[]],
    [['readme']],
    [['.gml']],
    [['data.zip']],
    [['a.gml.bak', 'notes.txt']],
    // A preview next to unlisted formats.
    ...['a.e57', 'a.gpkg', 'town.city.json', '0/0/0.terrain'].map((name) => [[name, 'preview.jpg']]),
  ])('suggestKind() suggests nothing for %j', (names) => {
    expect(suggest(names)).toBeNull();
  });
});

const sighted = (names: readonly string[], head: Head, ...otherHeads: readonly Head[]) =>
  inWords(
    suggestKind(
      { files: names.map((key) => ({ key, path: `/${key}`, size: 1, mtimeMs: 0 })) },
      [head, ...otherHeads].map((head, index) => ({
        key: names[index] ?? '',
        head,
        sidecarSystemName: null,
        verdict: null,
      })),
    ),
  );

describe('suggestKind() with headers', () => {
  const raster: Head = {
    kind: 'tiff',
    vertical: null,
    corners: null,
    bands: 1,
    bits: 32,
    sample: 'float',
    palette: false,
    system: 'EPSG:25833',
    geo: true,
  };
  const picture: Head = { ...raster, bands: 3, bits: 8, sample: 'unsigned', system: null };
  const city: Head = { kind: 'gml', vertical: null, isCityGml: true, version: '2.0', system: 'EPSG:25832' };

  it('suggestKind() with headers distinguishes elevation from pictures', () => {
    expect(sighted(manyNames(3, 'tif'), raster)).toEqual({
      kind: 'Elevation raster',
      assetType: 'TERRAIN',
      sourceType: 'RASTER_TERRAIN',
      reason: '3 .tif files, 1 band of 32-bit floats',
    });
    expect(sighted(['a.tif'], picture)).toMatchObject({
      sourceType: 'RASTER_IMAGERY',
      reason: '1 .tif file, 3 bands of 8 bits',
    });
    expect(sighted(['a.tif'], { ...raster, sample: 'unsigned', bits: 8 })?.assetType).toBe('IMAGERY');
    expect(sighted(['a.tif'], { ...raster, palette: true, bits: 16 })?.assetType).toBe('IMAGERY');
    expect(sighted(manyNames(3, 'tif'), raster, picture, picture)?.assetType).toBe('IMAGERY');
  });

  it('suggestKind() with headers treats rasters with names of derived products as imagery', () => {
    for (const name of ['field_ndvi.tif', 'NDVI.tif', 'dgm1_hillshade.tif', 'slope.tif'])
      expect(sighted([name], raster)?.sourceType).toBe('RASTER_IMAGERY');
    expect(sighted(['hillshade.tif'], { ...raster, bits: 16, sample: 'unsigned' })?.assetType).toBe(
      'IMAGERY',
    );
    expect(sighted(['dgm_ndviller.tif'], raster)?.assetType).toBe('TERRAIN');
  });

  it('suggestKind() with headers distinguishes elevation from pictures in IMAGINE files', () => {
    const place = { system: null, vertical: null, corners: null };
    const heights: Extract<Head, { kind: 'imagine' }> = {
      ...{ kind: 'imagine', bands: 1, bits: 32, sample: 'float', palette: false, ...place },
    };
    expect(sighted(['dem.img'], heights)).toMatchObject({
      sourceType: 'RASTER_TERRAIN',
      reason: '1 .img file, 1 band of 32-bit floats',
    });
    expect(sighted(['a.img'], { ...heights, bands: 3, bits: 8, sample: 'unsigned' })?.assetType).toBe(
      'IMAGERY',
    );
  });

  it('suggestKind() with headers names the version of a city model', () => {
    expect(sighted(manyNames(34, 'gml'), city)).toMatchObject({
      kind: 'CityGML 2.0',
      reason: '34 .gml files',
    });
    expect(
      sighted(manyNames(2, 'gml'), city, { ...city, version: '1.0', system: 'EPSG:3068' }),
    ).toMatchObject({ kind: 'CityGML', reason: '2 .gml files' });
  });

  it('suggestKind() with headers rejects other GML, and accepts a city model in .xml', () => {
    expect(sighted(['a.gml'], { ...city, isCityGml: false, version: null })).toBeNull();
    expect(sighted(['a.xml'], city)).toMatchObject({ kind: 'CityGML 2.0', reason: '1 .xml file' });
    expect(suggest(['a.xml'])).toBeNull();
  });

  it('suggestKind() with headers names the version of a point cloud', () => {
    const cloud: Head = {
      kind: 'las',
      vertical: null,
      corners: null,
      version: '1.4',
      compressed: true,
      system: 'ETRS89 / UTM zone 32N',
    };
    expect(sighted(['a.laz'], cloud)?.reason).toBe('1 .laz file, LAZ 1.4');
  });

  it('C14: suggests a capture for models with metadata', () => {
    const head: Head = { kind: 'capture', srs: 'EPSG:25832', origin: [1, 2, 3] };
    expect(sighted(['metadata.xml', 'a.obj'], head)?.sourceType).toBe('3D_CAPTURE');
  });

  it('suggestKind() with headers suggests a capture for photos with positions', () => {
    const photo: Head = { kind: 'jpeg', hasPosition: true };
    const blind: Head = { kind: 'jpeg', hasPosition: false };
    expect(sighted(manyNames(5, 'jpg'), photo)).toMatchObject({
      sourceType: '3D_CAPTURE',
      reason: '5 .jpg files with EXIF position',
    });
    expect(sighted(manyNames(5, 'jpg'), photo, photo, blind)?.reason).toBe(
      '5 .jpg files, most of them with EXIF position',
    );
    expect(sighted(manyNames(5, 'jpg'), blind)?.sourceType).toBe('RASTER_IMAGERY');
    expect(sighted(manyNames(2, 'jpg'), photo)?.sourceType).toBe('RASTER_IMAGERY');
    const photoOf = (camera: string): Head => ({ ...blind, camera, size: [4_000, 3_000] });
    const [firstPhoto, secondPhoto] = [photoOf('DSC-W830'), photoOf('ILCE-7RM4')];
    expect(sighted(manyNames(11, 'jpg'), firstPhoto, firstPhoto)?.sourceType).toBe('3D_CAPTURE');
    expect(sighted(manyNames(11, 'jpg'), firstPhoto, secondPhoto)?.sourceType).toBe('RASTER_IMAGERY');
  });

  it('suggestKind() with headers suggests a capture for photos of one camera and size in any orientation', () => {
    const photo: Head = { kind: 'jpeg', hasPosition: false, camera: 'Canon EOS 10D', size: [3_072, 2_048] };
    const upright: Head = { ...photo, size: [2_048, 3_072] };
    const placedHead: Head = { kind: 'jpeg', hasPosition: true, position: [7, 51], camera: 'Canon EOS 10D' };
    expect(sighted(manyNames(11, 'jpg'), photo, photo, upright)).toMatchObject({
      sourceType: '3D_CAPTURE',
      reason: '11 .jpg files from one camera',
    });
    expect(sighted(manyNames(11, 'jpg'), photo, photo, placedHead)?.sourceType).toBe('3D_CAPTURE');
    expect(sighted(manyNames(2, 'jpg'), photo, photo)?.sourceType).toBe('RASTER_IMAGERY');
    expect(sighted([...manyNames(11, 'jpg'), 'f0.jgw'], photo)?.sourceType).toBe('RASTER_IMAGERY');
  });

  it.each([
    ['of no camera', {}],
    ['of another camera', { camera: 'X', size: [256, 256] }],
    ['of another size', { camera: 'Y', size: [256, 300] }],
    ['whose size is not known', { camera: 'Y' }],
    ['that a file beside it places', { camera: 'Y', size: [256, 256], corners: [[1, 2]] }],
  ] as const)(
    'suggestKind() with headers keeps JPEG maps as imagery: photos with one %s',
    (_what, otherTrait) => {
      const jpeg: Head = { kind: 'jpeg', hasPosition: false, camera: 'Y', size: [256, 256] };
      const map: Head = { kind: 'jpeg', hasPosition: false, ...otherTrait };
      expect(sighted(manyNames(11, 'jpg'), jpeg, jpeg, map)?.sourceType).toBe('RASTER_IMAGERY');
    },
  );
});
