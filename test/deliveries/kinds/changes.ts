import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { jpeg, tiff } from '../data.ts';
import type { Group, Scene } from '../delivery.ts';

const patience = { timeout: 45_000, interval: 50 };
const flights = ['1', '2', '3', '4', '5'].map((number) => `Flight ${number}`);

/** Replaces a photo in a complete folder by another of the same size, which requires the user's decision. */
async function exchanged({ write, untilComplete, untilSource }: Scene): Promise<void> {
  await write({ 'Kai/a.jpg': jpeg('first') });
  await untilComplete('Kai');
  await write({ 'Kai/a.jpg': jpeg('other') });
  await untilSource('Kai', ({ state, why }) => state === 'held' && why.includes('a.jpg'));
}

async function playTidyUp({ fixture, write, at, untilComplete, scanAll }: Scene): Promise<void> {
  for (const flight of flights)
    await write({ [`${flight}/a.jpg`]: jpeg(flight), [`${flight}/b.jpg`]: jpeg('b') });
  for (const flight of flights) await untilComplete(flight);
  for (const flight of flights) await rm(join(at(flight), 'b.jpg'));
  await scanAll();
  const question = () => fixture.watch.rules()[0]?.question;
  await vi.waitFor(
    () => expect(question()).toEqual({ why: 'many-changed', count: flights.length }),
    patience,
  );
}

export const changes: Group = {
  title: 'Changes after the upload',
  deliveries: [
    {
      comes: 'a changed file in a finished folder, and the user chooses *Leave it*',
      becomes: 'holds the folder, names the file and creates no further asset',
      rule: { whenChanged: 'hold' },
      play: async (scene) => {
        await exchanged(scene);
        await scene.fixture.watch.act(scene.rule.id, 'Kai', 'leave-it');
        await scene.expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'a changed file in a finished folder, and the user chooses to create an asset',
      becomes: 'holds the folder until then, then creates another asset',
      rule: { whenChanged: 'hold' },
      play: async (scene) => {
        await exchanged(scene);
        await scene.fixture.watch.act(scene.rule.id, 'Kai', 'make-asset');
        await scene.expectAssets([
          ['Kai', ['a.jpg']],
          ['Kai', ['a.jpg']],
        ]);
      },
    },
    {
      comes: 'a changed file in a finished folder, and later the original file again',
      becomes: 'stops asking and creates no further asset',
      rule: { whenChanged: 'hold' },
      play: async (scene) => {
        await exchanged(scene);
        await scene.write({ 'Kai/a.jpg': jpeg('first') });
        await scene.untilSource('Kai', ({ state }) => state === 'complete');
        await scene.expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'changes in many finished folders at once, under a rule that holds changes',
      becomes: 'asks one question; creates no further asset if the user leaves them all',
      rule: { whenChanged: 'hold' },
      play: async (scene) => {
        await playTidyUp(scene);
        await scene.fixture.watch.answer(scene.rule.id, 'leave-all');
        await scene.expectAssets(flights.map((flight) => [flight, ['a.jpg', 'b.jpg']] as const));
      },
    },
    {
      comes: 'a nightly product with the same names and new content, two nights in a row',
      becomes: 'creates an asset for each file and night if the rule uploads changed data',
      rule: { whenChanged: 'new-asset', unit: { kind: 'files', patterns: ['*.tif'] } },
      play: async ({ write, expectAssets }) => {
        const tiles = ['1', '2', '3', '4', '5', '6'];
        const aNight = tiles.map((tile) => [tile, [`${tile}.tif`]] as const);
        for (const night of [1, 2, 3]) {
          for (const tile of tiles) await write({ [`${tile}.tif`]: tiff(`${night} ${tile}`) });
          await expectAssets(Array.from({ length: night }, () => aNight).flat());
        }
      },
    },
    {
      comes: 'a backup of Tilelift’s journal that is older than the last uploads',
      becomes: 'holds the data that the journal doesn’t contain until the user decides',
      play: async ({ fixture, rule, write, untilComplete, untilSource }) => {
        const journal = async (folder: string) =>
          (await readdir(folder)).filter((name) => name.startsWith('journal.db'));
        await write({ 'Kai/a.jpg': jpeg('k') });
        await untilComplete('Kai');
        await fixture.stop();
        const backup = join(fixture.folder, 'backup');
        for (const name of await journal(fixture.folder))
          await cp(join(fixture.folder, name), join(backup, name));
        await fixture.restart();
        await write({ 'Ufer/a.jpg': jpeg('u') });
        await untilComplete('Ufer');
        await fixture.restart();
        await fixture.stop();
        for (const name of await journal(fixture.folder)) await rm(join(fixture.folder, name));
        for (const name of await journal(backup)) await cp(join(backup, name), join(fixture.folder, name));
        await fixture.restart();
        await untilSource('Ufer', ({ state }) => state === 'held');
        await fixture.watch.act(rule.id, 'Ufer', 'leave-it');
        await untilSource('Ufer', ({ state }) => state === 'skipped');
        expect(fixture.statuses().toSorted()).toEqual(['Kai COMPLETE', 'Ufer COMPLETE']);
      },
    },
  ],
};
