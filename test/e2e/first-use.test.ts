import { afterEach, beforeEach, expect, it } from 'vitest';
import { allowInBrowser } from '../service/person.ts';
import { beginJourney, type Journey } from './support/journey.ts';
import { answerPicker, townSource } from './support/keyboard-journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

/**
 * Someone who does what the page itself puts before them. Clicks in the browser and the system's dialog
 * count.
 */
async function firstUse(sample: boolean): Promise<readonly string[]> {
  const source = await townSource(journey, 'Old_Town');
  const window = await journey.launch(sample ? { env: { TILELIFT_SAMPLE: source } } : {});
  const { page } = window;
  const clicks: string[] = [];
  const click = async (name: string, role: 'button' | 'menuitem' = 'button') => {
    await page.getByRole(role, { name, exact: true }).click();
    clicks.push(name);
  };

  // A known service is chosen already; that of the environment never is.
  await page.getByRole('radio', { name: 'Embedded service' }).click();
  await click('Sign in');
  clicks.push('Allow, in the browser', 'Open Tilelift, in the browser');
  await window.openAddress(await allowInBrowser(await journey.browser.opened(1)));
  await page.getByRole('heading', { name: 'Drop a folder here to create your first asset' }).waitFor();
  if (sample) await click('Try it with sample data');
  else {
    await answerPicker(window, source);
    await click('Choose a folder…');
    clicks.push('the folder, in the system’s dialog', 'Open, in the system’s dialog');
  }
  await click('Upload');
  await page.locator('[data-testid=job][data-status=complete]').waitFor({ timeout: 60_000 });
  expect(journey.service.control.assets()).toMatchObject([{ name: 'Old Town', status: 'COMPLETE' }]);
  return clicks;
}

for (const [data, sample, maxClicks] of [
  ['sample data', true, 5],
  ['a folder from the system’s dialog', false, 7],
] as const) {
  it(`completes an asset of ${data} from a fresh profile with at most ${maxClicks} clicks`, async () => {
    const clicks = await firstUse(sample);
    console.info(`${data}: ${clicks.length} clicks: ${clicks.join(' → ')}`);
    expect(clicks.length).toBeLessThanOrEqual(maxClicks);
  });
}
