import { afterEach, beforeEach, expect, it } from 'vitest';
import { allowInBrowser } from '../../service/person.ts';
import { beginJourney, type Journey } from '../support/journey.ts';
import { keyboardOf } from '../support/keyboard.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

it('chooses a service, cancels, restarts the sign-in and pastes the address by keyboard', async () => {
  const window = await journey.launch();
  const { page } = window;
  const keys = await keyboardOf(window);
  await page.getByRole('heading', { name: 'From a folder to a tiled asset' }).waitFor();

  await keys.tabTo('Cesium ion', 'radio');
  await keys.arrowTo('Embedded service');
  await keys.arrowTo('Other address…');
  await keys.press('Tab');
  await keys.arriveAt('API address');
  await keys.tabBackTo('Other address…');
  await keys.arrowTo('Embedded service', 'ArrowUp');
  await keys.tabTo('Sign in', 'button');
  await keys.press('Enter');
  await journey.browser.opened(1);

  await page.getByRole('heading', { name: 'Complete the sign-in in your browser' }).waitFor();
  await keys.tabTo('Copy link', 'button');
  await keys.press('Space');
  await page.getByText('Link copied.').waitFor();
  await keys.tabTo('Cancel', 'button');
  await keys.press('Enter');

  await page.getByRole('heading', { name: 'From a folder to a tiled asset' }).waitFor();
  await keys.tabTo('Sign in', 'button');
  await keys.press('Enter');
  const callback = await allowInBrowser(await journey.browser.opened(2));
  await page.getByRole('heading', { name: 'Complete the sign-in in your browser' }).waitFor();
  await keys.tabTo('Having trouble?', 'button');
  await keys.press('Enter');
  await keys.tabTo(/^If the browser shows an address/, 'textbox');
  await keys.type('tilelift://elsewhere');
  await keys.press('Enter');
  await page.getByRole('alert').waitFor();
  await keys.overwrite(callback);
  await keys.press('Enter');
  await page.getByRole('heading', { name: 'Uploads' }).waitFor();
  expect(window.complaints).toEqual([]);
});
