import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());

const size = { width: 1440, height: 900 };

it('shows the pause button of a queued row only to pointer and focus', async () => {
  await gallery.show('uploads/queue-300', size);
  const pause = gallery.page.getByRole('button', { name: 'Pause: Los 4 – Befliegung' });
  const opacity = () => pause.evaluate((one) => getComputedStyle(one).opacity);
  await expect.poll(opacity).toBe('0');
  await pause.hover();
  await expect.poll(opacity).toBe('1');
  await gallery.page.mouse.move(0, 0);
  await expect.poll(opacity).toBe('0');
  await pause.focus();
  await expect.poll(opacity).toBe('1');
});

it.each([
  ['uploads/details-complete', 'Technical details'],
  ['assets/details-complete', 'All fields from the service'],
])('hides facts for experts in %s until someone asks', async (state, title) => {
  await gallery.show(state, size);
  const facts = gallery.page.locator('details').filter({ hasText: title });
  const fact = facts.locator('dd, td').first();
  expect(await fact.isVisible()).toBe(false);
  await facts.getByText(title).click();
  await fact.waitFor();
});

it('shows the settings that match a search, and all of them when a section is chosen', async () => {
  const { page } = gallery;
  await gallery.show('settings/search-proxy', size);
  const sections = page.locator('main section section');
  expect(await sections.count()).toBe(1);
  await page.getByRole('navigation', { name: 'Settings' }).getByText('General').click();
  await expect.poll(() => sections.count()).toBeGreaterThan(5);
  const heading = page.getByRole('heading', { name: 'General' });
  await expect.poll(() => heading.evaluate((one) => one.matches(':focus'))).toBe(true);
});
