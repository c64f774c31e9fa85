import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
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
  title: 'Files that are only in the cloud',
  deliveries: [
    {
      comes: 'a file that is only in the cloud (OneDrive, Dropbox, iCloud)',
      becomes: 'says so and doesn’t read it; creates one asset once the file is downloaded',
      play: async (scene) => {
        await mkdir(scene.at('OneDrive - Office'));
        await putAway(scene, 'OneDrive - Office/ortho.tif');
        await scene.untilSource('OneDrive - Office', ({ why }) => why.includes('only in OneDrive'));
        await scene.write({ 'OneDrive - Office/ortho.tif': tiff() });
        await scene.expectAssets([['OneDrive - Office', ['ortho.tif']]]);
      },
    },
    {
      comes: 'a file that is only in the cloud, under a rule that downloads such files',
      becomes: 'downloads it and creates one asset',
      rule: { cloudFiles: 'fetch' },
      play: async (scene) => {
        await mkdir(scene.at('Dropbox'));
        await putAway(scene, 'Dropbox/cloud.bin');
        await scene.expectAssets([['Dropbox', ['cloud.bin']]]);
      },
    },
    {
      comes: 'placeholders of cloud files: `.a.jpg.icloud`, `b.jpg.nextcloud`',
      becomes: 'waits for the files themselves and never uploads the placeholders',
      play: async ({ write, at, untilSource, expectAssets }) => {
        await write({ 'Kai/.a.jpg.icloud': 'x', 'Kai/b.jpg.nextcloud': 'x', 'Kai/c.jpg': jpeg() });
        await untilSource('Kai', ({ why }) => why.includes('and 1 other file'));
        for (const name of ['.a.jpg.icloud', 'b.jpg.nextcloud']) await rm(at(`Kai/${name}`));
        await write({ 'Kai/a.jpg': jpeg('a'), 'Kai/b.jpg': jpeg('b') });
        await expectAssets([['Kai', ['a.jpg', 'b.jpg', 'c.jpg']]]);
      },
    },
    {
      comes: 'a folder whose drive isn’t mounted, under a rule that names a check file on the drive',
      becomes: 'waits for the drive, then creates one asset without the check file',
      before: { '.mounted': jpeg() },
      rule: { mountMarker: '.mounted' },
      play: async ({ fixture, at, write, expectAssets }) => {
        await rename(at('.mounted'), join(fixture.folder, '.mounted'));
        const notice = () => fixture.watch.rules()[0]?.notice?.code;
        await vi.waitFor(() => expect(notice()).toBe('watch-marker-missing'), { timeout: 30_000 });
        await write({ 'Kai/a.jpg': jpeg() });
        await rename(join(fixture.folder, '.mounted'), at('.mounted'));
        await expectAssets([['Kai', ['a.jpg']]]);
      },
    },
  ],
};
