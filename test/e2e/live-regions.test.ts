import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, type Journey } from './support/journey.ts';
import { signInByKeys, townSource, uploadByKeys } from './support/keyboard-journey.ts';
import { listenToLiveRegions } from './support/live-regions.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney({ tilingMs: 2_000 });
});
afterEach(() => journey.end());

const mebibyte = 1024 ** 2;
const jobThatIs = (page: Page, status: string) => page.locator(`[data-testid=job][data-status=${status}]`);

it('announce each state change of an upload once, but no progress', async () => {
  journey.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'throttle', bytesPerSecond: mebibyte },
  });
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  const folder = await townSource(journey, 'Town', 4 * mebibyte);
  const regions = await listenToLiveRegions(page);
  await uploadByKeys(keys, window, folder);
  await jobThatIs(page, 'uploading').waitFor();
  // Opened, so that parts, throughput and history are on the screen as well.
  await keys.tabTo(/^Town: /, 'row');
  await keys.press('Enter');
  await jobThatIs(page, 'complete').waitFor({ timeout: 60_000 });

  const said = await regions.said();
  const ofTown = said.filter((text) => text.startsWith('Town: '));
  expect(ofTown.at(-1)).toBe('Town: Complete');
  const course = ['Town: Preparing', 'Town: Uploading', 'Town: Finishing', 'Town: Tiling', 'Town: Complete'];
  expect(ofTown).toEqual(course.filter((text) => ofTown.includes(text)));
  expect(ofTown).toContain('Town: Uploading');
  expect(said.filter((text) => /%|MB|left/.test(text))).toEqual([]);
  expect(said.length).toBeLessThanOrEqual(course.length + 1);
});

it('announce a notice once', async () => {
  const { window, keys } = await signInByKeys(journey);
  const regions = await listenToLiveRegions(window.page);
  await keys.shortcut('4');
  await keys.tabTo('Copy diagnostics', 'button');
  await keys.press('Enter');
  await eventually(async () => expect(await regions.said()).toContain('Diagnostics copied.'));
  await window.page.getByText('Diagnostics copied.').waitFor({ state: 'detached' });
  expect(await regions.said()).toEqual(['Diagnostics copied.']);
});
