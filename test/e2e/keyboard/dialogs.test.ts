import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginJourney, type Journey } from '../support/journey.ts';
import { answerPicker, signInByKeys, townSource, uploadByKeys } from '../support/keyboard-journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

it('shows skipped files next to their link and closes only them on Escape', async () => {
  const folder = await townSource(journey, 'Town');
  await writeFile(join(folder, 'Thumbs.db'), 'left out');
  const { window, keys } = await signInByKeys(journey);
  await answerPicker(window, folder);
  await keys.shortcut('O');
  await keys.arriveAt('Name', 'textbox');
  await keys.tabTo('1 ignored (Thumbs.db)', 'button');
  await keys.press('Enter');
  await window.page.getByText('Not uploaded').waitFor();
  await keys.press('Escape');
  await window.page.getByText('Not uploaded').waitFor({ state: 'detached' });
  await keys.arriveAt('1 ignored (Thumbs.db)', 'button');
});

it('asks above the sheet when an upload will hardly finish in time, and returns to the sheet', async () => {
  journey.service.control.addFault({
    match: { room: 'storage', method: 'PUT' },
    action: { kind: 'throttle', bytesPerSecond: 2_000_000 },
  });
  const { window, keys } = await signInByKeys(journey);
  // Shows how fast the line is.
  await uploadByKeys(keys, window, await townSource(journey, 'Hamlet', 2_000_000));
  await window.page.locator('[data-testid=job][data-status=complete]').waitFor({ timeout: 60_000 });
  await keys.shortcut('4');
  await keys.tabTo('Limit the bandwidth', 'switch');
  await keys.press('Space');
  await keys.tabBackTo('Limit in megabytes per second');
  await keys.overwrite('0.001');
  await keys.press('Enter');
  await answerPicker(window, await townSource(journey, 'Town', 8_000_000));
  await keys.shortcut('O');
  await keys.arriveAt('Name', 'textbox');
  await keys.press('Enter');
  await keys.arriveAt('Back', 'button');
  expect((await keys.round()).map(({ name }) => name)).toEqual(['Upload anyway', 'Back']);
  await keys.press('Escape');
  await keys.arriveAt('Name', 'textbox');
  await keys.press('Enter');
  await keys.arriveAt('Back', 'button');
  await keys.tabTo('Upload anyway');
  await keys.press('Enter');
  await window.page.getByRole('button', { name: 'Pause: Town' }).waitFor();
});

it('ignores screen shortcuts while a form is open', async () => {
  const { window, keys } = await signInByKeys(journey);
  await answerPicker(window, await townSource(journey, 'Town'));
  await keys.shortcut('O');
  await keys.arriveAt('Name', 'textbox');
  await keys.shortcut('4');
  await keys.shortcut('N');
  await keys.tabTo('Upload', 'button');
  await keys.press('Escape');
  await window.page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
});
