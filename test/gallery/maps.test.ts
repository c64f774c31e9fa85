import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());

const size = { width: 1440, height: 900 };
const towns = () => gallery.page.getByTestId('map-town').allTextContents();

it('names the towns in and around the data, and the nearest one in words', async () => {
  await gallery.show('new-asset/on-the-map', size);
  await expect.poll(towns).toEqual(expect.arrayContaining(['Hannover', 'Langenhagen']));
  await expect
    .poll(() => gallery.page.getByTestId('source-summary').textContent())
    .toMatch(/near Garbsen-Mitte, Germany$/);
});

it('shows a wrong zone by its towns and in red', async () => {
  await gallery.show('new-asset/systems-compared', size);
  await expect.poll(towns).toEqual(expect.arrayContaining(['Szczecin', 'Dresden']));
  const wrong = gallery.page.getByTestId('map-system').filter({ hasText: 'EPSG:25833' });
  await expect.poll(() => wrong.getAttribute('class')).toContain('fill-error');
});

it('names towns on the map for a position', async () => {
  await gallery.show('new-asset/position-on-the-map', size);
  await expect.poll(async () => (await towns()).length).toBeGreaterThan(3);
});
