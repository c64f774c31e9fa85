import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Gallery, openGallery, recordCalls } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());

const size = { width: 1440, height: 900 };
const row = (id: string) => gallery.page.locator(`[data-row="${id}"]`);
const item = (name: string | RegExp) => gallery.page.getByRole('menuitem', { name });
const statusOf = (id: string) => row(id).getByTestId('job').getAttribute('data-status');

it.each([
  ['context menu', ['Pause'], () => row('queued-7').click({ button: 'right' })],
  [
    '“…” menu',
    [],
    () =>
      row('queued-7')
        .getByRole('button', { name: /^More actions/ })
        .click(),
  ],
] as const)(
  'moves first, renames, shows in its folder and cancels a queued upload by its %s',
  async (_menu, more, open) => {
    const { page } = gallery;
    await gallery.show('uploads/queue-300', size);
    const renames = await recordCalls(page, 'jobs.rename');
    const folders = await recordCalls(page, 'jobs.showInFolder');
    const actions = await recordCalls(page, 'jobs.act');
    await open();
    expect((await page.getByRole('menuitem').allTextContents()).map((text) => text.trim())).toEqual([
      ...['Upload next', 'Move up', 'Move down'],
      ...more,
      ...['Cancel upload…', 'Rename…', 'Show in folder'],
    ]);
    await item('Upload next').click();
    await expect.poll(() => row('queued-7').getAttribute('aria-posinset')).toBe('1');

    await open();
    await item('Rename…').click();
    const dialog = page.getByRole('dialog', { name: 'Rename upload' });
    await dialog.getByLabel('Name').fill('Harbour, flight 7');
    await page.keyboard.press('Enter');
    await row('queued-7').getByRole('button', { name: 'Harbour, flight 7', exact: true }).waitFor();
    expect(await renames()).toEqual([{ id: 'queued-7', name: 'Harbour, flight 7' }]);

    await open();
    await item('Show in folder').click();
    await expect.poll(folders).toEqual(['queued-7']);

    await open();
    await item('Cancel upload…').click();
    const question = page.getByRole('alertdialog', { name: 'Cancel “Harbour, flight 7”?' });
    await question.getByRole('button', { name: 'Cancel upload' }).click();
    await expect.poll(actions).toEqual([{ id: 'queued-7', action: 'cancel' }]);
  },
);

it('tries all failures again, also those that can only start again, and says why not the others', async () => {
  const { page } = gallery;
  await gallery.show('uploads/busy', size);
  const requests = await recordCalls(page, 'jobs.actOn');
  await page.getByRole('button', { name: 'All uploads' }).click();
  await item('Try all failed uploads again 1 has a data error: correct its data first').click();
  const startedIds = ['expired', 'failed', 'tiling-error'];
  for (const id of startedIds) await expect.poll(() => statusOf(id)).toBe('uploading');
  expect(await statusOf('data')).toBe('data-error');
  expect(await requests()).toEqual([
    { ids: startedIds, action: 'try-again' },
    { ids: ['expired', 'tiling-error'], action: 'start-again' },
  ]);

  await gallery.show('uploads/long', size);
  await page.getByRole('button', { name: 'All uploads' }).click();
  const retry = item(/^Try all failed uploads again 2\d\d have data errors: correct their data first$/);
  expect(await retry.getAttribute('aria-disabled')).toBe('true');
});
