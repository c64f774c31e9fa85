import { rm } from 'node:fs/promises';
import { jpeg, tiff } from '../data.ts';
import type { Delivery, Group } from '../delivery.ts';

const batchRule: Delivery['rule'] = { unit: { kind: 'batch' }, namePattern: 'Delivery {counter}' };
const rasters: Delivery['rule'] = { ...batchRule, assetType: 'IMAGERY', sourceType: 'RASTER_IMAGERY' };

/** A rule that creates one asset from everything that arrives together. */
export const batch: Group = {
  title: 'Deliveries that arrive in several steps',
  deliveries: [
    {
      comes: 'files and a folder in succession, under a rule for everything that arrives together',
      becomes: 'creates one asset with all of them, once nothing more arrives',
      rule: batchRule,
      play: async ({ write, untilSource, expectAssets }) => {
        await write({ 'a.jpg': jpeg('a') });
        await untilSource('./batch-1', ({ state }) => state === 'settling');
        await write({ 'flight/b.jpg': jpeg('b') });
        await write({ 'c.jpg': jpeg('c') });
        await expectAssets([['Delivery 001', ['a.jpg', 'c.jpg', 'flight/b.jpg']]]);
      },
    },
    {
      comes: 'more files on the next day, in the same folders',
      becomes: 'creates another asset with only these files',
      rule: batchRule,
      play: async ({ write, untilComplete, expectAssets }) => {
        await write({ 'flight/a.jpg': jpeg('a'), 'b.jpg': jpeg('b') });
        await untilComplete('./batch-1');
        await write({ 'flight/c.jpg': jpeg('c') });
        await expectAssets([
          ['Delivery 001', ['b.jpg', 'flight/a.jpg']],
          ['Delivery 002', ['flight/c.jpg']],
        ]);
      },
    },
    {
      comes: 'pyramids and statistics for rasters that are already finished',
      becomes: 'creates no asset; treats them as part of their rasters',
      rule: rasters,
      play: async ({ write, untilComplete, expectAssets }) => {
        await write({ 'a.tif': tiff('a'), 'b.tif': tiff('b') });
        await untilComplete('./batch-1');
        await write({ 'a.tif.aux.xml': '<PAMDataset/>', 'a.tif.ovr': tiff('o') });
        await expectAssets([['Delivery 001', ['a.tif', 'b.tif']]]);
      },
    },
    {
      comes: 'a new version of one file of a finished delivery, while another file is deleted',
      becomes: 'holds the delivery and names both files until the user decides',
      rule: { ...rasters, whenChanged: 'hold' },
      play: async ({ at, write, untilComplete, untilSource, expectAssets }) => {
        await write({ 'a.tif': tiff('a'), 'b.tif': tiff('b'), 'c.tif': tiff('c') });
        await untilComplete('./batch-1');
        await rm(at('c.tif'));
        await write({ 'a.tif': tiff('another') });
        await untilSource('./batch-1', ({ why }) => why.includes('a.tif') && why.includes('c.tif'));
        await expectAssets([['Delivery 001', ['a.tif', 'b.tif', 'c.tif']]]);
      },
    },
    {
      comes: 'files with the same names every day, under a rule that moves finished files away',
      becomes: 'creates an asset for each day',
      rule: { ...rasters, afterSuccess: { kind: 'move', folder: 'done' } },
      play: async ({ write, untilComplete, expectAssets }) => {
        await write({ 'north.tif': tiff('1'), 'south.tif': tiff('1') });
        await untilComplete('./batch-1');
        await write({ 'north.tif': tiff('2'), 'south.tif': tiff('2') });
        await expectAssets([
          ['Delivery 001', ['north.tif', 'south.tif']],
          ['Delivery 002', ['north.tif', 'south.tif']],
        ]);
      },
    },
    {
      comes: 'a readme and a report, and the rasters half an hour later',
      becomes: 'skips them at first; then uploads the readme with the rasters, without the report',
      rule: rasters,
      play: async ({ write, untilSource, expectAssets }) => {
        await write({ 'Lies_mich.txt': 'hello', 'report.pdf': 'x' });
        await untilSource('./batch-1', ({ state }) => state === 'left-alone');
        await write({ 'a.tif': tiff() });
        await expectAssets([['Delivery 001', ['Lies_mich.txt', 'a.tif']]]);
      },
    },
  ],
};
