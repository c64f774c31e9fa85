import { appendFile } from 'node:fs/promises';
import { jpeg, laz, samples, tiff } from '../../unit/source/formats/sample-files.ts';
import type { Delivery, Group, Scene } from '../delivery.ts';

const geoPackage = samples.find(({ ending }) => ending === '.mbtiles')?.bytes ?? Buffer.alloc(0);

/** What waits under this name, said so, until the data themselves come. */
function waitsUntilWhole(name: string, before: string | Uint8Array, says: string, whole: Uint8Array) {
  return async ({ write, untilSource, expectAssets }: Scene): Promise<void> => {
    await write({ [`Kai/${name}`]: before });
    await untilSource('Kai', ({ state, why }) => state === 'settling' && why === `${name} ${says}`);
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

/** Whether files end as their formats say. */
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
      becomes: 'nothing until they are there, then one asset',
      rule: { assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' },
      play: waitsUntilWhole(
        'town.mbtiles',
        geoPackage.subarray(0, 600),
        'is shorter than its header says',
        geoPackage,
      ),
    },
    {
      comes: 'a Git LFS pointer in the place of a point cloud',
      becomes: 'nothing, and it is said to be a pointer, until the data come',
      play: waitsUntilWhole(
        'cloud.laz',
        'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
        'is a Git LFS pointer, not the actual data',
        laz(),
      ),
    },
    {
      comes: 'the page with which a server refused a download, saved as a raster',
      becomes: 'nothing, and it is said to be a web page, until the data come',
      play: waitsUntilWhole(
        'ortho.tif',
        '<!doctype html><html><body>403</body></html>',
        'is a web page, not the actual data',
        tiff(),
      ),
    },
    {
      comes: 'a data file of no bytes',
      becomes: 'nothing, and it is said to be empty, until something is in it',
      play: waitsUntilWhole('ortho.tif', '', 'is empty', tiff()),
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
