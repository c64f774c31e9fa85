import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { beginJourney, type Journey } from '../support/journey.ts';
import { answerPicker, signInByKeys, townSource } from '../support/keyboard-journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

it('creates an asset by keyboard: shortcut, name, types, description, options', async () => {
  const terrain = journey.service.control.seedAsset({ name: 'Ground', type: 'TERRAIN' });
  const { window, keys } = await signInByKeys(journey);
  const { page } = window;
  await answerPicker(window, await townSource(journey, 'Old_Town'));

  await keys.shortcut('N');
  await keys.pick('Choose a folder…');
  await keys.arriveAt('Name', 'textbox');
  await keys.overwrite('Harbour');

  await keys.tabBackTo('Change…', 'button');
  await keys.press('Enter');
  await keys.pick('Types…');
  await keys.tabTo(/^Asset type/);
  await keys.choose('Imagery');
  await keys.arriveAt('Asset type Imagery');
  await keys.choose('3D Tiles');
  await keys.press('Enter');
  await keys.arriveAt('3D Tiles', 'option');
  // The list goes, the sheet stays.
  await keys.press('Escape');
  await keys.arriveAt('Asset type 3D Tiles');
  await keys.tabTo('Source type');
  await keys.press('ArrowDown');
  await keys.pick(/^CityGML/);
  await keys.arriveAt('Source type');

  await keys.tabTo(/^Description/);
  await keys.type('Of **2026**');
  await keys.tabBackTo('Preview', 'button');
  await keys.press('Space');
  await page.getByRole('region', { name: 'Preview of the description' }).waitFor();
  await keys.tabTo('Preview of the description');

  await keys.tabTo('Clamp to terrain', 'switch');
  await keys.press('Space');
  await keys.tabTo(/^Base terrain/);
  await keys.choose(/^Ground/);
  await keys.arriveAt(/^Base terrain Ground/);

  await keys.tabTo('More options', 'button');
  await keys.press('Enter');
  await keys.tabBackTo(/^Further options/);
  await keys.press('Enter');
  await keys.tabTo(/^Further options/, 'textbox');
  await keys.type('{ "tilingScheme": "quadtree" }');
  await keys.tabTo('Upload', 'button');
  await keys.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await eventually(() => expect(journey.service.control.assets()).toHaveLength(2));
  const asset = journey.service.control.assets().find(({ id }) => id !== terrain);
  expect(asset).toMatchObject({ name: 'Harbour', type: '3DTILES', description: 'Of **2026**' });
  const row = page.locator('[data-testid=job][data-status=complete]');
  await row.waitFor({ timeout: 60_000 });
  expect(window.complaints).toEqual([]);
});

it('cycles the focus within the sheet and restores it after Escape', async () => {
  const { window, keys } = await signInByKeys(journey);
  await answerPicker(window, await townSource(journey, 'Town'));
  await keys.tabTo('New asset…', 'button');
  await keys.choose('Choose a folder…');
  await keys.arriveAt('Name', 'textbox');
  const met = (await keys.round()).map(({ name }) => name);
  expect(met).toContain('Upload');
  expect(met).not.toContain('New asset…');
  await keys.press('Escape');
  await keys.arriveAt('New asset…', 'button');
});

it('shows a validation error at its field and focuses the field', async () => {
  const { window, keys } = await signInByKeys(journey);
  await answerPicker(window, await townSource(journey, 'Town'));
  await keys.shortcut('O');
  await keys.arriveAt('Name', 'textbox');
  await keys.overwrite(' ');
  await keys.press('Enter');
  await keys.arriveAt('Name', 'textbox');
  await window.page.getByRole('textbox', { name: 'Name', exact: true, description: /name/i }).waitFor();
  expect(journey.service.control.assets()).toEqual([]);
});
