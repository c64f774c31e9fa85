import { appendFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { jpeg, laz, samples, tiff } from '../../unit/inspect/formats/sample-files.ts';
import { las } from '../data.ts';
import type { Delivery, Group, Scene } from '../delivery.ts';

const geoPackage = samples.find(({ ending }) => ending === '.mbtiles')?.bytes ?? Buffer.alloc(0);

/** Expects that a file is held with this message until the complete file arrives. */
function heldUntilWhole(name: string, before: string | Uint8Array, says: string, whole: Uint8Array) {
  return async ({ write, untilSource, expectAssets }: Scene): Promise<void> => {
    await write({ [`Kai/${name}`]: before });
    const held = await untilSource('Kai', ({ state }) => state === 'held');
    expect(held).toMatchObject({
      why: `${says}: ${name}. Nothing is uploaded until you choose.`,
      actions: ['leave-it', 'take-anyway'],
    });
    await write({ [`Kai/${name}`]: whole });
    await expectAssets([['Kai', [name]]]);
  };
}

function takenAtOnce(name: string, bytes: Uint8Array): Delivery['play'] {
  return async ({ write, expectAssets }) => {
    await write({ [`Kai/${name}`]: bytes });
    await expectAssets([['Kai', [name]]]);
  };
}

function foundIn(house: Scene['house'], rule: Scene['rule']) {
  const [receipt] = [...house.watch.receipts(rule.id)].filter(({ source }) => source === 'Kai');
  return receipt?.findings ?? [];
}

/** A point cloud whose header has a western limit east of its eastern one. */
const inverted = las();
inverted.writeDoubleLE(10, 187);

export const ends: Group = {
  title: 'Whole, or half',
  deliveries: [
    {
      comes: 'half a raster that a file server leaves while its line is down, closed and seen by nobody',
      becomes: 'nothing until the rest is there, then one asset',
      play: async ({ write, at, untilSource, expectAssets }) => {
        const whole = tiff({ big: true });
        await write({ 'Kai/ortho.tif': whole.subarray(0, -20) });
        await untilSource('Kai', ({ why }) => why === 'ortho.tif is shorter than its header says');
        await appendFile(at('Kai/ortho.tif'), whole.subarray(-20));
        await expectAssets([['Kai', ['ortho.tif']]]);
      },
    },
    {
      comes: 'a tile database of which the last pages are missing',
      becomes: 'held, naming the file, until they are there; then one asset',
      rule: { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' },
      play: heldUntilWhole('town.mbtiles', geoPackage.subarray(0, 600), '1 file is truncated', geoPackage),
    },
    {
      comes: 'a Git LFS pointer in the place of a point cloud',
      becomes: 'held, and said to be a pointer, until the data come',
      play: heldUntilWhole(
        'cloud.laz',
        'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
        '1 file is only a Git LFS pointer',
        laz(),
      ),
    },
    {
      comes: 'the page with which a server refused a download, saved as a raster',
      becomes: 'held, and said to be a web page, until the data come',
      play: heldUntilWhole(
        'ortho.tif',
        '<!doctype html><html><body>403</body></html>',
        '1 file contains a web page',
        tiff(),
      ),
    },
    {
      comes: 'a text that is named like a point cloud',
      becomes: 'held, and said not to be what its name says, until the data come',
      play: heldUntilWhole('cloud.las', 'x y z', '1 file isn’t what its name says', las()),
    },
    {
      comes: 'a raster of full size that contains only zeros',
      becomes: 'held, and said to contain zeros, until it is filled',
      play: heldUntilWhole('ortho.tif', Buffer.alloc(9_000), '1 file contains zeros instead of data', tiff()),
    },
    {
      comes: 'a data file of no bytes',
      becomes: 'held, and said to be empty, until something is in it',
      play: heldUntilWhole('ortho.tif', '', '1 file is empty', tiff()),
    },
    {
      comes: 'half a raster, and a person wants it anyway',
      becomes: 'held until then, then one asset; its receipt says what was found',
      play: async ({ house, rule, write, untilSource, expectAssets }) => {
        await write({ 'Kai/ortho.tif': tiff().subarray(0, -1) });
        await untilSource('Kai', ({ state }) => state === 'held');
        await house.watch.act(rule.id, 'Kai', 'take-anyway');
        await expectAssets([['Kai', ['ortho.tif']]]);
        expect(foundIn(house, rule)).toContainEqual({ id: 'cut-off', count: 1, files: ['ortho.tif'] });
      },
    },
    {
      comes: 'half a raster, and a person says to leave it',
      becomes: 'nothing',
      play: async ({ house, rule, write, untilSource, expectAssets }) => {
        await write({ 'Kai/ortho.tif': tiff().subarray(0, -1) });
        await untilSource('Kai', ({ state }) => state === 'held');
        await house.watch.act(rule.id, 'Kai', 'leave-it');
        await untilSource('Kai', ({ state }) => state === 'skipped');
        await expectAssets([]);
      },
    },
    {
      comes: 'half a raster, under a rule that holds nothing for what is in it',
      becomes:
        'one asset, once nothing has come for six times as long as usual; its receipt says what was found',
      rule: { hold: 'never' },
      play: async ({ house, rule, write, expectAssets }) => {
        await write({ 'Kai/ortho.tif': tiff().subarray(0, -1) });
        await expectAssets([['Kai', ['ortho.tif']]]);
        expect(foundIn(house, rule)).toContainEqual({ id: 'cut-off', count: 1, files: ['ortho.tif'] });
      },
    },
    {
      comes: 'a raster that names no coordinate system, which the service’s guide asks for',
      becomes:
        'held, and said to have none, until a person wants it anyway; then one asset, and its receipt says so',
      rule: { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' },
      play: async ({ house, rule, write, untilSource, expectAssets }) => {
        await write({ 'Kai/ortho.tif': tiff() });
        const { why } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toMatch(/no coordinate system: ortho\.tif/);
        await house.watch.act(rule.id, 'Kai', 'take-anyway');
        await expectAssets([['Kai', ['ortho.tif']]]);
        expect(foundIn(house, rule)).toContainEqual({
          id: 'no-system-raster',
          count: 1,
          files: ['ortho.tif'],
        });
      },
    },
    {
      comes:
        'a point cloud whose header has its bounds the wrong way round, under a rule that also holds what may disappoint',
      becomes: 'held, and said to have such bounds, until a person wants it anyway; then one asset',
      rule: { sourceType: 'POINT_CLOUD', hold: 'may-disappoint' },
      play: async ({ house, rule, write, untilSource, untilComplete }) => {
        await write({ 'Kai/cloud.las': inverted });
        const { why } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toMatch(/inverted bounding box: cloud\.las/);
        await house.watch.act(rule.id, 'Kai', 'take-anyway');
        await untilComplete('Kai');
      },
    },
    {
      comes: 'the same under the usual rule',
      becomes: 'one asset; its receipt says what was found',
      rule: { sourceType: 'POINT_CLOUD' },
      play: async ({ house, rule, write, untilComplete }) => {
        await write({ 'Kai/cloud.las': inverted });
        await untilComplete('Kai');
        expect(foundIn(house, rule).map(({ id }) => id)).toContain('las-inverted');
      },
    },
    {
      comes: 'a folder with a 3D model, under a rule that makes city models of what it finds',
      becomes:
        'held, and said to be of another kind; one asset once the rule fits, or a person wants it anyway',
      rule: { sourceType: 'CITYGML' },
      play: async ({ house, rule, write, untilSource, untilComplete }) => {
        await write({
          'Kai/town.obj': 'mtllib town.mtl',
          'Kai/town.mtl': 'newmtl a',
          'Hafen/a.obj': 'v 0 0 0',
        });
        await write({ 'Hafen/a.mtl': 'newmtl a' });
        const { why, actions } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toBe(
          'The kind of data is 3D model, but the rule expects CityGML: town.obj. Nothing is uploaded until you choose.',
        );
        expect(actions).toEqual(['leave-it', 'take-anyway']);
        await untilSource('Hafen', ({ state }) => state === 'held');
        await house.watch.act(rule.id, 'Hafen', 'take-anyway');
        await untilComplete('Hafen');
        await house.watch.save({ ...rule, sourceType: '3D_MODEL' }, false);
        await untilComplete('Kai');
      },
    },
    {
      comes: 'the same, under a rule that holds nothing for what is in it',
      becomes: 'one asset',
      rule: { sourceType: 'CITYGML', hold: 'never' },
      play: async ({ write, untilComplete }) => {
        await write({ 'Kai/town.obj': 'mtllib town.mtl', 'Kai/town.mtl': 'newmtl a' });
        await untilComplete('Kai');
      },
    },
    {
      comes: 'a raster shorter than the header beside it says',
      becomes: 'held, naming the file, until a person wants it anyway; then one asset',
      rule: { assetType: 'TERRAIN', sourceType: 'RASTER_TERRAIN' },
      play: async ({ house, rule, write, untilSource, untilComplete }) => {
        const header = 'NCOLS 5\nNROWS 6\nNBITS 32\nBYTEORDER I\n';
        await write({ 'Kai/dsm.hdr': header, 'Kai/dsm.flt': Buffer.alloc(119, 1) });
        const { why } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toMatch(/^1 file is truncated: dsm\.flt\./);
        await house.watch.act(rule.id, 'Kai', 'take-anyway');
        await untilComplete('Kai');
      },
    },
    {
      comes: 'three hundred rasters in a folder, one of them cut off',
      becomes: 'held, naming the file, until the rest of it is there; then one asset',
      play: async ({ write, untilSource, expectAssets }) => {
        const names = Array.from({ length: 300 }, (_, at) => `tiles/${at}.tif`);
        const whole = tiff({ big: true });
        await write(Object.fromEntries(names.map((name) => [`Kai/${name}`, whole])));
        await write({ 'Kai/tiles/150.tif': whole.subarray(0, -1) });
        const { why } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toMatch(/^1 file is truncated: tiles\/150\.tif\./);
        await write({ 'Kai/tiles/150.tif': whole });
        await expectAssets([['Kai', names]]);
      },
    },
    {
      comes: 'a photo with a film behind it, as telephones make them',
      becomes: 'one asset',
      play: takenAtOnce('a.jpg', Buffer.concat([jpeg, Buffer.alloc(90_000, 'ftypmp42')])),
    },
    {
      comes: 'a sparse raster, of which most tiles are not there',
      becomes: 'one asset',
      play: takenAtOnce(
        'mask.tif',
        tiff({
          tiled: true,
          strips: [
            [0, 0],
            [8, 20],
            [0, 0],
          ],
        }),
      ),
    },
  ],
};
