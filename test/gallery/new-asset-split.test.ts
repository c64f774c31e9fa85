import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Gallery, openGallery, recordCalls } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());

const size = { width: 900, height: 600 };
const button = (name: string) => gallery.page.getByRole('button', { name, exact: true });

it.each([
  ['one asset for each is chosen', 'split-by-folder', 'One asset for each'],
  ['its upload would exceed the hour', 'too-large-asked', 'Split into 30 assets'],
])('inspects the 30 folders of a folder one by one if %s', async (_case, state, name) => {
  await gallery.show(`new-asset/${state}`, size);
  const inspections = await recordCalls(gallery.page, 'source.inspect');
  await button(name).click();
  const paths = Array.from({ length: 30 }, (_, index) => `/srv/uav/Sites/Site ${index + 1}`);
  await expect.poll(inspections).toEqual([expect.objectContaining({ paths })]);
});

it('merges an asset with any of 29 others', async () => {
  const { page } = gallery;
  await gallery.show('new-asset/mixture-already', size);
  await button('Actions for Site 01').click();
  const others = page.getByRole('menuitem', { name: /^Merge with/ });
  expect(await others.count()).toBe(29);
  await page.getByRole('menuitem', { name: 'Merge with Site 30', exact: true }).click();
  await expect.poll(() => page.getByTestId('proposal').count()).toBe(29);
});

it('renames an asset from its row', async () => {
  const { page } = gallery;
  await gallery.show('new-asset/several-kinds', size);
  await button('Actions for Scan Zollverein').click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Tunnel');
  await page.getByTestId('proposal').getByText('Tunnel', { exact: true }).waitFor();
});
