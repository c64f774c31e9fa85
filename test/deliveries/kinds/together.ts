import { jpeg, las, tiff } from '../data.ts';
import type { Group } from '../delivery.ts';

const text = (...lines: readonly string[]) => `${lines.join('\n')}\n`;

export const batchDeliveries: Group = {
  title: 'Files that belong together',
  deliveries: [
    {
      comes: 'a raster with its world file, projection and statistics',
      becomes: 'creates one asset with all four files',
      play: async ({ write, expectAssets }) => {
        await write({ 'ortho.tif': tiff(), 'ortho.tfw': '1', 'ortho.prj': 'x', 'ortho.tif.aux.xml': '<a/>' });
        await expectAssets([['ortho', ['ortho.prj', 'ortho.tfw', 'ortho.tif', 'ortho.tif.aux.xml']]]);
      },
    },
    {
      comes: 'two rasters in one folder, each with its own sidecars',
      becomes: 'creates two assets',
      play: async ({ write, expectAssets }) => {
        await write({ 'east.tif': tiff('e'), 'east.tfw': '1', 'west.tif': tiff('w'), 'west.tfw': '2' });
        await expectAssets([
          ['east', ['east.tfw', 'east.tif']],
          ['west', ['west.tfw', 'west.tif']],
        ]);
      },
    },
    {
      comes: 'sidecars that arrive before their raster',
      becomes: 'waits until the raster arrives, then creates one asset',
      play: async ({ write, scanAll, fixture, expectAssets }) => {
        await write({ 'ortho.tfw': '1', 'ortho.prj': 'x' });
        await scanAll();
        if (fixture.jobs.list().length > 0) throw new Error('a sidecar alone was taken');
        await write({ 'ortho.tif': tiff() });
        await expectAssets([['ortho', ['ortho.prj', 'ortho.tfw', 'ortho.tif']]]);
      },
    },
    {
      comes: 'a model with its material and textures',
      becomes: 'creates one asset',
      play: async ({ write, expectAssets }) => {
        await write({
          'town.obj': text('mtllib town.mtl', 'v 0 0 0'),
          'town.mtl': text('newmtl wall', 'map_Kd textures/wall.jpg'),
          'textures/wall.jpg': jpeg(),
        });
        await expectAssets([['town', ['textures/wall.jpg', 'town.mtl', 'town.obj']]]);
      },
    },
    {
      comes: 'a model without its texture',
      becomes: 'waits until the texture arrives, and names it',
      play: async ({ write, untilSource, expectAssets }) => {
        await write({ 'town.obj': text('mtllib town.mtl'), 'town.mtl': text('newmtl a', 'map_Kd wall.jpg') });
        await untilSource('town.obj', ({ why }) => why.includes('wall.jpg'));
        await write({ 'wall.jpg': jpeg() });
        await expectAssets([['town', ['town.mtl', 'town.obj', 'wall.jpg']]]);
      },
    },
    {
      comes: 'a glTF model with its buffer and pictures, with spaces in their names',
      becomes: 'creates one asset',
      play: async ({ write, expectAssets }) => {
        await write({
          'tower.gltf': JSON.stringify({
            asset: { version: '2.0' },
            buffers: [{ uri: 'tower%20data.bin', byteLength: 4 }],
            images: [{ uri: 'roof.jpg' }],
          }),
          'tower data.bin': Buffer.from([0, 0, 128, 63]),
          'roof.jpg': jpeg(),
        });
        await expectAssets([['tower', ['roof.jpg', 'tower data.bin', 'tower.gltf']]]);
      },
    },
    {
      comes: 'a folder with subfolders',
      becomes: 'creates one asset and keeps the subfolders',
      play: async ({ write, expectAssets }) => {
        await write({ 'Kai/day 1/a.jpg': jpeg(), 'Kai/day 2/a.jpg': jpeg() });
        await expectAssets([['Kai', ['day 1/a.jpg', 'day 2/a.jpg']]]);
      },
    },
    {
      comes: 'files of one kind at any depth, under a rule for such files',
      becomes: 'creates one asset for each file, named by the rule’s pattern',
      rule: {
        unit: { kind: 'files', patterns: ['*.las'] },
        sourceType: 'POINT_CLOUD',
        namePattern: '{parent} {name}',
      },
      play: async ({ write, expectAssets }) => {
        await write({ 'north/a.las': las(), 'south/deep/b.las': las(), 'south/readme.txt': 'x' });
        await expectAssets([
          ['deep b', ['b.las']],
          ['north a', ['a.las']],
        ]);
      },
    },
    {
      comes: 'a whole folder under a rule that waits for a “done” file in it',
      becomes: 'creates one asset without the “done” file, and another one after a change',
      rule: {
        unit: { kind: 'whole-folder' },
        readyWhen: { kind: 'marker', name: 'READY' },
        namePattern: 'Export',
        whenChanged: 'new-asset',
      },
      play: async ({ write, scanAll, fixture, expectAssets }) => {
        await write({ 'a.jpg': jpeg('a') });
        await scanAll();
        if (fixture.jobs.list().length > 0) throw new Error('taken before its marker');
        await write({ READY: '' });
        await expectAssets([['Export', ['a.jpg']]]);
        await write({ 'b.jpg': jpeg('b') });
        await write({ READY: 'again' });
        await expectAssets([
          ['Export', ['a.jpg']],
          ['Export', ['a.jpg', 'b.jpg']],
        ]);
      },
    },
  ],
};
