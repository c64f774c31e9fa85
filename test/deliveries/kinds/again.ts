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
export const repeatedDeliveries: Group = {
  title: 'Finished data that appears again',
  deliveries: [
    {
      comes: 'a finished folder that is renamed',
      becomes: 'creates no further asset',
      play: async ({ write, at, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        await untilComplete('Kai');
        await rename(at('Kai'), at('Kai checked'));
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a finished folder that is moved away and back',
      becomes: 'creates no further asset',
      play: async ({ write, at, untilComplete, scanAll, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        await untilComplete('Kai');
        await rename(at('Kai'), at('../Kai'));
        await scanAll();
        await rename(at('../Kai'), at('Kai'));
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a copy of a finished folder, next to it',
      becomes: 'creates another asset',
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
      comes: 'tiles of equal size and time from one archive, all at once',
      becomes: 'creates an asset for each tile',
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
      comes: 'tiles of equal size and time from one archive, each after the previous one is removed',
      becomes: 'creates an asset for each tile',
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
      comes: 'an hourly product with the name and size of the previous one, an hour newer',
      becomes: 'creates another asset if the rule uploads changed data',
      rule: { whenChanged: 'new-asset' },
      play: async ({ write, at, setTime, untilComplete, expectAssets }) => {
        const writeFilled = async (content: string, timeMs: number) => {
          await write({ '../radar.tif': tiff(content.repeat(100)) });
          await setTime(timeMs, '../radar.tif');
          await rename(at('../radar.tif'), at('radar.tif'));
        };
        await writeFilled('1', archiveTime);
        await untilComplete('radar.tif');
        await writeFilled('2', archiveTime + hourMs);
        await expectAssets([
          ['radar', ['radar.tif']],
          ['radar', ['radar.tif']],
        ]);
      },
    },
    {
      comes: 'a finished file with a new time and the same content',
      becomes: 'creates no further asset',
      rule: { whenChanged: 'new-asset' },
      play: async ({ write, setTime, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg(), 'Kai/b.jpg': jpeg() });
        await untilComplete('Kai');
        await setTime(archiveTime, 'Kai/a.jpg');
        await expectAssets([['Kai', ['a.jpg', 'b.jpg']]]);
      },
    },
    {
      comes: 'a finished file that grows',
      becomes: 'creates a second asset with the whole file, even if the rule holds changes',
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
      comes: 'a file that rsync dated 1970 because it was interrupted, and then continues',
      becomes: 'creates a second asset with the whole file, even if the rule holds changes',
      rule: { whenChanged: 'hold' },
      play: async ({ write, at, setTime, untilComplete, expectAssets }) => {
        await write({ '../Kai/a.jpg': 300 });
        await setTime(0, '../Kai/a.jpg');
        await rename(at('../Kai'), at('Kai'));
        await untilComplete('Kai');
        await write({ 'Kai/a.jpg': 400 });
        await expectAssets([
          ['Kai', ['a.jpg']],
          ['Kai', ['a.jpg']],
        ]);
      },
    },
    {
      comes: 'a file with the name of one that was moved away, with new content',
      becomes: 'creates another asset and moves the file too, even if the rule holds changes',
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
      comes: 'a file with the name of one that was moved away, with the same content',
      becomes: 'creates no asset; moves the file too and names the existing asset in the activity log',
      rule: movesDone,
      play: async ({ fixture, rule, write, at, expectAssets }) => {
        for (let time = 0; time < 2; time++) {
          await write({ 'ortho.tif': tiff('same') });
          await untilGone(at('ortho.tif'));
        }
        await expectAssets([['ortho', ['ortho.tif']]]);
        expect(saidLines(fixture.watch.activity(rule.id)).map(({ text }) => text)).toContain(
          `ortho.tif is already asset ${fixture.assets()[0]?.id}.`,
        );
      },
    },
    {
      comes: 'a new version of a file whose last delivery was moved slowly',
      becomes: 'creates another asset without a rest as long as after a slow scan',
      rule: { ...movesDone, whenChanged: 'new-asset' },
      fixture: {
        timing: { restAfterScan: 20 },
        wrapLedger: (ledger) => {
          const { forgetMoves } = ledger;
          const forgetSlowly: typeof forgetMoves = (id) => {
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
            forgetMoves(id);
          };
          return Object.assign(ledger, { forgetMoves: forgetSlowly });
        },
      },
      play: async ({ fixture, write, at }) => {
        for (let time = 0; time < 2; time++) {
          await write({ 'ortho.tif': tiff('same') });
          await untilGone(at('ortho.tif'));
        }
        await write({ 'ortho.tif': tiff('another') });
        // 20 times the slow move would be 30 s.
        await vi.waitFor(() => expect(fixture.assets()).toHaveLength(2), { timeout: 20_000 });
      },
    },
    {
      comes: 'data that is older than a rule for new data only',
      becomes: 'creates no asset',
      before: { 'Old/a.jpg': jpeg() },
      play: async ({ write, expectAssets }) => {
        await write({ 'New/a.jpg': jpeg('new') });
        await expectAssets([['New', ['a.jpg']]]);
      },
    },
    {
      comes: 'a restart of the computer after everything is finished',
      becomes: 'creates no further asset',
      play: async ({ fixture, write, untilComplete, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg() });
        await untilComplete('Kai');
        await fixture.restart();
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
  ],
};
