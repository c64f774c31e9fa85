import { mkdir, open, rename } from 'node:fs/promises';
import { jpeg, las, tiff, zip } from '../data.ts';
import type { Group } from '../delivery.ts';

export const writing: Group = {
  title: 'While files are being written',
  deliveries: [
    {
      comes: 'a folder that is copied file by file',
      becomes: 'creates one asset once nothing in it changes',
      rule: { settleSeconds: 1 },
      play: async ({ write, untilSource, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        await untilSource('Kai', ({ state }) => state === 'settling');
        await write({ 'Kai/sub/b.jpg': jpeg() });
        await untilSource('Kai', ({ state, files }) => state === 'settling' && files === 2);
        await write({ 'Kai/c.jpg': jpeg() });
        await expectAssets([['Kai', ['a.jpg', 'c.jpg', 'sub/b.jpg']]]);
      },
    },
    {
      comes: 'a folder that is moved from the same drive in one step',
      becomes: 'creates one asset',
      play: async ({ fixture, at, expectAssets }) => {
        await fixture.write({ '../outside/Kai/a.jpg': jpeg() });
        await rename(at('../outside/Kai'), at('Kai'));
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes:
        'a file that has its full size at once and is filled later, as Windows does when it copies to a share',
      becomes: 'creates one asset once the file is filled',
      play: async ({ at, untilSource, expectAssets }) => {
        await mkdir(at('Kai'));
        const completeFile = tiff('y'.repeat(1_500_000));
        const file = await open(at('Kai/mosaic.tif'), 'w');
        await file.truncate(completeFile.length);
        await untilSource('Kai', ({ state, why }) => state === 'settling' && why.includes('mosaic.tif'));
        await file.write(completeFile);
        await file.close();
        await expectAssets([['Kai', ['mosaic.tif']]]);
      },
    },
    {
      comes: 'a file that is written under a temporary name and then renamed',
      becomes: 'creates one asset with the final name',
      rule: { unit: { kind: 'files', patterns: ['*.tif'] } },
      play: async ({ write, at, scanAll, fixture, rule, expectAssets }) => {
        await write({ 'a.tif.part': tiff() });
        await scanAll();
        if (fixture.watch.sources(rule.id).length > 0) throw new Error('the temporary name is a source');
        await rename(at('a.tif.part'), at('a.tif'));
        await expectAssets([['a', ['a.tif']]]);
      },
    },
    {
      comes: 'a folder whose last file is written for long under a temporary name',
      becomes: 'names that file and waits for it, then creates one asset',
      play: async ({ write, at, untilSource, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg('a'), 'Kai/sub/.b.jpg.Xy3kQ9': jpeg('b') });
        await untilSource('Kai', ({ why }) => why.includes('.b.jpg.Xy3kQ9'));
        await rename(at('Kai/sub/.b.jpg.Xy3kQ9'), at('Kai/sub/b.jpg'));
        await expectAssets([['Kai', ['a.jpg', 'sub/b.jpg']]]);
      },
    },
    {
      comes: 'a download that keeps the browser’s temporary extension until it is complete',
      becomes: 'creates one asset with the final name',
      play: async ({ write, at, scanAll, expectAssets }) => {
        await write({ 'scan.las.crdownload': las() });
        await scanAll();
        await rename(at('scan.las.crdownload'), at('scan.las'));
        await expectAssets([['scan', ['scan.las']]]);
      },
    },
    {
      comes: 'the first half of a point cloud',
      becomes: 'waits until the other half arrives, then creates one asset',
      play: async ({ write, untilSource, expectAssets }) => {
        const completeFile = las(1_000);
        await write({ 'Scan/a.las': completeFile.subarray(0, 10_000) });
        await untilSource('Scan', ({ why }) => why.includes('a.las'));
        await write({ 'Scan/a.las': completeFile });
        await expectAssets([['Scan', ['a.las']]]);
      },
    },
    {
      comes: 'the header of a point cloud, long before its points',
      becomes: 'waits until the points arrive, then creates one asset',
      rule: { unit: { kind: 'files', patterns: ['*.las'] } },
      fixture: { timing: { settleMs: { local: 60, network: 60 } } },
      play: async ({ write, untilSource, scanAll, expectAssets }) => {
        await write({ 'scan.las': las(0) });
        await untilSource('scan.las', ({ why }) => why === '1 file contains no points: scan.las.');
        // Other unfinished data would be taken after 360 ms.
        for (let count = 0; count < 5; count++) await scanAll();
        await write({ 'scan.las': las(1_000) });
        await expectAssets([['scan', ['scan.las']]]);
      },
    },
    {
      comes: 'an archive without its end',
      becomes: 'waits until the archive is complete, then creates one asset',
      play: async ({ write, untilSource, expectAssets }) => {
        const completeFile = zip('z'.repeat(10_000));
        await write({ 'town.zip': completeFile.subarray(0, 9_000) });
        await untilSource('town.zip', ({ why }) => why.includes('town.zip'));
        await write({ 'town.zip': completeFile });
        await expectAssets([['town', ['town.zip']]]);
      },
    },
    {
      comes: 'a file that another program has open for writing',
      becomes: 'creates one asset once the program has closed the file',
      play: async ({ at, untilSource, expectAssets }) => {
        await mkdir(at('Kai'));
        const file = await open(at('Kai/a.jpg'), 'w');
        await file.write(jpeg('first'));
        if (process.platform === 'linux') await untilSource('Kai', ({ why }) => why.includes('a.jpg'));
        await file.close();
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a copy that is interrupted and then restarted',
      becomes: 'creates one asset with the new content',
      rule: { settleSeconds: 1 },
      play: async ({ write, untilSource, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg('first try') });
        await untilSource('Kai', ({ state }) => state === 'settling');
        await write({ 'Kai/a.jpg': jpeg('second try, longer') });
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'twenty folders at once',
      becomes: 'creates twenty assets',
      play: async ({ write, expectAssets }) => {
        const names = Array.from({ length: 20 }, (_, index) => `Flight_${String(index).padStart(2, '0')}`);
        await write(Object.fromEntries(names.map((name) => [`${name}/a.jpg`, jpeg(name)])));
        await expectAssets(names.map((name) => [name, ['a.jpg']]));
      },
    },
  ],
};
