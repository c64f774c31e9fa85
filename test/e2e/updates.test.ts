import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Feed, startFeed } from '../updates/feed.ts';
import { eventually } from './support/eventually.ts';
import { beginJourney, type Journey, signIn } from './support/journey.ts';
import { packagedExecutable } from './support/packaged-app.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

let journey: Journey;
let feed: Feed;
let image: string;
beforeEach(async () => {
  journey = await beginJourney();
  feed = await startFeed();
  image = join(journey.folder, 'Applications', 'Tilelift.AppImage');
  await mkdir(dirname(image));
  await writeFile(image, 'this one');
});
afterEach(async () => {
  await journey.end();
  await feed.close();
});

/**
 * A program that leaves a trace of having been started; padded, since nobody's release has a hundred bytes.
 */
function nextProgram(): Buffer {
  const script = `#!/bin/sh\necho "$0" > '${join(journey.folder, 'started')}'\nexit 0\n`;
  return Buffer.concat([Buffer.from(script), randomBytes(2_000_000)]);
}

/** The packaged app with that feed's address in it, as if it ran from an AppImage. */
async function launch(): Promise<TileliftWindow> {
  const packaged = packagedExecutable();
  const mount = join(journey.folder, 'mount');
  // Of links, but for what differs: the app has hundreds of megabytes.
  execFileSync('cp', ['-al', dirname(packaged), mount]);
  await writeFile(
    join(mount, 'resources', 'app-update.yml.new'),
    `provider: generic\nurl: ${feed.address}\nupdaterCacheDirName: tilelift-updater\n`,
  );
  // Written over, it would change in the packaged app too.
  await rm(join(mount, 'resources', 'app-update.yml'), { force: true });
  execFileSync('mv', [
    join(mount, 'resources', 'app-update.yml.new'),
    join(mount, 'resources', 'app-update.yml'),
  ]);
  await trust(feed.key, join(mount, 'resources', 'app.asar'));
  const executable = join(mount, basename(packaged));
  await chmod(executable, 0o755);
  return journey.launch({
    executable,
    env: { APPIMAGE: image, APPDIR: mount, XDG_CACHE_HOME: join(journey.folder, 'cache') },
  });
}

/**
 * Puts a publisher's key in the place of those that the program has none of yet; both have the same length.
 */
async function trust(key: string, archive: string): Promise<void> {
  const none = Buffer.from(`${'A'.repeat(43)}=`);
  const bytes = await readFile(archive);
  const at = bytes.indexOf(none);
  expect(at, 'the program has a place for a release key').toBeGreaterThan(0);
  bytes.write(key, at);
  await rm(archive);
  await writeFile(archive, bytes);
}

async function settingsOf(window: TileliftWindow) {
  await signIn(journey, window);
  await window.page.getByRole('button', { name: 'Settings' }).click();
  return window.page.getByRole('region', { name: 'Updates' });
}

describe.skipIf(process.platform !== 'linux')('an update of the packaged app', () => {
  it('is downloaded automatically, told of calmly, and in its place and started after “Restart now”', async () => {
    const program = nextProgram();
    feed.publish({ version: '99.0.0', program });
    const window = await launch();
    const updates = await settingsOf(window);
    await updates
      .getByText('Tilelift 99.0.0 is ready and will be installed when you quit.')
      .waitFor({ timeout: 60_000 });
    await window.page.getByRole('button', { name: 'Tilelift 99.0.0 is ready' }).waitFor();
    expect((await new AxeBuilder({ page: window.page }).setLegacyMode().analyze()).violations).toEqual([]);
    expect(await readFile(image, 'utf8')).toBe('this one');
    const ended = new Promise((resolve) => window.app.process().once('exit', resolve));
    await updates.getByRole('button', { name: 'Restart now' }).click();
    expect(await ended).toBe(0);
    expect((await readFile(image)).equals(program)).toBe(true);
    expect((await eventually(() => readFile(join(journey.folder, 'started'), 'utf8'))).trim()).toBe(image);
    expect(feed.programBytes()).toBe(program.length);
    expect(feed.headers.flatMap((headers) => Object.keys(headers))).not.toContain('x-user-staging-id');
  });

  it('goes in at an ordinary quit, too, without a window having said so', async () => {
    const program = nextProgram();
    feed.publish({ version: '99.0.0', program });
    const window = await launch();
    // Downloaded is not ready: the bytes are compared with what was signed first.
    await eventually(async () => {
      const { page } = window;
      const answer = await page.evaluate<unknown>(`window.tilelift.call('updates.state', null)`);
      expect(answer).toMatchObject({ value: { state: { kind: 'ready' } } });
    });
    await window.close();
    expect((await readFile(image)).equals(program)).toBe(true);
    await expect(readFile(join(journey.folder, 'started'))).rejects.toThrow('ENOENT');
  });

  it('is refused where its publisher has not signed it, before a byte of it is fetched', async () => {
    feed.publish({ version: '99.0.0', program: nextProgram(), signed: { version: '0.0.1' } });
    const window = await launch();
    const updates = await settingsOf(window);
    await updates.getByText(/does not match what its publisher announced/).waitFor({ timeout: 60_000 });
    await window.close();
    expect(feed.programBytes()).toBe(0);
    expect(await readFile(image, 'utf8')).toBe('this one');
  });

  it('is refused where its bytes are not those of the feed, and this version stays', async () => {
    const program = nextProgram();
    feed.publish({ version: '99.0.0', program, tampered: randomBytes(program.length) });
    const window = await launch();
    const updates = await settingsOf(window);
    await updates.getByText(/does not match what its publisher announced/).waitFor({ timeout: 60_000 });
    await window.close();
    expect(await readFile(image, 'utf8')).toBe('this one');
  });

  it('is looked for nowhere by a build without an address, which says so', async () => {
    const window = await journey.launch();
    const updates = await settingsOf(window);
    await updates.getByText('This build has no update address.').waitFor();
    expect(await updates.getByRole('switch').count()).toBe(0);
  });
});
