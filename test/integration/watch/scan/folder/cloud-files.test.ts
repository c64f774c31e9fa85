import { mkdir, open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jpeg } from '../../../../deliveries/data.ts';
import { openWatchHouse, type WatchHouse } from '../../house.ts';

let house: WatchHouse;
let folder: string;
beforeEach(async () => {
  house = await openWatchHouse();
  folder = join(house.folder, 'OneDrive - Office');
  await mkdir(folder);
});
afterEach(() => house.close());

/** Creates a file as a cloud folder shows it before its download. */
async function putAway(name: string, size: number): Promise<void> {
  await mkdir(join(folder, 'Kai'), { recursive: true });
  await (await open(join(folder, 'Kai', name), 'w')).close();
  await truncate(join(folder, 'Kai', name), size);
}

describe('a cloud-only file', () => {
  it('delays a source with a cloud-only file until that is on this computer', async () => {
    const rule = await house.rule({ folder });
    await putAway('a.bin', 100_000);
    await putAway('b.bin', 100_000);
    const waiting = await house.untilSource(rule, 'Kai', ({ why }) => why.includes('OneDrive'));
    expect(waiting.why).toBe('a.bin and 1 other file are only in OneDrive, not on this computer');
    for (const name of ['a.bin', 'b.bin']) await writeFile(join(folder, 'Kai', name), 'x'.repeat(100_000));
    await house.untilComplete(rule, 'Kai');
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
  });

  it('downloads a cloud-only file if the rule says so', async () => {
    const rule = await house.rule({ folder, cloudFiles: 'fetch' });
    await putAway('a.bin', 100_000);
    await house.untilComplete(rule, 'Kai');
  });

  it('delays a source while only a placeholder exists for a file in the cloud', async () => {
    const rule = await house.rule({ folder, cloudFiles: 'fetch' });
    await mkdir(join(folder, 'Kai'));
    await writeFile(join(folder, 'Kai', 'a.jpg'), jpeg());
    await writeFile(join(folder, 'Kai', '.b.jpg.icloud'), 'bplist00');
    await house.untilSource(
      rule,
      'Kai',
      ({ why }) => why === 'b.jpg is only in iCloud Drive, not on this computer',
    );
    await rm(join(folder, 'Kai', '.b.jpg.icloud'));
    await writeFile(join(folder, 'Kai', 'b.jpg'), jpeg('y'));
    await house.untilComplete(rule, 'Kai');
    const [asset] = house.assets();
    const objects = await house.service.control.objects(`sources/${asset?.id}/`);
    expect(objects.map(({ key }) => key.split('/').at(-1))).toEqual(['a.jpg', 'b.jpg']);
  });
});

describe('a mount point without its drive', () => {
  it('suspends a rule while its marker file is missing, and never sends that file', async () => {
    await writeFile(join(folder, '.mounted'), '');
    const rule = await house.rule({ folder, mountMarker: '.mounted' });
    await rename(join(folder, '.mounted'), join(house.folder, '.mounted'));
    await expect.poll(() => house.watch.rules()[0]?.notice?.code).toBe('watch-marker-missing');
    expect(house.watch.rules()[0]?.state).toBe('suspended');
    await mkdir(join(folder, 'Kai'));
    await writeFile(join(folder, 'Kai', 'a.jpg'), jpeg());
    await rename(join(house.folder, '.mounted'), join(folder, '.mounted'));
    await house.untilComplete(rule, 'Kai');
    expect(house.statuses()).toEqual(['Kai COMPLETE']);
  });

  it('refuses a new rule while the marker file is missing', async () => {
    await expect(house.rule({ folder, mountMarker: '.mounted' })).rejects.toMatchObject({
      code: 'watch-marker-missing',
    });
  });
});
