import { rename, symlink } from 'node:fs/promises';
import { expect } from 'vitest';
import { jpeg } from '../data.ts';
import type { Delivery, Group } from '../delivery.ts';

/** Next to a photo in a folder: never sent. At the top: no asset. */
const neverData = (comes: string, ageMs: number, ...names: readonly string[]): Delivery => ({
  comes,
  becomes: 'never uploads them and creates no asset for them',
  play: async ({ write, at, setTime, expectAssets }) => {
    for (const name of names) {
      await write({ [`../outside/${name}`]: 'x', [name]: 'x' });
      await setTime(Date.now() - ageMs, `../outside/${name}`);
    }
    await write({ '../outside/a.jpg': jpeg() });
    await rename(at('../outside'), at('Kai'));
    await expectAssets([['Kai', ['a.jpg']]]);
  },
});

export const junk: Group = {
  title: 'Files that are never data',
  deliveries: [
    neverData('files that macOS and Windows add to folders', 0, '.DS_Store', 'Thumbs.db'),
    neverData('unfinished files of other programs, an hour old', 3_600_000, 'b.tif.part', 'c.tif.tmp'),
    neverData('lock files of office programs', 0, '~$plan.docx'),
    {
      comes: 'a link to a place outside the folder',
      becomes: 'doesn’t follow it; lists it with the source and counts it in the receipt',
      play: async ({ fixture, rule, at, write, expectAssets }) => {
        await fixture.write({ '../private/secret.jpg': jpeg() });
        await write({ 'Kai/a.jpg': jpeg() });
        await symlink(at('../private'), at('Kai/link'));
        await symlink(at('../private'), at('link'));
        await expectAssets([['Kai', ['a.jpg']]]);
        const reportedSources = fixture.watch
          .sources(rule.id)
          .map(({ path, state, links }) => [path, state, links]);
        expect(reportedSources).toContainEqual(['Kai', 'complete', 1]);
        expect(reportedSources).toContainEqual(['link', 'left-alone', undefined]);
        expect([...fixture.watch.receipts(null)].map(({ links }) => links)).toContain(1);
      },
    },
    {
      comes: 'files that match the rule’s ignore patterns',
      becomes: 'never uploads them',
      rule: { ignore: ['*.log', 'raw/'] },
      play: async ({ write, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg(), 'Kai/flight.log': 'x', 'Kai/raw/b.jpg': jpeg() });
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'an empty folder',
      becomes: 'waits until it contains data',
      play: async ({ fixture, write, scanAll, expectAssets }) => {
        await fixture.write({ 'Kai/sub/Thumbs.db': 'x' });
        await scanAll();
        await write({ 'Kai/sub/a.jpg': jpeg() });
        await expectAssets([['Kai', ['sub/a.jpg']]]);
      },
    },
  ],
};
