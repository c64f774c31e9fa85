import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery?.close());

describe('the map of the New asset sheet', () => {
  beforeEach(() => gallery.show('new-asset/many-findings', { width: 1440, height: 900 }));
  const map = () => gallery.page.getByRole('group', { name: /^Map of file locations/ });
  const told = () => gallery.page.getByTestId('map-chosen');
  const file = (name: string) => gallery.page.getByRole('button', { name, exact: true });

  it('shows the ring of a file that is chosen in a note, and what was found in it', async () => {
    await file('dgm_0188.tif').first().click();
    await told().getByText('kacheln/dgm_0188.tif').waitFor();
    await told().getByText('1 file is truncated').waitFor();
    await told().getByText('Vertical datum not specified').waitFor();
    await expect(gallery.page.getByTestId('map-mark').count()).resolves.toBeGreaterThan(0);
    await file('dgm_0188.tif').first().click();
    await expect(told().count()).resolves.toBe(0);
  });

  it('shows the note about a file whose ring is clicked, with its row', async () => {
    await map().locator('svg').nth(1).locator('path[data-area="57"]').last().click();
    await told().getByText('kacheln/dgm_0058.tif').waitFor();
    await told().getByText('1 file may have a zone prefix in its eastings').waitFor();
    await expect(file('dgm_0058.tif').first().getAttribute('aria-pressed')).resolves.toBe('true');
    await file('Deselect').click();
    await expect(told().count()).resolves.toBe(0);
    await map().locator('svg').nth(1).locator('path[data-area="120"]').first().click();
    await told().getByText('kacheln/dgm_0121.tif').waitFor();
    await file('kacheln/dgm_0121.tif').waitFor();
  });

  it('goes from ring to ring by the arrow keys, to its notes by Enter, and Escape deselects it alone', async () => {
    await map().focus();
    await gallery.page.keyboard.press('ArrowRight');
    await gallery.page.keyboard.press('ArrowRight');
    await told().getByText('kacheln/dgm_0002.tif').waitFor();
    await gallery.page.keyboard.press('ArrowLeft');
    await told().getByText('kacheln/dgm_0001.tif').waitFor();
    await gallery.page.keyboard.press('End');
    await told().getByText('kacheln/dgm_0288.tif').waitFor();
    await gallery.page.keyboard.press('Enter');
    await expect
      .poll(() => gallery.page.evaluate('document.activeElement.dataset.file'))
      .toBe('kacheln/dgm_0288.tif');
    await map().focus();
    await gallery.page.keyboard.press('Escape');
    await expect.poll(() => told().count()).toBe(0);
    await expect(map().count()).resolves.toBe(1);
  });

  it('keeps a note hidden, and gives it back', async () => {
    const note = gallery.page.getByRole('note').filter({ hasText: 'is truncated' });
    await note.getByRole('button', { name: 'Hide for this source' }).click();
    await expect(note.count()).resolves.toBe(0);
    await file('Show 1 hidden note').click();
    await expect(note.count()).resolves.toBe(1);
  });
});

it('a file among thousands, of which the map shows the number alone, is shown where its place is known', async () => {
  await gallery.show('new-asset/ring-chosen-in-a-country', { width: 1440, height: 900 });
  const { page } = gallery;
  await page.getByTestId('map-chosen').getByText('kacheln/dgm_0001.tif').waitFor();
  await expect(page.getByTestId('map-mark').count()).resolves.toBe(2);
  await expect(page.getByRole('button', { name: 'dgm_11201.tif' }).count()).resolves.toBe(0);
});

it('has its map at the top of the notes where there is no room beside the form', async () => {
  await gallery.show('new-asset/ring-chosen', { width: 720, height: 450 });
  await gallery.page.getByTestId('map-chosen').getByText('kacheln/dgm_0188.tif').waitFor();
});
