import { existsSync } from 'node:fs';
import { cp, readdir, rename, rm } from 'node:fs/promises';
import { expect, vi } from 'vitest';
import { saidLines } from '../../said.ts';
import { jpeg, tiff } from '../data.ts';
import type { Group } from '../delivery.ts';

const hourMs = 60 * 60_000;
/** Modification time of all files from an archive. */
const archiveTime = Date.parse('2026-03-01T12:00:00Z');

const movesDone = {
  unit: { kind: 'files', patterns: ['*.tif'] },
  whenChanged: 'hold',
  afterSuccess: { kind: 'move', folder: 'done' },
} as const;

const untilGone = (path: string) =>
  vi.waitFor(() => expect(existsSync(path)).toBe(false), { timeout: 45_000, interval: 50 });

/** Repeated deliveries, and deliveries that only look repeated. */
export const again: Group = {
  title: 'What comes again, or seems to',
  deliveries: [
    {
      comes: 'a finished folder that somebody renames',
      becomes: 'nothing new',
      play: async ({ write, at, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        await untilComplete('Kai');
        await rename(at('Kai'), at('Kai checked'));
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a finished folder that is put away and put back',
      becomes: 'nothing new',
      play: async ({ write, at, untilComplete, lookThrough, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        await untilComplete('Kai');
        await rename(at('Kai'), at('../Kai'));
        await lookThrough();
        await rename(at('../Kai'), at('Kai'));
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a copy of a finished folder beside it',
      becomes: 'an asset of its own',
      play: async ({ write, at, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        await untilComplete('Kai');
        await cp(at('Kai'), at('Kai 2'), { recursive: true, preserveTimestamps: true });
        await expectAssets([
          ['Kai', ['a.jpg']],
          ['Kai 2', ['a.jpg']],
        ]);
      },
    },
    {
      comes: 'tiles of equal size and time, as an archive is unpacked, all at once',
      becomes: 'an asset each',
      play: async ({ write, at, setTime, expectAssets }) => {
        for (const tile of ['1', '2', '3']) {
          await write({ [`../tile_${tile}.tif`]: tiff(tile.repeat(100)) });
          await setTime(archiveTime, `../tile_${tile}.tif`);
        }
        for (const tile of ['1', '2', '3']) await rename(at(`../tile_${tile}.tif`), at(`tile_${tile}.tif`));
        await expectAssets(['1', '2', '3'].map((tile) => [`tile_${tile}`, [`tile_${tile}.tif`]] as const));
      },
    },
    {
      comes: 'tiles of equal size with the time of their archive, each after the last was taken away',
      becomes: 'an asset each',
      play: async ({ write, at, setTime, untilComplete, expectAssets }) => {
        for (const tile of ['1', '2', '3']) {
          await write({ [`../tile_${tile}.tif`]: tiff(tile.repeat(100)) });
          await setTime(archiveTime, `../tile_${tile}.tif`);
          await rename(at(`../tile_${tile}.tif`), at(`tile_${tile}.tif`));
          await untilComplete(`tile_${tile}.tif`);
          await rm(at(`tile_${tile}.tif`));
        }
        await expectAssets(['1', '2', '3'].map((tile) => [`tile_${tile}`, [`tile_${tile}.tif`]] as const));
      },
    },
    {
      comes: 'an hourly product that replaces the last one: same name, same size, an hour later',
      becomes: 'another asset, where the rule says so for what has changed',
      rule: { whenChanged: 'new-asset' },
      play: async ({ write, at, setTime, untilComplete, expectAssets }) => {
        const put = async (filling: string, timeMs: number) => {
          await write({ '../radar.tif': tiff(filling.repeat(100)) });
          await setTime(timeMs, '../radar.tif');
          await rename(at('../radar.tif'), at('radar.tif'));
        };
        await put('1', archiveTime);
        await untilComplete('radar.tif');
        await put('2', archiveTime + hourMs);
        await expectAssets([
          ['radar', ['radar.tif']],
          ['radar', ['radar.tif']],
        ]);
      },
    },
    {
      comes: 'a finished file whose time is set anew, its bytes being the same',
      becomes: 'nothing new',
      rule: { whenChanged: 'new-asset' },
      play: async ({ write, setTime, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg(), 'Kai/b.jpg': jpeg() });
        await untilComplete('Kai');
        await setTime(archiveTime, 'Kai/a.jpg');
        await expectAssets([['Kai', ['a.jpg', 'b.jpg']]]);
      },
    },
    {
      comes: 'a file that grows on after it was finished',
      becomes: 'a second asset with all of it, also where the rule holds changes',
      rule: { whenChanged: 'hold' },
      play: async ({ write, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': 300 });
        await untilComplete('Kai');
        await write({ 'Kai/a.jpg': 400 });
        await expectAssets([
          ['Kai', ['a.jpg']],
          ['Kai', ['a.jpg']],
        ]);
      },
    },
    {
      comes: 'a file of the name of one that was moved away, with other contents',
      becomes: 'another asset, moved too, also where the rule holds changes',
      rule: movesDone,
      play: async ({ write, at, expectAssets }) => {
        for (const night of ['first', 'second', 'third']) {
          await write({ 'ortho.tif': tiff(night) });
          await untilGone(at('ortho.tif'));
        }
        await expectAssets(Array.from({ length: 3 }, () => ['ortho', ['ortho.tif']] as const));
        expect(await readdir(at('done'))).toHaveLength(3);
      },
    },
    {
      comes: 'a file of the name of one that was moved away, with the same contents',
      becomes: 'no asset: it is moved too, and the activity names the asset that it is',
      rule: movesDone,
      play: async ({ house, rule, write, at, expectAssets }) => {
        for (let time = 0; time < 2; time++) {
          await write({ 'ortho.tif': tiff('same') });
          await untilGone(at('ortho.tif'));
        }
        await expectAssets([['ortho', ['ortho.tif']]]);
        expect(saidLines(house.watch.activity(rule.id)).map(({ text }) => text)).toContain(
          `ortho.tif is already asset ${house.assets()[0]?.id}.`,
        );
      },
    },
    {
      comes: 'what lay there before the rule was made, only what arrives being wanted',
      becomes: 'nothing',
      before: { 'Old/a.jpg': jpeg() },
      play: async ({ write, expectAssets }) => {
        await write({ 'New/a.jpg': jpeg('new') });
        await expectAssets([['New', ['a.jpg']]]);
      },
    },
    {
      comes: 'a restart of the computer after everything was finished',
      becomes: 'nothing new',
      play: async ({ house, write, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        await untilComplete('Kai');
        await house.restart();
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
  ],
};
