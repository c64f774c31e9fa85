import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { beginJourney, type Journey } from './support/journey.ts';
import { installSystemBrowser, type SystemBrowser } from './support/system-browser.ts';

const unable = whyUnable();
if (unable) process.stderr.write(`Not run here: sign-in through real Chromium: ${unable}\n`);

describe.skipIf(unable !== undefined)(
  'sign-in through real Chromium, xdg-open and the registered scheme',
  () => {
    let journey: Journey;
    let browser: SystemBrowser;
    beforeAll(async () => {
      journey = await beginJourney();
      browser = await installSystemBrowser(journey.folder, journey.userData, journey.service.authUrl);
    });
    afterAll(async () => {
      await browser.close();
      await journey.end();
    });

    it('Allow in the browser signs the running app in', async () => {
      // The system's own xdg-open, not the stand-in's.
      const window = await journey.launch({ env: { PATH: process.env.PATH ?? '' } });
      await window.page.getByRole('button', { name: 'Sign in' }).click();
      const page = await browser.pageAt(journey.service.authUrl);
      await page.getByRole('button', { name: 'Allow' }).click();
      await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
    });
  },
);

function whyUnable(): string | undefined {
  if (process.platform !== 'linux') return 'desktop entries are Linux’s';
  if (process.getuid?.() !== 0) return 'the browser policy that answers its prompt can be set by root only';
  if (!existsSync('/usr/bin/chromium')) return 'Chromium is not installed';
  if (!process.env.XDG_DATA_HOME) return 'it needs a desktop session of its own (npm test -- e2e makes one)';
  return undefined;
}
