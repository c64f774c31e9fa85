import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { beginJourney, type Journey } from '../support/journey.ts';
import { signInByKeys } from '../support/keyboard-journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

it('searches, filters, sorts and walks assets, copies an ID and opens an asset by keyboard', async () => {
  const { control } = journey.service;
  const ids = ['Harbour', 'Town', 'Airport'].map((name) => control.seedAsset({ name, type: 'IMAGERY' }));
  control.seedAsset({ name: 'Ground', type: 'TERRAIN' });
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await keys.shortcut('3');
  await page.getByRole('table', { name: 'Assets' }).waitFor();
  const names = () =>
    page
      .locator('[role=row] [role=cell]:first-child [title]')
      .evaluateAll((cells) => cells.map((cell) => cell.textContent));

  await keys.tabTo('Search assets');
  await keys.type('o');
  await eventually(async () =>
    expect((await names()).toSorted()).toEqual(['Airport', 'Ground', 'Harbour', 'Town']),
  );
  await keys.overwrite('town');
  await eventually(async () => expect(await names()).toEqual(['Town']));
  await keys.press('Escape');
  await eventually(async () => expect(await names()).toHaveLength(4));

  await keys.tabTo(/^Asset type/);
  await keys.choose('Imagery 3');
  await eventually(async () => expect(await names()).toHaveLength(3));

  await keys.tabTo('Name', 'button');
  await keys.press('Enter');
  await eventually(async () => expect(await names()).toEqual(['Airport', 'Harbour', 'Town']));
  await keys.press('Space');
  await eventually(async () => expect(await names()).toEqual(['Town', 'Harbour', 'Airport']));
  expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');

  await keys.tabTo('Copy ID of Town');
  await keys.tabTo('Copy ID of Harbour');
  await keys.press('Enter');
  await eventually(async () =>
    expect(await window.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(String(ids[0])),
  );
  await keys.tabTo('Open Harbour on the service');
  await keys.press('Enter');
  expect(await journey.browser.opened(2)).toContain(String(ids[0]));
  await keys.tabBackTo('Open Town on the service');
});
