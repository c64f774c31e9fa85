import { appendFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { jpeg, laz, samples, tiff } from '../../unit/inspect/formats/sample-files.ts';
import { las } from '../data.ts';
import type { Delivery, Group, Scene } from '../delivery.ts';

const geoPackage = samples.find(({ ending }) => ending === '.mbtiles')?.bytes ?? Buffer.alloc(0);

/** Expects that a file is held with this message until the complete file arrives. */
function heldUntilWhole(name: string, incomplete: string | Uint8Array, reason: string, complete: Uint8Array) {
  return async ({ write, untilSource, expectAssets }: Scene): Promise<void> => {
    await write({ [`Kai/${name}`]: incomplete });
    const heldSource = await untilSource('Kai', ({ state }) => state === 'held');
    expect(heldSource).toMatchObject({
      why: `${reason}: ${name}. Nothing is uploaded until you choose.`,
      actions: ['leave-it', 'take-anyway'],
    });
    await write({ [`Kai/${name}`]: complete });
    await expectAssets([['Kai', [name]]]);
  };
}

function takenAtOnce(name: string, bytes: Uint8Array): Delivery['play'] {
  return async ({ write, expectAssets }) => {
    await write({ [`Kai/${name}`]: bytes });
    await expectAssets([['Kai', [name]]]);
  };
}

function foundIn(fixture: Scene['fixture'], rule: Scene['rule']) {
  const [receipt] = [...fixture.watch.receipts(rule.id)].filter(({ source }) => source === 'Kai');
  return receipt?.findings ?? [];
}

/** A point cloud whose header has a western limit east of its eastern one. */
const inverted = las();
inverted.writeDoubleLE(10, 187);

export const endOfFiles: Group = {
  title: 'Incomplete or faulty data',
  deliveries: [
    {
      comes: 'half a raster, left by a file server that lost its connection',
      becomes: 'waits until the other half arrives, then creates one asset',
      play: async ({ write, at, untilSource, expectAssets }) => {
        const completeFile = tiff({ big: true });
        await write({ 'Kai/ortho.tif': completeFile.subarray(0, -20) });
        await untilSource('Kai', ({ why }) => why === '1 file is truncated: ortho.tif.');
        await appendFile(at('Kai/ortho.tif'), completeFile.subarray(-20));
        await expectAssets([['Kai', ['ortho.tif']]]);
      },
    },
    {
      comes: 'a tile database without its last pages',
      becomes: 'holds it and names the file; creates one asset once the pages arrive',
      rule: { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' },
      play: heldUntilWhole('town.mbtiles', geoPackage.subarray(0, 600), '1 file is truncated', geoPackage),
    },
    {
      comes: 'a Git LFS pointer instead of a point cloud',
      becomes: 'holds it as a pointer; creates one asset once the data arrive',
      play: heldUntilWhole(
        'cloud.laz',
        'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
        '1 file is only a Git LFS pointer',
        laz(),
      ),
    },
    {
      comes: 'a server’s error page, saved as a raster',
      becomes: 'holds it as a web page; creates one asset once the data arrive',
      play: heldUntilWhole(
        'ortho.tif',
        '<!doctype html><html><body>403</body></html>',
        '1 file contains a web page',
        tiff(),
      ),
    },
    {
      comes: 'a text file with the name of a point cloud',
      becomes: 'holds it because content and name differ; creates one asset once the data arrive',
      play: heldUntilWhole('cloud.las', 'x y z', '1 file isn’t what its name says', las()),
    },
    {
      comes: 'a raster of full size that contains only zeros',
      becomes: 'holds it because it contains only zeros; creates one asset once it is filled',
      play: heldUntilWhole('ortho.tif', Buffer.alloc(9_000), '1 file contains zeros instead of data', tiff()),
    },
    {
      comes: 'an empty data file',
      becomes: 'holds it as empty; creates one asset once it has content',
      play: heldUntilWhole('ortho.tif', '', '1 file is empty', tiff()),
    },
    {
      comes: 'half a raster, and the user chooses *Upload anyway*',
      becomes: 'holds it until then, then creates one asset; the receipt lists the finding',
      play: async ({ fixture, rule, write, untilSource, expectAssets }) => {
        await write({ 'Kai/ortho.tif': tiff().subarray(0, -1) });
        await untilSource('Kai', ({ state }) => state === 'held');
        await fixture.watch.act(rule.id, 'Kai', 'take-anyway');
        await expectAssets([['Kai', ['ortho.tif']]]);
        expect(foundIn(fixture, rule)).toContainEqual({ id: 'cut-off', count: 1, files: ['ortho.tif'] });
      },
    },
    {
      comes: 'half a raster, and the user chooses *Leave it*',
      becomes: 'creates no asset',
      play: async ({ fixture, rule, write, untilSource, expectAssets }) => {
        await write({ 'Kai/ortho.tif': tiff().subarray(0, -1) });
        await untilSource('Kai', ({ state }) => state === 'held');
        await fixture.watch.act(rule.id, 'Kai', 'leave-it');
        await untilSource('Kai', ({ state }) => state === 'skipped');
        await expectAssets([]);
      },
    },
    {
      comes: 'half a raster, under a rule that never holds data for findings',
      becomes: 'waits six times as long as usual, then creates one asset; the receipt lists the finding',
      rule: { hold: 'never' },
      play: async ({ fixture, rule, write, expectAssets }) => {
        await write({ 'Kai/ortho.tif': tiff().subarray(0, -1) });
        await expectAssets([['Kai', ['ortho.tif']]]);
        expect(foundIn(fixture, rule)).toContainEqual({ id: 'cut-off', count: 1, files: ['ortho.tif'] });
      },
    },
    {
      comes: 'a raster without the coordinate system that the service requires',
      becomes:
        'holds it and names the reason; *Upload anyway* creates one asset, and the receipt lists the finding',
      rule: { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' },
      play: async ({ fixture, rule, write, untilSource, expectAssets }) => {
        await write({ 'Kai/ortho.tif': tiff() });
        const { why } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toMatch(/no coordinate system: ortho\.tif/);
        await fixture.watch.act(rule.id, 'Kai', 'take-anyway');
        await expectAssets([['Kai', ['ortho.tif']]]);
        expect(foundIn(fixture, rule)).toContainEqual({
          id: 'no-system-raster',
          count: 1,
          files: ['ortho.tif'],
        });
      },
    },
    {
      comes: 'a point cloud with an inverted bounding box, under a rule that also holds what may disappoint',
      becomes: 'holds it and names the reason; *Upload anyway* creates one asset',
      rule: { sourceType: 'POINT_CLOUD', hold: 'may-disappoint' },
      play: async ({ fixture, rule, write, untilSource, untilComplete }) => {
        await write({ 'Kai/cloud.las': inverted });
        const { why } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toMatch(/inverted bounding box: cloud\.las/);
        await fixture.watch.act(rule.id, 'Kai', 'take-anyway');
        await untilComplete('Kai');
      },
    },
    {
      comes: 'a point cloud with an inverted bounding box, under a rule with default settings',
      becomes: 'creates one asset; the receipt lists the finding',
      rule: { sourceType: 'POINT_CLOUD' },
      play: async ({ fixture, rule, write, untilComplete }) => {
        await write({ 'Kai/cloud.las': inverted });
        await untilComplete('Kai');
        expect(foundIn(fixture, rule).map(({ id }) => id)).toContain('las-inverted');
      },
    },
    {
      comes: 'a folder with a 3D model, under a rule for city models',
      becomes:
        'holds it and names both kinds; creates one asset once the rule fits or the user chooses *Upload anyway*',
      rule: { sourceType: 'CITYGML' },
      play: async ({ fixture, rule, write, untilSource, untilComplete }) => {
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
        await fixture.watch.act(rule.id, 'Hafen', 'take-anyway');
        await untilComplete('Hafen');
        await fixture.watch.save({ ...rule, sourceType: '3D_MODEL' }, false);
        await untilComplete('Kai');
      },
    },
    {
      comes: 'a folder with a 3D model, under a rule for city models that never holds data for findings',
      becomes: 'creates one asset',
      rule: { sourceType: 'CITYGML', hold: 'never' },
      play: async ({ write, untilComplete }) => {
        await write({ 'Kai/town.obj': 'mtllib town.mtl', 'Kai/town.mtl': 'newmtl a' });
        await untilComplete('Kai');
      },
    },
    {
      comes: 'a raster that is shorter than its header file says',
      becomes: 'holds it and names the file; *Upload anyway* creates one asset',
      rule: { assetType: 'TERRAIN', sourceType: 'RASTER_TERRAIN' },
      play: async ({ fixture, rule, write, untilSource, untilComplete }) => {
        const header = 'NCOLS 5\nNROWS 6\nNBITS 32\nBYTEORDER I\n';
        await write({ 'Kai/dsm.hdr': header, 'Kai/dsm.flt': Buffer.alloc(119, 1) });
        const { why } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toMatch(/^1 file is truncated: dsm\.flt\./);
        await fixture.watch.act(rule.id, 'Kai', 'take-anyway');
        await untilComplete('Kai');
      },
    },
    {
      comes: 'a folder of 300 rasters, one of them truncated',
      becomes: 'holds it and names the file; creates one asset once the file is complete',
      play: async ({ write, untilSource, expectAssets }) => {
        const names = Array.from({ length: 300 }, (_, at) => `tiles/${at}.tif`);
        const completeFile = tiff({ big: true });
        await write(Object.fromEntries(names.map((name) => [`Kai/${name}`, completeFile])));
        await write({ 'Kai/tiles/150.tif': completeFile.subarray(0, -1) });
        const { why } = await untilSource('Kai', ({ state }) => state === 'held');
        expect(why).toMatch(/^1 file is truncated: tiles\/150\.tif\./);
        await write({ 'Kai/tiles/150.tif': completeFile });
        await expectAssets([['Kai', names]]);
      },
    },
    {
      comes: 'a phone’s photo with a video at its end',
      becomes: 'creates one asset',
      play: takenAtOnce('a.jpg', Buffer.concat([jpeg, Buffer.alloc(90_000, 'ftypmp42')])),
    },
    {
      comes: 'a sparse raster that lacks most of its tiles',
      becomes: 'creates one asset',
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
