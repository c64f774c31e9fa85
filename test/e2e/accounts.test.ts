import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EmbeddedService } from '../service/model.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import { beginJourney, type Journey, signIn } from './support/journey.ts';

let journey: Journey;
let second: EmbeddedService;
beforeEach(async () => {
  journey = await beginJourney();
  second = await startEmbeddedService();
});
afterEach(async () => {
  await journey.end();
  await second.stop();
});

it('signs in to a second service with an access token, switches, and signs out of one account only', async () => {
  journey.service.control.seedAsset({ name: 'Of the first', type: 'IMAGERY' });
  second.control.seedAsset({ name: 'Of the second', type: 'IMAGERY' });
  const token = second.control.makeAccessToken(['assets:list', 'assets:read', 'assets:write']);
  const window = await journey.launch();
  const { page } = window;
  await signIn(journey, window);

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Add account…' }).click();
  await page.getByRole('radio', { name: 'Other address…' }).click();
  await page.getByLabel('API address').fill(second.baseUrl);
  await page.getByLabel('Sign-in address').fill(second.authUrl);
  await page.getByRole('button', { name: 'Use an access token instead' }).click();
  await page.getByLabel('Access token', { exact: true }).fill('not-a-token-of-this-service');
  await page.getByRole('button', { name: 'Use this token' }).click();
  await page.getByText('does not accept this access token').waitFor();
  await page.getByText('InvalidCredentials').waitFor();
  await page.getByLabel('Access token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Use this token' }).click();

  await page.getByRole('button', { name: /Assets/ }).click();
  await page.getByText('Of the second').waitFor();
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Switch to Embedded service' }).click();
  await page.getByText('Of the first').waitFor();

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign out of Embedded service' }).click();
  const left = page.getByRole('listitem', { name: 'Embedded service', exact: true });
  await left.getByText('Signed out', { exact: true }).waitFor();
  await page.getByRole('button', { name: /Assets/ }).click();
  await page.getByText('Of the second').waitFor();
  expect(window.complaints).toEqual([]);
});
