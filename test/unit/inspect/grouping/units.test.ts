import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentFacts } from '../../../../main/inspect/grouping/file-classes.ts';
import { type Piece, propose } from '../../../../main/inspect/grouping/propose.ts';
import { sortByKind } from '../../../../main/inspect/grouping/units.ts';

const blind: ContentFacts = { kindOf: () => undefined, isPlacedPhoto: () => undefined };

/** A line for each asset and reason: `RASTER_IMAGERY: a.tif a.tfw`. */
async function sortedGroups(keys: readonly string[], contentFacts = blind, isSeveral = false) {
  const keyObjects = keys.map((key) => ({ key }));
  const { pieces, assets } = propose(keyObjects, sortByKind(keyObjects, contentFacts), {
    several: isSeveral,
    isWhole: (entry) => !entry.includes('.') || entry.endsWith('.zip'),
  });
  const files = (numbers: readonly number[]) =>
    numbers.flatMap((pieceNumber) => keysOf(pieces[pieceNumber])).join(' ');
  const keysOf = (piece?: Piece) => (piece?.files ?? []).map((place) => keys[place]);
  const leftFiles = pieces.flatMap((piece) =>
    piece.reason ? [`${piece.reason}: ${keysOf(piece).join(' ')}`] : [],
  );
  return [
    ...assets.map((ownPieces) => `${pieces[ownPieces[0] ?? 0]?.kind}: ${files(ownPieces)}`),
    ...leftFiles,
  ];
}

it('files served unchanged become an asset each if there is no other data', async () => {
  expect(await sortedGroups(['a.geojson', 'b.geojson', 'orbit.czml', 'notes.txt'])).toEqual([
    ...['GEOJSON: a.geojson', 'GEOJSON: b.geojson', 'CZML: orbit.czml', 'note: notes.txt'],
  ]);
});

it('files served unchanged are left out next to other data', async () => {
  expect(await sortedGroups(['a.tif', 'outline.geojson'])).toEqual([
    'RASTER_IMAGERY: a.tif',
    'foreign: outline.geojson',
  ]);
});

