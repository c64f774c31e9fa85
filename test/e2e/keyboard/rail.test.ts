import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginJourney, type Journey } from '../support/journey.ts';
import { signInByKeys } from '../support/keyboard-journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

const screens = ['Uploads', 'Watched folders', 'Assets', 'Settings'] as const;

it('opens the screens by shortcut in the order of the rail and marks the current one', async () => {
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  const current = page.locator('nav [aria-current=page]');
  for (const [index, name] of [...screens.entries(), [0, screens[0]] as const]) {
    await keys.shortcut(String(index + 1));
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await current.count()).toBe(1);
    expect(await current.getAttribute('aria-label')).toBe(name);
  }
});

it('cycles the focus through every screen and keeps each stop visible', async () => {
  journey.service.control.seedAsset({ name: 'Harbour', type: 'IMAGERY' });
  const { window, keys } = await signInByKeys(journey);
  for (const [index, name] of screens.entries()) {
    await keys.shortcut(String(index + 1));
    await window.page.getByRole('heading', { level: 1, name }).waitFor();
    await keys.tabTo(/^Uploads/, 'button');
    const met = await keys.round();
    expect(met.filter(({ role, name: label }) => role !== '' && label === '')).toEqual([]);
  }
});
