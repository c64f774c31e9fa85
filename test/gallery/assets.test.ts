import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());

/** How many characters of each name are seen, the ellipsis left out. */
const seenOfNames = () =>
  gallery.page.evaluate<readonly number[]>(`
    [...document.querySelectorAll('[role=table] [data-asset] [title].font-semibold')].map((name) => {
      const end = name.getBoundingClientRect().right - 12;
      const range = document.createRange();
      const text = name.firstChild;
      let seen = 0;
      for (; seen < text.length; seen += 1) {
        range.setStart(text, seen);
        range.setEnd(text, seen + 1);
        if (range.getBoundingClientRect().right > end) break;
      }
      return seen;
    })
  `);

it.each([
  ['en', 'long-names', 900, 24],
  ['de', 'long-names', 900, 24],
  ['de', 'long-names', 1040, 22],
  ['de', 'long-names', 1440, 40],
  ['de', 'long-names-details', 900, 24],
  ['en', 'long-names-details', 1440, 24],
] as const)(
  'shows long names in %s (%s, %i px wide) with at least %i characters',
  async (language, state, width, least) => {
    await gallery.show(`assets/${state}`, { width, height: 600 }, language);
    const visibleLengths = await seenOfNames();
    expect(visibleLengths.length).toBeGreaterThan(5);
    expect(Math.min(...visibleLengths)).toBeGreaterThanOrEqual(least);
  },
);

it('offers to share only an asset that is complete', async () => {
  const share = gallery.page.getByRole('button', { name: 'Share…' });
  for (const [state, offers] of [
    ['complete', 1],
    ['tiling', 0],
    ['waiting-elsewhere', 0],
    ['error', 0],
  ] as const) {
    await gallery.show(`assets/details-${state}`, { width: 900, height: 600 });
    await gallery.page.getByRole('button', { name: 'Open on the service' }).waitFor();
    expect(await share.count(), state).toBe(offers);
  }
});

it('sorts by column headers in each width', async () => {
  for (const width of [640, 900, 1440]) {
    await gallery.show('assets/long-names', { width, height: 600 });
    for (const name of ['Name', 'Status', 'Size', 'Added', 'ID']) {
      const head = gallery.page.getByRole('columnheader', { name });
      await head.getByRole('button').click();
      expect(await head.getAttribute('aria-sort')).toMatch(/ascending|descending/);
    }
  }
});

it('shows thumbnails in the list and in the details', async () => {
  const name = 'Orthophoto 20 cm – Kreis Ost';
  await gallery.show('assets/details-complete', { width: 1440, height: 900 });
  for (const place of [gallery.page.getByRole('table'), gallery.page.getByRole('complementary')])
    await place.getByRole('img', { name: `Preview of ${name}` }).waitFor();
});