describe('a drop is grouped by kind of data', () => {
  it('a drop is grouped by kind of data in one folder, without other files', async () => {
    const keys = ['a.tif', 'a.tfw', 'a.tif.aux.xml', 'scan.las', 'Bericht.docx', 'film.mp4', 'x.foo'];
    expect(await sortedGroups(keys)).toEqual([
      'RASTER_IMAGERY: a.tfw a.tif a.tif.aux.xml',
      'POINT_CLOUD: scan.las',
      'document: Bericht.docx film.mp4',
      'unknown: x.foo',
    ]);
  });

  it('a drop is grouped by kind of data without hidden files, unless data names them', async () => {
    const keys = ['a/.mounted', 'a/.old.tif', 'a/1.tif', 'b/.wall.jpg', 'b/k.obj', 'c/.z.tif.icloud'];
    const contentFacts = { ...blind, referencingKeys: new Map([['b/.wall.jpg', 'b/k.obj']]) };
    expect(await sortedGroups(keys, contentFacts)).toEqual([
      'RASTER_IMAGERY: a/1.tif',
      '3D_MODEL: b/.wall.jpg b/k.obj c/.z.tif.icloud',
      'hidden: a/.mounted a/.old.tif',
    ]);
    expect(await sortedGroups(['.mounted/tileset.json', '.mounted/a.b3dm'])).toEqual([
      '3DTILES: .mounted/a.b3dm .mounted/tileset.json',
    ]);
  });

  it('a drop is grouped by kind of data by folders below one', async () => {
    const keys = ['Imagery/1.tif', 'Imagery/2.tif', 'Imagery/readme.txt', 'Scan/1.laz', 'readme.txt'];
    expect(await sortedGroups(keys)).toEqual([
      'RASTER_IMAGERY: Imagery/1.tif Imagery/readme.txt Imagery/2.tif',
      'POINT_CLOUD: Scan/1.laz',
      'note: readme.txt',
    ]);
  });

  it('a drop is grouped by kind of data with pictures and own files of models', async () => {
    const keys = ['kirche/k.obj', 'kirche/other.mtl', 'kirche/textures/1.jpg', 'kirche/k.bin', 'scan/a.las'];
    expect(await sortedGroups(keys)).toEqual([
      '3D_MODEL: kirche/k.bin kirche/k.obj kirche/other.mtl kirche/textures/1.jpg',
      'POINT_CLOUD: scan/a.las',
    ]);
    expect(await sortedGroups(['town/doc.kml', 'town/models/a.dae', 'town/models/a.jpg'])).toEqual([
      'KML: town/doc.kml town/models/a.dae town/models/a.jpg',
    ]);
  });

  it('C15: with the tiles of a mesh as a capture', async () => {
    const keys = ['Data/Tile_+000_+001/a.mtl', 'Data/Tile_+000_+001/a.obj', 'house.obj'];
    expect(await sortedGroups(keys)).toEqual([
      '3D_CAPTURE: Data/Tile_+000_+001/a.mtl Data/Tile_+000_+001/a.obj',
      '3D_MODEL: house.obj',
    ]);
  });

  it('a drop is grouped by kind of data with everything in and below a tileset', async () => {
    const keys = ['t/tileset.json', 't/0/0.b3dm', 't/0/0.foo', 't/readme.pdf', 't/x.tif', 'a.tif'];
    expect(await sortedGroups(keys)).toEqual([
      'RASTER_IMAGERY: a.tif',
      '3DTILES: t/0/0.b3dm t/0/0.foo t/readme.pdf t/tileset.json t/x.tif',
    ]);
  });

  it('a drop is grouped by kind of data with pictures of a city model, and a shapefile marked as unsupported', async () => {
    const keys = ['town.gml', 'town_appearance/1.jpg', 'roads.shp', 'roads.shx', 'roads.dbf', 'a.las'];
    expect(await sortedGroups(keys)).toEqual([
      'POINT_CLOUD: a.las',
      'CITYGML: town.gml town_appearance/1.jpg',
      'foreign: roads.dbf roads.shp roads.shx',
    ]);
  });

  it('a drop is grouped by kind of data with placed pictures, and photos as a capture', async () => {
    const photos = Array.from({ length: 20 }, (_, at) => `fotos/${at + 10}.jpg`);
    expect(await sortedGroups(['a.jpg', 'a.jgw', 'scan.las', 'vorschau.jpg', ...photos])).toEqual([
      'RASTER_IMAGERY: a.jgw a.jpg',
      `3D_CAPTURE: ${[...photos, 'vorschau.jpg'].join(' ')}`,
      'POINT_CLOUD: scan.las',
    ]);
    expect(await sortedGroups(['scan.las', 'vorschau.jpg'])).toEqual([
      'POINT_CLOUD: scan.las',
      'picture: vorschau.jpg',
    ]);
  });

  it('a drop is grouped by kind of data with few photos of one camera as a capture', async () => {
    const photos = Array.from({ length: 11 }, (_, at) => `fotos/${at + 10}.jpg`);
    const keys = ['scan.las', ...photos];
    expect(await sortedGroups(keys)).toContain(`picture: ${photos.join(' ')}`);
    const content: ContentFacts = {
      ...blind,
      areOfOneCamera: (keysOfPhotos) => keysOfPhotos.join() === photos.join(),
    };
    expect(await sortedGroups(keys, content)).toContain(`3D_CAPTURE: ${photos.join(' ')}`);
    expect(await sortedGroups(keys.slice(0, 3), { ...blind, areOfOneCamera: () => true })).toContain(
      'picture: fotos/10.jpg fotos/11.jpg',
    );
  });

  it('C16: with files that a model names, and others separately', async () => {
    const keys = [
      ...['kirche/k.obj', 'kirche/k.mtl', 'kirche/tex/wand.tif', 'kirche/tex/wand.tif.aux.xml'],
      ...['dop/1.tif', 'dop/2.tif', 'dop/3.las'],
    ];
    const textureNames = new Map([
      ['kirche/k.mtl', 'kirche/k.obj'],
      ['kirche/tex/wand.tif', 'kirche/k.mtl'],
    ]);
    expect(await sortedGroups(keys, { ...blind, referencingKeys: textureNames })).toEqual([
      'RASTER_IMAGERY: dop/1.tif dop/2.tif',
      'POINT_CLOUD: dop/3.las',
      '3D_MODEL: kirche/k.mtl kirche/k.obj kirche/tex/wand.tif kirche/tex/wand.tif.aux.xml',
    ]);
    expect(await sortedGroups(keys)).toContain(
      'RASTER_IMAGERY: dop/1.tif dop/2.tif kirche/tex/wand.tif kirche/tex/wand.tif.aux.xml',
    );
  });

  it('a drop is grouped by kind of data with unreferenced files of a model’s library', async () => {
    const textureNames = new Map([['a/wand.tif', 'a/farben.mtl']]);
    expect(
      await sortedGroups(['a/farben.mtl', 'a/k.obj', 'a/wand.tif', 'b.tif'], {
        ...blind,
        referencingKeys: textureNames,
      }),
    ).toEqual(['3D_MODEL: a/farben.mtl a/k.obj a/wand.tif', 'RASTER_IMAGERY: b.tif']);
    const circle = new Map([...textureNames, ['a/farben.mtl', 'a/wand.tif']]);
    expect(
      await sortedGroups(['a/farben.mtl', 'a/k.obj', 'a/wand.tif'], { ...blind, referencingKeys: circle }),
    ).toEqual(['3D_MODEL: a/k.obj', 'RASTER_IMAGERY: a/wand.tif', 'note: a/farben.mtl']);
  });

  it('a drop is grouped by kind of data by headers', async () => {
    const kindOf = (key: string) =>
      key === 'dgm.tif' ? 'RASTER_TERRAIN' : key === 'c.gml' ? null : undefined;
    expect(await sortedGroups(['dgm.tif', 'dop.tif', 'c.gml'], { ...blind, kindOf })).toEqual([
      'RASTER_TERRAIN: dgm.tif',
      'RASTER_IMAGERY: dop.tif',
      'foreign: c.gml',
    ]);
  });

  it('a drop is grouped by kind of data with an asset per dropped folder, archive and model, and one for tiles', async () => {
    expect(
      await sortedGroups(['a/1.gml', 'b/1.gml', '1.tif', '2.tif', 'x.obj', 'y.obj'], blind, true),
    ).toEqual([
      'RASTER_IMAGERY: 1.tif 2.tif',
      'CITYGML: a/1.gml',
      'CITYGML: b/1.gml',
      '3D_MODEL: x.obj',
      '3D_MODEL: y.obj',
    ]);
  });

  const name = fc.constantFrom('a', 'b', 'A', 'c.d', 'tileset', 'a_appearance', 'data');
  const ending = fc.constantFrom(
    ...'tif tfw prj las laz gml xml obj mtl jpg jgw zip z01 pdf txt json shp dbf foo b3dm tif.aux.xml'.split(
      ' ',
    ),
    '',
  );
  const key = fc
    .tuple(fc.array(name, { maxLength: 3 }), name, ending)
    .map(([folders, ownFolder, extension]) =>
      [...folders, extension === '' ? ownFolder : `${ownFolder}.${extension}`].join('/'),
    );
  const contentFacts = fc.func(fc.constantFrom(undefined, undefined, null, 'RASTER_TERRAIN' as const));

  it('a drop is grouped by kind of data with each file once in any order, and sidecars with their data', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(key, { maxLength: 60 }),
        contentFacts,
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { maxLength: 20 }),
        async (keys, kindOf, isSeveral, naming) => {
          const pairs = naming.flatMap(([index, otherIndex]) => {
            const [key, sourceKey] = [keys[index], keys[otherIndex]];
            return key !== undefined && sourceKey !== undefined && key !== sourceKey
              ? [[key, sourceKey] as const]
              : [];
          });
          const content: ContentFacts = { ...blind, kindOf, referencingKeys: new Map(pairs) };
          const proposedGroups = async (allKeys: readonly string[]) => {
            const files = allKeys.map((key) => ({ key }));
            const { pieces, assets } = propose(files, sortByKind(files, content), {
              several: isSeveral,
              isWhole: (entry) => !entry.includes('.'),
            });
            const keysOf = (places: readonly number[]) => places.map((place) => allKeys[place] ?? '');
            return {
              pieces: pieces.map(({ files: ownFiles, ...piece }) => ({ ...piece, keys: keysOf(ownFiles) })),
              assets,
            };
          };
          const { pieces, assets } = await proposedGroups(keys);
          expect(pieces.flatMap((piece) => piece.keys).sort()).toEqual(keys.toSorted());
          const numbers = pieces.flatMap(({ kind }, at) => (kind ? [at] : []));
          expect(assets.flat().sort((a, b) => a - b)).toEqual(numbers);
          for (const ownPieces of assets)
            expect(new Set(ownPieces.map((at) => pieces[at]?.kind)).size).toBe(1);
          expect(await proposedGroups(keys.toReversed())).toEqual({ pieces, assets });
          for (const { keys: ownKeys } of pieces)
            for (const tileKey of ownKeys.filter((ownKey) => ownKey.endsWith('.tif')))
              for (const sidecarKey of [`${tileKey}.aux.xml`, tileKey.replace(/tif$/, 'tfw')])
                if (keys.includes(sidecarKey)) expect(ownKeys).toContain(sidecarKey);
        },
      ),
    ));
});
