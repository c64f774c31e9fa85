import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tiff } from '../deliveries/data.ts';
import { beginJourney, type Journey, type SourceContent, signIn, writeSource } from './support/journey.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

const files = (folder: string, content: SourceContent) => writeSource(journey, folder, content);

async function signedIn(): Promise<TileliftWindow> {
  const window = await journey.launch();
  await signIn(journey, window);
  return window;
}

const sheetOf = ({ page }: TileliftWindow) => page.getByRole('dialog');
const complete = ({ page }: TileliftWindow, count: number) =>
  page
    .getByText('Complete', { exact: true })
    .nth(count - 1)
    .waitFor({ timeout: 60_000 });
/** Stored keys without the asset's prefix. */
const storedNames = async () =>
  (await journey.service.control.objects()).map(({ key }) => key.replace(/^sources\/\d+\//, '')).sort();

it('2 · includes the files that belong to a single dropped file, and says so', async () => {
  const folder = await files('Flight', {
    'ortho.tif': tiff(),
    'ortho.tfw': '0.2\n0\n0\n-0.2\n389000\n5820000\n',
    'ortho.tif.aux.xml': '<PAMDataset/>',
    'other.tif': tiff('other'),
  });
  const window = await signedIn();
  await window.drop(join(folder, 'ortho.tif'));
  const sheet = sheetOf(window);
  await sheet.getByText('2 more files from the same folder included').waitFor();
  await sheet.getByText('ortho.tif.aux.xml').waitFor();
  await sheet.getByRole('button', { name: /^Upload/ }).click();
  await complete(window, 1);
  expect(await storedNames()).toEqual(['ortho.tfw', 'ortho.tif', 'ortho.tif.aux.xml']);
});

it('9 · adds further drops to an open sheet, keeps typed text, and asks before Escape discards it', async () => {
  const [first, second] = [
    await files('First', { 'a.tif': tiff('a'), 'report.docx': 'a report' }),
    await files('Second', { 'b.tif': tiff('bb') }),
  ];
  const window = await signedIn();
  await window.drop(first);
  const sheet = sheetOf(window);
  await sheet.getByLabel('Description').fill('Flown in spring');
  const out = sheet.getByTestId('left-out');
  await out.getByText('Left out: 1 file').waitFor();
  await out
    .getByRole('button', { name: /^Include/ })
    .first()
    .click();
  await out.getByText('Left out: 1 file').waitFor({ state: 'detached' });
  await window.drop(second);
  await sheet
    .getByText(/3 files|2 assets/)
    .first()
    .waitFor();
  expect(await out.getByText('Left out: 1 file').count()).toBe(0);
  expect(await sheet.getByLabel('Description').inputValue()).toBe('Flown in spring');
  await window.page.keyboard.press('Escape');
  await window.page.getByRole('alertdialog').getByText('Discard what you entered?').waitFor();
  await window.page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await window.page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(journey.service.control.assets()).toEqual([]);
});

it('9 · keeps assets separate that were separated by hand when more files are dropped', async () => {
  const [first, second, third] = [
    await files('First', { 'a.tif': tiff('a'), 'b.tif': tiff('b'), 'model.obj': 'v 0 0 0' }),
    await files('Second', { 'c.tif': tiff('cc') }),
    await files('Third', { 'tower.obj': 'v 1 1 1' }),
  ];
  const window = await signedIn();
  await window.drop(first);
  const sheet = sheetOf(window);
  const rows = sheet.getByTestId('proposal');
  await rows
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await window.page.getByRole('menuitem', { name: 'Separate into 2 assets' }).click();
  await rows.nth(2).waitFor();
  const names = () => rows.locator('p.font-semibold').allTextContents();
  expect((await names()).slice(0, 2)).toEqual(['a', 'b']);
  await window.drop(second);
  await rows.nth(3).waitFor();
  await window.drop(third);
  await rows.nth(4).waitFor();
  expect((await names()).slice(0, 2)).toEqual(['a', 'b']);
  await sheet.getByRole('button', { name: 'Upload 5 assets' }).click();
  await complete(window, 5);
  const assetNames = journey.service.control.assets().map(({ name }) => String(name));
  expect(assetNames).toHaveLength(5);
  expect(assetNames).toEqual(expect.arrayContaining(['a', 'b']));
});

it('14 · suggests an accepted format for a shapefile', async () => {
  const source = await files('Roads', { 'roads.shp': 'x', 'roads.dbf': 'x', 'roads.shx': 'x' });
  const window = await signedIn();
  await window.drop(source);
  const sheet = sheetOf(window);
  await sheet
    .getByRole('button', { name: /convert/i })
    .first()
    .click();
  await sheet
    .getByText(/ogr2ogr/)
    .first()
    .waitFor();
});

it('11 · copies viewer code with the asset’s own ID', async () => {
  const source = await files('Town', { 'town.gml': '<CityModel/>' });
  const window = await signedIn();
  const { page } = window;
  await window.drop(source);
  await sheetOf(window).getByRole('button', { name: 'Upload' }).click();
  await complete(window, 1);
  const [asset] = journey.service.control.assets();
  await page.getByRole('button', { name: 'More actions: Town' }).click();
  await page.getByRole('menuitem', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Town' });
  await dialog.getByRole('button', { name: 'CesiumJS', exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy: CesiumJS' }).click();
  await dialog.getByText('Copied').waitFor();
  const code = await window.app.evaluate(({ clipboard }) => clipboard.readText());
  expect(code).toContain(`fromIonAssetId(${asset?.id})`);
});

it('12 · reopens an earlier source from the menu and names the asset that it became', async () => {
  const source = await files('Town', { 'town.gml': '<CityModel/>' });
  const window = await signedIn();
  await window.drop(source);
  await sheetOf(window).getByRole('button', { name: 'Upload' }).click();
  await complete(window, 1);
  await window.page.getByRole('button', { name: 'New asset…' }).click();
  await window.page.getByRole('menuitem', { name: 'Town' }).click();
  const [asset] = journey.service.control.assets();
  await sheetOf(window).getByText(`The same data became asset ${asset?.id}`).waitFor();
});
