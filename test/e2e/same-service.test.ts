import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allowInBrowser } from '../service/person.ts';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, pressSignIn, signIn } from './support/journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney({
    accountName: 'Office',
    furtherAccounts: ['Field crew'],
  });
});
afterEach(() => journey.end());

async function source(name: string): Promise<string> {
  const folder = join(journey.folder, name);
  await mkdir(folder);
  await writeFile(join(folder, 'a.gml'), '<CityModel/>');
  return folder;
}
const owners = () => {
  const { control } = journey.service;
  return Object.fromEntries(control.assets().map(({ id, name }) => [name, control.ownerOf(Number(id))]));
};

it('uploads with two accounts of one service and restores a lost sign-in as the same account', async () => {
  const { control } = journey.service;
  const window = await journey.launch();
  const { page } = window;
  const foot = page.getByRole('navigation', { name: 'Tilelift' }).getByRole('button', { name: /^Account: / });
  await signIn(journey, window);
  await dropAndUpload(window, await source('Town'));

  await foot.click();
  await page.getByRole('menuitem', { name: 'Add account…' }).click();
  await pressSignIn(window);
  await page.getByText('You are already signed in as Embedded service').waitFor();
  await window.openAddress(await allowInBrowser(await journey.browser.opened(2), fetch, 'Field crew'));
  await foot.filter({ hasText: 'Embedded service (2)' }).click();
  await page.getByRole('menuitem', { name: 'Rename Embedded service (2)…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Embedded service');
  await page.getByText('Another account has this name.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Field crew');
  await page.getByRole('button', { name: 'Save' }).click();
  await foot.filter({ hasText: 'Field crew' }).waitFor();

  await dropAndUpload(window, await source('Flight'));
  const complete = page.locator('[data-testid=job][data-status=complete]');
  await eventually(async () => expect(await complete.count()).toBe(2), 60_000);
  expect(owners()).toEqual({ Town: 'Office', Flight: 'Field crew' });
  await complete.filter({ hasText: 'Town' }).getByText('for Embedded service').waitFor();

  await page.getByRole('button', { name: /^Assets/ }).click();
  await page.getByText('Flight').first().waitFor();
  expect(await page.getByRole('main').getByText('Town').count()).toBe(0);
  await foot.click();
  await page.getByRole('menuitem', { name: 'Switch to Embedded service' }).click();
  await page.getByText('Town').first().waitFor();
  expect(await page.getByRole('main').getByText('Flight').count()).toBe(0);

  // The service ends the crew's sign-in; the office works on.
  control.expireAccessTokens('Field crew');
  control.revokeRefreshTokens('Field crew');
  await foot.click();
  await page.getByRole('menuitem', { name: 'Switch to Field crew' }).click();
  const lost = page.getByRole('alert').filter({ hasText: 'Signed out of Field crew' });
  await lost.waitFor();
  await foot.filter({ hasText: 'Embedded service' }).waitFor();
  await window.close();

  const again = await journey.launch();
  const banner = again.page.getByRole('alert').filter({ hasText: 'Signed out of Field crew' });
  await banner.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.page.getByText('Sign in there as the user of').waitFor();
  await again.openAddress(await allowInBrowser(await journey.browser.opened(3), fetch, 'Field crew'));
  await banner.waitFor({ state: 'detached' });
  await dropAndUpload(again, await source('Flight_2'));
  await eventually(() => expect(owners()).toMatchObject({ 'Flight 2': 'Field crew' }), 60_000);
  expect([...window.complaints, ...again.complaints]).toEqual([]);
});
