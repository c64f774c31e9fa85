import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jpeg, tiff } from '../data.ts';
import type { Group, Scene } from '../delivery.ts';

/** A placeholder of a cloud service for a file that isn't downloaded. */
async function putAway({ at }: Scene, name: string): Promise<void> {
  const file = await open(at(name), 'w');
  await file.truncate(100_000);
  await file.close();
}

/** Files that only seem to be on this computer. */
export const cloud: Group = {
  title: 'In the cloud, and not on this computer',
  deliveries: [
    {
      comes: 'a file of OneDrive, Dropbox or iCloud that is only in the cloud',
      becomes: 'nothing until it has been downloaded: the row says so, and nothing is read',
      play: async (scene) => {
        await mkdir(scene.at('OneDrive - Office'));
        await putAway(scene, 'OneDrive - Office/ortho.tif');
        await scene.untilSource('OneDrive - Office', ({ why }) => why.includes('only in OneDrive'));
        await scene.write({ 'OneDrive - Office/ortho.tif': tiff() });
        await scene.expectAssets([['OneDrive - Office', ['ortho.tif']]]);
      },
    },
    {
      comes: 'such a file, the rule saying that files are to be downloaded',
      becomes: 'one asset: reading it downloads it',
      rule: { cloudFiles: 'fetch' },
      play: async (scene) => {
        await mkdir(scene.at('Dropbox'));
        await putAway(scene, 'Dropbox/cloud.bin');
        await scene.expectAssets([['Dropbox', ['cloud.bin']]]);
      },
    },
    {
      comes: 'a name that only stands in for a file: .a.jpg.icloud, a.jpg.nextcloud',
      becomes: 'nothing until the file itself is there; the stand-in is never sent',
      play: async ({ write, at, untilSource, expectAssets }) => {
        await write({ 'Kai/.a.jpg.icloud': 'x', 'Kai/b.jpg.nextcloud': 'x', 'Kai/c.jpg': jpeg() });
        await untilSource('Kai', ({ why }) => why.includes('and 1 other file'));
        for (const name of ['.a.jpg.icloud', 'b.jpg.nextcloud']) await rm(at(`Kai/${name}`));
        await write({ 'Kai/a.jpg': jpeg('a'), 'Kai/b.jpg': jpeg('b') });
        await expectAssets([['Kai', ['a.jpg', 'b.jpg', 'c.jpg']]]);
      },
    },
    {
      comes: 'a mount point whose drive is not mounted, the rule naming a file that lies on the drive',
      becomes: 'nothing: the rule waits for the drive. The file itself is never sent',
      before: { '.mounted': jpeg() },
      rule: { mountMarker: '.mounted' },
      play: async ({ house, at, write, expectAssets }) => {
        await rename(at('.mounted'), join(house.folder, '.mounted'));
        await write({ 'Kai/a.jpg': jpeg() });
        await rename(join(house.folder, '.mounted'), at('.mounted'));
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
  ],
};
