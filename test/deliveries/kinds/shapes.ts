import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { jpeg, las, tiff } from '../data.ts';
import type { Delivery, Group } from '../delivery.ts';

const sum = (algorithm: string, data: Uint8Array) => createHash(algorithm).update(data).digest('hex');
const dated: Delivery['rule'] = { unit: { kind: 'folders', depth: 3, patterns: [] } };
const rasters: Delivery['rule'] = { unit: { kind: 'files', patterns: ['*.tif'] } };

export const shapes: Group = {
  title: 'What counts as one delivery',
  deliveries: [
    {
      comes:
        'folders by date (`2024/11/21`) with notes between them, under a rule for folders three levels deep',
      becomes: 'creates an asset for each folder, named by its path, and skips the notes',
      rule: { ...dated, namePattern: '{path}' },
      play: async ({ write, expectAssets }) => {
        await write({
          '2024/11/21/a.jpg': jpeg('a'),
          '2024/11/22/raw/b.jpg': jpeg('b'),
          '2024/11/notes.txt': 'x',
        });
        await expectAssets([
          ['2024/11/21', ['a.jpg']],
          ['2024/11/22', ['raw/b.jpg']],
        ]);
      },
    },
    {
      comes: 'folders of which some match the rule’s pattern',
      becomes: 'creates an asset for each folder that matches',
      rule: { unit: { kind: 'folders', depth: 2, patterns: ['20*/flight_*'] } },
      play: async ({ write, expectAssets }) => {
        await write({
          '2024/flight_1/a.jpg': jpeg('a'),
          '2024/test/b.jpg': jpeg('b'),
          'old/flight_2/c.jpg': jpeg('c'),
        });
        await expectAssets([['flight_1', ['a.jpg']]]);
      },
    },
    {
      comes: 'a raster whose “done” file (`a.tif.ok`) arrives later',
      becomes: 'creates an asset once the “done” file arrives, without that file',
      rule: { ...rasters, readyWhen: { kind: 'marker', name: '{name}.ok' } },
      play: async ({ write, untilSource, scanAll, expectAssets }) => {
        await write({ 'a.tif': tiff() });
        await untilSource('a.tif', ({ why }) => why.includes('a.tif.ok'));
        await scanAll();
        await write({ 'a.tif.ok': '' });
        await expectAssets([['a', ['a.tif']]]);
      },
    },
    {
      comes: 'two folders, one of them with `_SUCCESS` in it',
      becomes: 'creates an asset for that folder; the other one waits for its “done” file',
      rule: {
        ...dated,
        unit: { kind: 'folders', depth: 1, patterns: [] },
        readyWhen: { kind: 'marker', name: '_SUCCESS' },
      },
      play: async ({ write, untilSource, expectAssets }) => {
        await write({ 'one/a.jpg': jpeg('a'), 'one/_SUCCESS': '', 'two/b.jpg': jpeg('b') });
        await untilSource('two', ({ why }) => why.includes('_SUCCESS'));
        await expectAssets([['one', ['a.jpg']]]);
      },
    },
    {
      comes: 'a folder that matches its `SHA256SUMS`',
      becomes: 'verifies every file, then creates an asset',
      play: async ({ write, expectAssets }) => {
        const [a, b] = [jpeg('a'), jpeg('b')];
        const list = `${sum('sha256', a)}  a.jpg\n${sum('sha256', b)}  sub/b.jpg\n`;
        await write({ 'Kai/a.jpg': a, 'Kai/sub/b.jpg': b, 'Kai/SHA256SUMS': list });
        await expectAssets([['Kai', ['SHA256SUMS', 'a.jpg', 'sub/b.jpg']]]);
      },
    },
    {
      comes: 'a folder in which a file is missing or doesn’t match its checksum',
      becomes: 'creates no asset until the file is right; names the file and the checksum list',
      play: async ({ write, untilSource, untilComplete, expectAssets }) => {
        await write({
          'Kai/a.jpg': jpeg('damaged'),
          'Kai/MD5SUMS': `${sum('md5', jpeg('a'))}  a.jpg\n`,
          'Ufer/a.jpg': jpeg('a'),
          'Ufer/MD5SUMS': `${sum('md5', jpeg('a'))}  a.jpg\n${sum('md5', jpeg('b'))}  b.jpg\n`,
        });
        await untilSource('Kai', ({ why }) => why.includes('a.jpg doesn’t match'));
        await untilSource('Ufer', ({ why }) => why.includes('names b.jpg'));
        await expectAssets([]);
        await write({ 'Kai/a.jpg': jpeg('a') });
        await untilComplete('Kai');
      },
    },
    {
      comes: 'rasters and point clouds in one folder, with a rule for each kind',
      becomes: 'creates an asset for each file under its own rule',
      rule: rasters,
      play: async ({ fixture, rule, write, expectAssets }) => {
        await fixture.rule({
          unit: { kind: 'files', patterns: ['*.las'] },
          name: 'Clouds',
          accountId: rule.accountId,
        });
        await write({ 'a.tif': tiff(), 'a.las': las() });
        await expectAssets([
          ['a', ['a.las']],
          ['a', ['a.tif']],
        ]);
      },
    },
    {
      comes: 'data of several kinds in one folder, under a rule that detects the kind',
      becomes: 'creates an asset of each kind, and holds data of unknown kind',
      rule: { kindFrom: 'content' },
      play: async ({ write, untilSource, expectAssets }) => {
        await write({ 'a.las': las(), 'b.tif': tiff(), 'odd/x.dat': 'what is this' });
        await untilSource('odd', ({ why }) => why.includes('what kind of data'));
        await expectAssets([
          ['a', ['a.las']],
          ['b', ['b.tif']],
        ]);
      },
    },
    {
      comes: 'two folders whose names differ only in their Unicode form',
      becomes: 'creates an asset for each, and another one for the changed folder only',
      rule: { whenChanged: 'new-asset' },
      play: async ({ write, at, untilComplete, expectAssets }) => {
        const [composedName, decomposed] = (['NFC', 'NFD'] as const).map((form) => 'Süd'.normalize(form));
        await write({ [`${composedName}/a.jpg`]: jpeg('a'), [`${decomposed}/b.jpg`]: jpeg('b') });
        const isOneFolder = (await readdir(at('.'))).length === 1;
        if (isOneFolder) return expectAssets([['Süd', ['a.jpg', 'b.jpg']]]);
        for (const path of [composedName, decomposed]) await untilComplete(path ?? '');
        await write({ [`${decomposed}/c.jpg`]: jpeg('c') });
        await expectAssets([
          ['Süd', ['a.jpg']],
          ['Süd', ['b.jpg']],
          ['Süd', ['b.jpg', 'c.jpg']],
        ]);
      },
    },
  ],
};
