import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Feed, startFeed } from '../updates/feed.ts';
import { beginJourney, type Journey, signIn } from './support/journey.ts';
import { packagedExecutable } from './support/packaged-app.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

let journey: Journey;
let feed: Feed;
beforeEach(async () => {
  journey = await beginJourney();
  feed = await startFeed();
});
afterEach(async () => {
  await journey.end();
  await feed.close();
});

/** The packaged app with that feed's address in it. */
async function launch(): Promise<TileliftWindow> {
  const packaged = packagedExecutable();
  const copy = join(journey.folder, 'copy');
  // Hard links keep the copy small, so a changed file must be a new one.
  execFileSync('cp', ['-al', dirname(packaged), copy]);
  const config = join(copy, 'resources', 'app-update.yml');
  await writeFile(
    `${config}.new`,
    `provider: generic\nurl: ${feed.address}\nupdaterCacheDirName: tilelift-updater\n`,
  );
  await rm(config, { force: true });
  await rename(`${config}.new`, config);
  const executable = join(copy, basename(packaged));
  await chmod(executable, 0o755);
  return journey.launch({ executable });
}

async function settingsOf(window: TileliftWindow) {
  await signIn(journey, window);
  await window.page.getByRole('button', { name: 'Settings' }).click();
  return window.page.getByRole('region', { name: 'Updates' });
}

describe.skipIf(process.platform !== 'linux')('updates of the packaged app on Linux', () => {
  it('announces a newer release without downloading it', async () => {
    feed.publish({ version: '99.0.0', program: randomBytes(2_000) });
    const window = await launch();
    const updates = await settingsOf(window);
    await updates.getByText('Tilelift 99.0.0 is available.').waitFor({ timeout: 60_000 });
    expect((await new AxeBuilder({ page: window.page }).setLegacyMode().analyze()).violations).toEqual([]);
    await window.close();
    expect(feed.asked).toEqual(['/latest-linux.yml']);
    expect(feed.headers.flatMap((headers) => Object.keys(headers))).not.toContain('x-user-staging-id');
  });

  it('states in Settings that a build without an address has no updates', async () => {
    const window = await journey.launch();
    const updates = await settingsOf(window);
    await updates.getByText('Not available in this build.').waitFor();
    expect(await updates.getByRole('switch').count()).toBe(0);
  });
});
