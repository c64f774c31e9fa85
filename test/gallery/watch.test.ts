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

it('shows a folded rule form with at most 18 controls, and no placeholder or title twice', async () => {
  await gallery.show('watch/rule-new-found', { width: 1440, height: 900 });
  const form = gallery.page.getByRole('dialog');
  const controls = form.locator('button, input, textarea, select').filter({ visible: true });
  expect(await controls.count()).toBeLessThanOrEqual(18);
  await form.getByText('landings · assets are named automatically').waitFor();
  const fields = form.getByRole('group', { name: 'Rule', exact: true });
  const overflow = await fields.evaluate((element) => element.scrollHeight - element.clientHeight);
  expect(overflow).toBe(0);
  for (const title of ['Start when', 'Name']) {
    await form.getByRole('button', { name: title }).click();
    await expect(form.getByText(title, { exact: true }).count()).resolves.toBe(1);
  }
});

it('shows that rules open by a chevron, and menus by one instead of an ellipsis', async () => {
  const { page } = gallery;
  const chevrons = { row: 'svg.lucide-chevron-right', menu: 'svg.lucide-chevron-down' };
  await gallery.show('watch/folders', { width: 900, height: 600 });
  const rule = page.getByTestId('watched-folder').filter({ hasText: 'Drone landings' });
  await rule.locator(chevrons.row).waitFor();
  const turn = () => rule.locator(chevrons.row).evaluate((chevron) => getComputedStyle(chevron).rotate);
  await expect(turn()).resolves.toBe('none');
  await rule.getByRole('button', { name: 'Drone landings', exact: true }).click();
  await expect.poll(turn).toBe('90deg');
  for (const name of ['Rules', 'Receipts'])
    await page.getByRole('button', { name, exact: true }).locator(chevrons.menu).waitFor();
});
