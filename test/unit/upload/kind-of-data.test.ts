import { describe, expect, it } from 'vitest';
import { suggestKind } from '../../../main/upload/kind-of-data.ts';

const suggest = (names: readonly string[], archivedNames?: readonly string[]) =>
  suggestKind({
    files: names.map((key) => ({ key, path: `/${key}`, size: 1, mtimeMs: 0 })),
    ...(archivedNames ? { archivedNames } : {}),
  });
const many = (count: number, extension: string) =>
  Array.from({ length: count }, (_, index) => `f${index}.${extension}`);

describe('suggestKind', () => {
  it.each([
    [many(34, 'gml'), 'CITYGML', '3DTILES', '34 .gml files'],
    [['a.citygml'], 'CITYGML', '3DTILES', '1 .citygml file'],
    [['A.GML', 'b.citygml'], 'CITYGML', '3DTILES', '1 .gml and 1 .citygml files'],
    [['scan.laz'], 'POINT_CLOUD', '3DTILES', '1 .laz file'],
    [['house.obj', 'house.mtl', ...many(50, 'jpg')], '3D_MODEL', '3DTILES', '1 .obj file'],
    [['doc.kml', 'models/a.dae'], 'KML', '3DTILES', '1 .kml file'],
    [['plan.ifc'], 'BIM_CAD', '3DTILES', '1 .ifc file'],
    [['out/tileset.json', 'out/0.glb'], '3DTILES', '3DTILES', 'a tileset.json'],
    [['dem.asc', 'dem.prj'], 'RASTER_TERRAIN', 'TERRAIN', '1 .asc file'],
    [['world.terraindb'], 'TERRAIN_DATABASE', 'TERRAIN', '1 .terraindb file'],
    [['ortho.tif', 'ortho.tfw'], 'RASTER_IMAGERY', 'IMAGERY', '1 .tif file'],
    [['map.jpg', 'map.jgw'], 'RASTER_IMAGERY', 'IMAGERY', '1 .jpg file with world files'],
    [['map.png'], 'RASTER_IMAGERY', 'IMAGERY', '1 .png file'],
    [many(200, 'jpg'), '3D_CAPTURE', '3DTILES', '200 .jpg files without world files'],
  ])('of %j makes %s', (names, sourceType, assetType, reason) => {
    expect(suggest(names)).toMatchObject({ sourceType, assetType, reason });
  });

  it('looks at the names inside a single archive', () => {
    expect(suggest(['city.zip'], ['data/a.gml', 'appearance/1.jpg'])).toMatchObject({
      sourceType: 'CITYGML',
      reason: '1 .gml file in the archive',
    });
  });

  it.each([[[]], [['readme']], [['.gml']], [['data.zip']], [['a.gml.bak', 'notes.txt']]])(
    'says nothing of %j',
    (names) => {
      expect(suggest(names)).toBeNull();
    },
  );
});
