import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());

const size = { width: 1440, height: 900 };
const button = (name: string) => gallery.page.getByRole('button', { name, exact: true });
const notice = (text: string) => gallery.page.getByTestId('notice').filter({ hasText: text });

it('counts failures in the navigation and all that needs attention in the filter', async () => {
  const { page } = gallery;
  await gallery.show('watch/folders', size);
  await button('Watched folders, 3 under way or waiting, 1 failed').getByText('1', { exact: true }).waitFor();
  await gallery.show('uploads/busy', size);
  await button('Uploads, 8 unfinished, 4 failed').getByText('4', { exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Needs attention (5)', exact: true }).waitFor();
  // Few of them are loaded.
  await gallery.show('uploads/long', size);
  await button('Uploads, 1 unfinished, 200 failed').waitFor();
  await page.getByRole('radio', { name: 'Needs attention (200)', exact: true }).waitFor();
});

it('marks the account whose service doesn’t answer', async () => {
  const { page } = gallery;
  const account = page.getByRole('navigation').getByRole('button', { name: /^Account/ });
  await gallery.show('assets/few', size);
  await account.getByText('Signed in').waitFor();
  await account.locator('.bg-complete').waitFor();
  await gallery.show('assets/failing', size);
  await account.getByText('Service not answering').waitFor();
  await account.locator('.bg-waiting').waitFor();
});

it('says once on Assets that the sign-in was lost', async () => {
  await gallery.show('assets/signed-out', size);
  await gallery.page.getByText('The assets could not be listed').waitFor();
  expect(await gallery.page.locator('main').getByRole('alert').count()).toBe(1);
});

it('adds the uploads of a second batch to the notice about the first', async () => {
  await gallery.show('uploads/notice-batches', size);
  await notice('38 complete, 5 failed').waitFor();
  expect(await gallery.page.getByTestId('notice').count()).toBe(1);
});

it('keeps a notice while it is pointed at', async () => {
  const { page } = gallery;
  await page.clock.install();
  await gallery.show('uploads/moving', size);
  await button('More actions: Orthophoto 20 cm – Kreis Ost').click();
  await page.getByRole('menuitem', { name: 'Copy asset ID' }).click();
  await notice('copied').hover();
  await page.clock.fastForward('01:00');
  expect(await notice('copied').count()).toBe(1);
  await page.mouse.move(0, 0);
  await page.clock.fastForward('01:00');
  await notice('copied').waitFor({ state: 'detached' });
});

it('keeps notices off the buttons of an open sheet', async () => {
  const { page } = gallery;
  await gallery.show('new-asset/one-finding', { width: 900, height: 600 });
  await page
    .getByRole('note')
    .getByRole('button', { name: /^More actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Copy list' }).click();
  const bottom = await notice('copied').evaluate((one) => one.getBoundingClientRect().bottom);
  const footer = page.getByRole('dialog').locator('footer');
  expect(await footer.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThan(bottom);
});
