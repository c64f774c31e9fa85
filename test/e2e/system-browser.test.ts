import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, type Journey, pressSignIn } from './support/journey.ts';
import { writeProgram } from './support/stand-in-browser.ts';
import { installSystemBrowser, type SystemBrowser } from './support/system-browser.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

const unable = whyUnable();
if (unable) process.stderr.write(`Not run here: sign-in through real Chromium: ${unable}\n`);

describe.skipIf(unable !== undefined)(
  'sign-in through real Chromium, xdg-open and the registered scheme',
  () => {
    let journey: Journey;
    let browser: SystemBrowser;
    beforeEach(async () => {
      journey = await beginJourney();
      browser = await installSystemBrowser(journey.folder, journey.userData, journey.service.authUrl);
    });
    afterEach(async () => {
      await browser.close();
      await journey.end();
    });

    /** Tilelift waiting for the browser that the system's own xdg-open starts. */
    async function beginSignIn(path = process.env.PATH ?? '') {
      const window = await journey.launch({ env: { PATH: path } });
      await pressSignIn(window);
      return { window, page: await browser.pageAt(journey.service.authUrl) };
    }
    const exchanges = () =>
      journey.service.control.requests().filter(({ path }) => path.startsWith('/oauth/token'));

    const decisions = () =>
      journey.service.control.requests().filter(({ method, path }) => method === 'POST' && path === '/oauth');

    it('signs in the running app on Allow', async () => {
      const { window, page } = await beginSignIn();
      await page.getByRole('button', { name: 'Allow' }).click();
      await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
    });

    it('signs in by a loopback port on Allow if no program is registered for our links', async () => {
      const bin = join(journey.folder, 'unregistered');
      await mkdir(bin);
      await writeProgram(join(bin, 'xdg-mime'), 'exit 0');
      const { window, page } = await beginSignIn(`${bin}:${process.env.PATH ?? ''}`);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Back to Tilelift' }).waitFor();
      expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\?/);
      await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
    });

    it('signs in without the link if the browser refuses it', async () => {
      await browser.close();
      browser = await installSystemBrowser(journey.folder, journey.userData, journey.service.authUrl, {
        refusesLinks: true,
      });
      const { window, page } = await beginSignIn();
      await page.getByRole('button', { name: 'Allow' }).click();
      await eventually(() => expect(decisions()).toHaveLength(1));
      // The refused link may still lead to an error page.
      await eventually(() => page.goto('about:blank'));
      await window.page.getByRole('button', { name: 'Having trouble?' }).click();
      await window.page.getByRole('button', { name: 'Sign in without this question' }).click();
      const second = await browser.pageAt(journey.service.authUrl);
      await second.getByRole('button', { name: 'Allow' }).click();
      await second.getByRole('heading', { name: 'Back to Tilelift' }).waitFor();
      await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
      expect(exchanges()).toHaveLength(1);
    });

    it('reports the failed sign-in on Deny', async () => {
      const { window, page } = await beginSignIn();
      await page.getByRole('button', { name: 'Deny' }).click();
      await window.page.getByText('Access was not allowed in the browser.').waitFor();
      expect(exchanges()).toEqual([]);
    });

    it('rejects a page with another state', async () => {
      const { window, page } = await beginSignIn();
      const other = new URL(page.url());
      other.searchParams.set('state', 'somebody-elses');
      await page.goto(other.href);
      await page.getByRole('button', { name: 'Allow' }).click();
      await window.page.getByText('does not belong to this sign-in').waitFor();
      expect(exchanges()).toEqual([]);
    });

    it('starts the app on Allow if it isn’t running, and signs it in', async () => {
      const { window, page } = await beginSignIn();
      await quit(window);
      await page.getByRole('button', { name: 'Allow' }).click();
      await eventually(() => expect(exchanges()).toMatchObject([{ status: 200 }]));
      // Answered is not kept yet.
      const vault = join(journey.userData, 'vault.json');
      await eventually(async () => expect(await readFile(vault, 'utf8')).toContain('tokens:'));
      await endStarted(journey.userData);
      const again = await journey.launch();
      await again.page.getByRole('heading', { name: 'Uploads' }).waitFor();
      expect(exchanges()).toHaveLength(1);
    });
  },
);

/** `close()` would also wait for the browser, which shares Tilelift's output. */
async function quit({ app }: TileliftWindow): Promise<void> {
  const exit = new Promise((resolve) => app.process().once('exit', resolve));
  await app.evaluate((electron) => setImmediate(() => electron.app.quit()));
  await exit;
}

/** Ends the Tilelift that the system has started on this test's own folder, as a session's end does. */
async function endStarted(userData: string): Promise<void> {
  const running = async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const matches = await Promise.all(
      pids.map(async (pid) => {
        const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        const ours = command.includes(`--user-data-dir=${userData}`);
        // Chromium's helper processes have a type; they go with the main one.
        return ours && !command.includes('--type=') ? [Number(pid)] : [];
      }),
    );
    return matches.flat();
  };
  const started = await running();
  expect(started).toHaveLength(1);
  for (const pid of started) process.kill(pid, 'SIGTERM');
  await eventually(async () => expect(await running()).toEqual([]));
}

function whyUnable(): string | undefined {
  if (process.platform !== 'linux') return 'desktop entries are Linux’s';
  if (process.getuid?.() !== 0) return 'the browser policy that answers its prompt can be set by root only';
  if (!existsSync('/usr/bin/chromium')) return 'Chromium is not installed';
  if (!process.env.XDG_DATA_HOME) return 'it needs a desktop session of its own (npm test -- e2e makes one)';
  return undefined;
}
