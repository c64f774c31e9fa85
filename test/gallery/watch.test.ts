import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());

it('opens the rule only of a source that is held for its kind', async () => {
  await gallery.show('watch/sources-held', { width: 900, height: 600 });
  const change = gallery.page.getByRole('button', { name: /^Change rule/ });
  await expect(change.count()).resolves.toBe(1);
  await gallery.page
    .getByText('The kind of data is KML/COLLADA, but the rule expects Photogrammetry: quartier.kmz.')
    .waitFor();
  await change.click();
  await gallery.page.getByRole('dialog').waitFor();
});
