import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowInBrowser } from '../service/person.ts';
import { eventually } from './support/eventually.ts';
import { beginJourney, type Journey, pressSignIn } from './support/journey.ts';
import { filesHolding } from './support/search-secrets.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

const exchanges = () =>
  journey.service.control.requests().filter(({ path }) => path.startsWith('/oauth/token')).length;

const junk: readonly string[] = [
  'tilelift://oauth/callback',
  'tilelift://oauth/callback?state=x',
  'tilelift://oauth/callback?code=%00&state=%ff',
  'tilelift://elsewhere/callback?code=c&state=s',
  `tilelift://oauth/callback?code=${'x'.repeat(9000)}&state=s`,
  '--remote-debugging-port=9222',
  'file:///etc/passwd',
];

describe('deep links to the packaged app', () => {
  it('S138: keeps a sign-in waiting through second launches with junk, then completes it', async () => {
    const window = await journey.launch();
    await pressSignIn(window);
    const callback = await allowInBrowser(await journey.browser.opened(1));
    for (const address of junk) await window.openAddress(address);
    // A launch with two callbacks is ignored.
    await window.openAddress(callback, `${callback}x`);
    await window.page.getByRole('button', { name: 'Copy link' }).waitFor();
    expect(exchanges()).toBe(0);
    expect(window.complaints).toEqual([]);

    await window.openAddress('--some-switch', callback, 'another');
    await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
    expect(exchanges()).toBe(1);
  });

  it('S139: exchanges a repeated callback once and keeps the sign-in', async () => {
    const window = await journey.launch();
    await pressSignIn(window);
    const callback = await allowInBrowser(await journey.browser.opened(1));
    await window.openAddress(callback);
    await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
    await window.openAddress(callback);
    await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
    expect(exchanges()).toBe(1);
  });

  it('S140: stores no callback in any file of the user-data folder, accepted or not', async () => {
    const window = await journey.launch();
    await pressSignIn(window);
    const callback = await allowInBrowser(await journey.browser.opened(1));
    const stranger = 'tilelift://oauth/callback?code=a-code-of-somebody-else&state=a-state-of-somebody-else';
    await window.openAddress(callback);
    await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
    await window.openAddress(stranger);
    const { searchParams } = new URL(callback);
    const parts = [
      searchParams.get('code') ?? '',
      searchParams.get('state') ?? '',
      'a-code-of-somebody-else',
    ];
    // When the second one is shown, the log contains both.
    await eventually(async () =>
      expect(await filesHolding(journey.userData, ['A callback came that nothing waits for.'])).toHaveLength(
        1,
      ),
    );
    await window.close();
    expect(await filesHolding(journey.userData, parts)).toEqual([]);
  });
});
