import { symlink } from 'node:fs/promises';
import { expect } from 'vitest';
import { jpeg } from '../data.ts';
import type { Delivery, Group } from '../delivery.ts';

/** Next to a photo in a folder: never sent. At the top: no asset. */
const neverData = (comes: string, ...names: readonly string[]): Delivery => ({
  comes,
  becomes: 'never sent, and no asset of its own',
  play: async ({ write, expectAssets }) => {
    await write({ 'Kai/a.jpg': jpeg() });
    for (const name of names) await write({ [`Kai/${name}`]: 'x', [name]: 'x' });
    await expectAssets([['Kai', ['a.jpg']]]);
  },
});

export const junk: Group = {
  title: 'What is never data',
  deliveries: [
    neverData('what macOS and Windows put into folders', '.DS_Store', 'Thumbs.db'),
    neverData('what a program has not finished', 'b.tif.part', 'c.tif.tmp'),
    neverData('locks of office programs', '~$plan.docx'),
    {
      comes: 'a link that leads out of the folder',
      becomes: 'not followed: nothing outside is read, and that is told beside the data and in the receipt',
      play: async ({ house, rule, at, write, expectAssets }) => {
        await house.write({ '../private/secret.jpg': jpeg() });
        await write({ 'Kai/a.jpg': jpeg() });
        await symlink(at('../private'), at('Kai/link'));
        await symlink(at('../private'), at('link'));
        await expectAssets([['Kai', ['a.jpg']]]);
        const told = house.watch.sources(rule.id).map(({ path, state, links }) => [path, state, links]);
        expect(told).toContainEqual(['Kai', 'complete', 1]);
        expect(told).toContainEqual(['link', 'left-alone', undefined]);
        expect([...house.watch.receipts(null)].map(({ links }) => links)).toContain(1);
      },
    },
    {
      comes: 'what a rule’s own lines leave out',
      becomes: 'never sent',
      rule: { ignore: ['*.log', 'raw/'] },
      play: async ({ write, expectAssets }) => {
        await write({ 'Kai/a.jpg': jpeg(), 'Kai/flight.log': 'x', 'Kai/raw/b.jpg': jpeg() });
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
    {
      comes: 'an empty folder',
      becomes: 'nothing until something lies in it',
      play: async ({ house, write, lookThrough, expectAssets }) => {
        await house.write({ 'Kai/sub/a.tmp': 'x' });
        await lookThrough();
        await write({ 'Kai/sub/a.jpg': jpeg() });
        await expectAssets([['Kai', ['sub/a.jpg']]]);
      },
    },
  ],
};
