import { mkdir, open, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { jpeg } from '../../../../deliveries/data.ts';
import { openWatchFixture, type WatchFixture } from '../../fixture.ts';

let fixture: WatchFixture;
let folder: string;
beforeEach(async () => {
  fixture = await openWatchFixture();
  folder = join(fixture.folder, 'OneDrive - Office');
  await mkdir(folder);
});
afterEach(() => fixture.close());

/** Creates a file as a cloud folder shows it before its download. */
async function putAway(name: string, size: number): Promise<void> {
  await mkdir(join(folder, 'Kai'), { recursive: true });
  await (await open(join(folder, 'Kai', name), 'w')).close();
  await truncate(join(folder, 'Kai', name), size);
}

describe('a cloud-only file', () => {
  it('delays a source with a cloud-only file until that is on this computer', async () => {
    const rule = await fixture.rule({ folder });
    await putAway('a.bin', 100_000);
    await putAway('b.bin', 100_000);
    const waiting = await fixture.untilSource(rule, 'Kai', ({ why }) => why.includes('OneDrive'));
    expect(waiting.why).toBe('a.bin and 1 other file are only in OneDrive, not on this computer');
    for (const name of ['a.bin', 'b.bin']) await writeFile(join(folder, 'Kai', name), 'x'.repeat(100_000));
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
  });

  it('downloads a cloud-only file if the rule says so', async () => {
    const rule = await fixture.rule({ folder, cloudFiles: 'fetch' });
    await putAway('a.bin', 100_000);
    await fixture.untilComplete(rule, 'Kai');
  });

  it('delays a source while only a placeholder exists for a file in the cloud', async () => {
    const rule = await fixture.rule({ folder, cloudFiles: 'fetch' });
    await mkdir(join(folder, 'Kai'));
    await writeFile(join(folder, 'Kai', 'a.jpg'), jpeg());
    await writeFile(join(folder, 'Kai', '.b.jpg.icloud'), 'bplist00');
    await fixture.untilSource(
      rule,
      'Kai',
      ({ why }) => why === 'b.jpg is only in iCloud Drive, not on this computer',
    );
    await rm(join(folder, 'Kai', '.b.jpg.icloud'));
    await writeFile(join(folder, 'Kai', 'b.jpg'), jpeg('y'));
    await fixture.untilComplete(rule, 'Kai');
    const [asset] = fixture.assets();
    const objects = await fixture.service.control.objects(`sources/${asset?.id}/`);
    expect(objects.map(({ key }) => key.split('/').at(-1))).toEqual(['a.jpg', 'b.jpg']);
  });
});

describe('a mount point without its drive', () => {
  it('suspends a rule while its marker file is missing, and never sends that file', async () => {
    await writeFile(join(folder, '.mounted'), '');
    const rule = await fixture.rule({ folder, mountMarker: '.mounted' });
    await rename(join(folder, '.mounted'), join(fixture.folder, '.mounted'));
    await expect.poll(() => fixture.watch.rules()[0]?.notice?.code).toBe('watch-marker-missing');
    expect(fixture.watch.rules()[0]?.state).toBe('suspended');
    await mkdir(join(folder, 'Kai'));
    await writeFile(join(folder, 'Kai', 'a.jpg'), jpeg());
    await rename(join(fixture.folder, '.mounted'), join(folder, '.mounted'));
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai COMPLETE']);
  });

  it('refuses a new rule while the marker file is missing', async () => {
    await expect(fixture.rule({ folder, mountMarker: '.mounted' })).rejects.toMatchObject({
      code: 'watch-marker-missing',
    });
  });
});
