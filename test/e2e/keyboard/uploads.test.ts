import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { beginJourney, type Journey } from '../support/journey.ts';
import { signInByKeys, townSource, uploadByKeys } from '../support/keyboard-journey.ts';
import type { TileliftProgram } from '../support/tilelift-window.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

const mebibyte = 1024 ** 2;
const jobThatIs = (page: Page, status: string) => page.locator(`[data-testid=job][data-status=${status}]`);
const holdStorage = () =>
  journey.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'hold' },
  });
const clipboardOf = ({ app }: TileliftProgram) => app.evaluate(({ clipboard }) => clipboard.readText());

it('opens, pauses, resumes and cancels an upload by keyboard, after a confirmation', async () => {
  holdStorage();
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await uploadByKeys(keys, window, await townSource(journey, 'Town', mebibyte));
  await jobThatIs(page, 'uploading').waitFor();

  await keys.tabTo(/^Town: /, 'row');
  await keys.press('Enter');
  await page.getByRole('region', { name: 'Details of Town' }).waitFor();
  await keys.arrowTo('Pause: Town', 'ArrowRight');
  await keys.press('Enter');
  await keys.arriveAt('Resume: Town');
  await jobThatIs(page, 'paused').waitFor();
  await keys.press('Space');
  await keys.arriveAt('Pause: Town');

  await keys.arrowTo('More actions: Town', 'ArrowRight');
  await keys.choose('Cancel upload…');
  await keys.arriveAt('Keep uploading');
  expect((await keys.round()).map(({ name }) => name)).toEqual(['Cancel upload', 'Keep uploading']);
  await keys.press('Escape');
  await keys.arriveAt('More actions: Town');

  await keys.choose('Cancel upload…');
  await keys.arriveAt('Keep uploading');
  await keys.tabTo('Cancel upload');
  await keys.press('Enter');
  await jobThatIs(page, 'cancelled').waitFor();
  await keys.arriveAt(/: Town$/);
});

it('retries a failed upload, copies the asset ID, opens the asset and clears the list by keyboard', async () => {
  const { control } = journey.service;
  control.addFault({
    match: { room: 'api', method: 'POST', path: 'uploadComplete', times: 1_000 },
    // In the service's format: Tilelift waits after any other answer.
    action: { kind: 'status', status: 400, body: '{"code":"NotToday","message":"Not today"}' },
  });
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await uploadByKeys(keys, window, await townSource(journey, 'Town'));
  await jobThatIs(page, 'failed').waitFor();
  control.clearFaults();
  await keys.tabTo(/^Town: /, 'row');
  await keys.arrowTo('Try again: Town', 'ArrowRight');
  await keys.press('Enter');
  await jobThatIs(page, 'complete').waitFor({ timeout: 60_000 });
  // The button became another one under the finger.
  await keys.arriveAt('View: Town');
  await keys.press('Enter');
  const id = String(control.assets()[0]?.id);
  expect(await journey.browser.opened(2)).toContain(id);

  await keys.arrowTo('More actions: Town', 'ArrowRight');
  await keys.choose('Copy asset ID');
  await eventually(async () => expect(await clipboardOf(window)).toBe(id));
  await keys.arriveAt('More actions: Town');
  await keys.choose('Remove from list');
  await jobThatIs(page, 'complete').waitFor({ state: 'detached' });
  // The focused element has disappeared.
  await keys.arriveAt('Choose a folder…');
});

it('keeps the focus in an open menu whose items change', async () => {
  holdStorage();
  // The app sees it tiling: the menu changes in steps.
  journey.service.control.setTiling({ end: 'COMPLETE', ms: 300 });
  const { window, keys } = await signInByKeys(journey);
  await uploadByKeys(keys, window, await townSource(journey, 'Town'));
  await jobThatIs(window.page, 'uploading').waitFor();
  await keys.tabTo(/^Town: /, 'row');
  await keys.arrowTo('More actions: Town', 'ArrowRight');
  await keys.press('Enter');
  await keys.arriveAt('Open on the service', 'menuitem');
  journey.service.control.clearFaults();
  // Opening the asset is now what the row itself offers.
  await jobThatIs(window.page, 'complete').waitFor({ timeout: 60_000 });
  await keys.arriveAt('Copy asset ID', 'menuitem');
  await keys.press('Escape');
  await keys.arriveAt('More actions: Town');
});
