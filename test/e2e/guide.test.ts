import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allowInBrowser } from '../service/person.ts';
import { beginJourney, type Journey, signIn } from './support/journey.ts';
import { keyboardOf } from './support/keyboard.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

it('15 · keeps the window when the service ends the sign-in, and returns to it by Sign in', async () => {
  journey.service.control.seedAsset({ name: 'Harbour', type: 'IMAGERY' });
  const window = await journey.launch();
  const { page } = window;
  await signIn(journey, window);
  await page.getByRole('button', { name: /^Assets/ }).click();
  await page.getByText('Harbour').waitFor();
  journey.service.control.expireAccessTokens();
  journey.service.control.revokeRefreshTokens();
  await page.getByRole('button', { name: 'Refresh' }).click();

  await page.getByText('Signed out of Embedded service').waitFor();
  await page.getByText('Harbour').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor();
  await window.close();
  const again = await journey.launch();
  await again.page.getByText('Signed out of Embedded service').waitFor();
  await again.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.page.getByRole('heading', { name: 'Complete the sign-in in your browser' }).waitFor();
  await again.openAddress(await allowInBrowser(await journey.browser.opened(2)));
  await again.page.getByText('Signed out of').waitFor({ state: 'detached' });
  await again.page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
  expect(again.complaints).toEqual([]);
});

it('16 · opens help, shortcuts and the palette by keys without losing typed text', async () => {
  const window = await journey.launch();
  const { page } = window;
  const keys = await keyboardOf(window);
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await keys.press('F1');
  await page.getByRole('dialog').getByRole('heading', { name: 'Your first upload' }).waitFor();
  await keys.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await signIn(journey, window);

  await keys.press('?');
  await page.getByRole('dialog').getByText('Keyboard shortcuts').first().waitFor();
  await keys.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await keys.press('ControlOrMeta+K');
  await page.getByRole('combobox', { name: /^Search for actions/ }).waitFor();
  await keys.type('proxies?');
  expect(await page.getByRole('dialog').count()).toBe(1);
  // Settings come first.
  const help = page.getByRole('option', { name: 'Network and proxies' });
  await help.waitFor();
  for (let steps = 0; steps < 8 && (await help.getAttribute('aria-selected')) !== 'true'; steps += 1)
    await keys.press('ArrowDown');
  await keys.press('Enter');
  await page.getByRole('dialog').getByRole('heading', { name: 'Network and proxies' }).waitFor();
  await page.getByRole('button', { name: 'One hour per upload' }).last().click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Before the upload' }).waitFor();
  await keys.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(window.complaints).toEqual([]);
});

it('15 · opens a new rule for a folder dropped on Watched folders', async () => {
  const folder = join(journey.folder, 'Landings');
  await mkdir(folder);
  const window = await journey.launch();
  const { page } = window;
  await signIn(journey, window);
  await page.getByRole('button', { name: /^Watched folders/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Watched folders' }).waitFor();
  await window.drop(folder);
  const sheet = page.getByRole('dialog');
  await sheet.waitFor();
  await expect.poll(() => sheet.getByLabel('Folder', { exact: true }).inputValue()).toBe(folder);
});
