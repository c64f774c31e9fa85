import { afterEach, beforeEach, expect, it } from 'vitest';
import { allowInBrowser, denyInBrowser } from '../service/person.ts';
import { beginJourney, type Journey, pressSignIn } from './support/journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(async () => {
  await journey.end();
});

const exchanges = () =>
  journey.service.control.requests().filter(({ path }) => path.startsWith('/oauth/token')).length;

it('explains that the user denied the sign-in', async () => {
  const window = await journey.launch();
  await pressSignIn(window);
  await window.openAddress(await denyInBrowser(await journey.browser.opened(1)));
  await window.page.getByText('Access was not allowed in the browser.').waitFor();
  expect(exchanges()).toBe(0);
});

it('exchanges no code when the state differs', async () => {
  const window = await journey.launch();
  await pressSignIn(window);
  const callback = new URL(await allowInBrowser(await journey.browser.opened(1)));
  callback.searchParams.set('state', 'somebody-elses');
  await window.openAddress(callback.href);
  await window.page.getByText('does not belong to this sign-in').waitFor();
  expect(exchanges()).toBe(0);
});

it('completes the sign-in with a callback that starts the app', async () => {
  const first = await journey.launch();
  await pressSignIn(first);
  const callback = await allowInBrowser(await journey.browser.opened(1));
  await first.close();

  const second = await journey.launch({ args: [callback] });
  await second.page.getByRole('heading', { name: 'Uploads' }).waitFor();
  expect(exchanges()).toBe(1);
});

it('completes the sign-in with a pasted address', async () => {
  const window = await journey.launch();
  await pressSignIn(window);
  const callback = await allowInBrowser(await journey.browser.opened(1));
  await window.page.getByRole('button', { name: 'Having trouble?' }).click();
  await window.page.getByLabel(/begins with tilelift/).fill(callback);
  await window.page.keyboard.press('Enter');
  await window.page.getByRole('heading', { name: 'Uploads' }).waitFor();
});

it('reports a dead service at sign-in', async () => {
  await journey.service.stop();
  const window = await journey.launch();
  await pressSignIn(window);
  await window.page.getByText(/can’t be reached/).waitFor();
});
