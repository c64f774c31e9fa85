import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Calls } from '../../preload/contract.ts';
import { type Gallery, openGallery, recordCalls } from './gallery.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());

describe('map of the New asset sheet', () => {
  beforeEach(() => gallery.show('new-asset/many-findings', { width: 1440, height: 900 }));
  const map = () => gallery.page.getByRole('group', { name: /^Map of file locations/ });
  const mapSelection = () => gallery.page.getByTestId('map-chosen');
  const file = (name: string) => gallery.page.getByRole('button', { name, exact: true });

  it('highlights the outline and findings of the file that is chosen in a note', async () => {
    await file('dgm_0188.tif').first().click();
    await mapSelection().getByText('kacheln/dgm_0188.tif').waitFor();
    await mapSelection().getByText('1 file is truncated').waitFor();
    await mapSelection().getByText('Vertical datum not specified').waitFor();
    await expect(gallery.page.getByTestId('map-mark').count()).resolves.toBeGreaterThan(0);
    await file('dgm_0188.tif').first().click();
    await expect(mapSelection().count()).resolves.toBe(0);
  });

  it('opens the note of a file whose outline is clicked, with its row', async () => {
    await file('dgm_0058.tif').first().click();
    const box = await gallery.page.getByTestId('map-mark').boundingBox();
    await file('Deselect').click();
    await expect(mapSelection().count()).resolves.toBe(0);
    await gallery.page.mouse.click((box?.x ?? 0) + 8, (box?.y ?? 0) + 8);
    await mapSelection().getByText('kacheln/dgm_0058.tif').waitFor();
    await mapSelection().getByText('1 file may have a zone prefix in its eastings').waitFor();
    await expect(file('dgm_0058.tif').first().getAttribute('aria-pressed')).resolves.toBe('true');
  });

  it('draws thousands of outlines with a few elements', async () => {
    await gallery.show('new-asset/many-on-the-map', { width: 1440, height: 900 });
    await gallery.page.getByTestId('map-scale').waitFor();
    await expect(gallery.page.locator('figure path').count()).resolves.toBeLessThan(20);
  });

  it('moves and zooms by keys, wheel and pointer, and shows all files again', async () => {
    await gallery.show('new-asset/on-the-map', { width: 1440, height: 900 });
    const scale = () => gallery.page.getByTestId('map-scale').textContent();
    const all = await scale();
    await map().focus();
    await gallery.page.keyboard.press('-');
    await expect.poll(scale).not.toBe(all);
    const farther = await scale();
    await gallery.page.keyboard.press('ArrowLeft');
    await gallery.page.keyboard.press('0');
    await expect.poll(scale).toBe(all);
    await file('Zoom out').click();
    await expect.poll(scale).toBe(farther);
    await file('Show all files').click();
    await map().hover();
    await gallery.page.mouse.wheel(0, 300);
    await expect.poll(scale).not.toBe(all);
    await map().focus();
    await gallery.page.keyboard.press('0');
    const { x = 0, y = 0 } = (await map().boundingBox()) ?? {};
    const drawing = () =>
      gallery.page
        .locator('figure svg path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')).join());
    const before = await drawing();
    await gallery.page.mouse.move(x + 190, y + 200);
    await gallery.page.mouse.down();
    await gallery.page.mouse.move(x + 90, y + 120, { steps: 3 });
    await gallery.page.mouse.up();
    await expect.poll(drawing).not.toBe(before);
    await expect(mapSelection().count()).resolves.toBe(0);
  });

  it('moves between files by Page keys, opens notes by Enter, and deselects on Escape only', async () => {
    await map().focus();
    await gallery.page.keyboard.press('PageDown');
    await gallery.page.keyboard.press('PageDown');
    await mapSelection().getByText('kacheln/dgm_0002.tif').waitFor();
    await gallery.page.keyboard.press('PageUp');
    await mapSelection().getByText('kacheln/dgm_0001.tif').waitFor();
    await gallery.page.keyboard.press('End');
    await mapSelection().getByText('kacheln/dgm_0288.tif').waitFor();
    await gallery.page.keyboard.press('Enter');
    await expect
      .poll(() => gallery.page.evaluate('document.activeElement.dataset.file'))
      .toBe('kacheln/dgm_0288.tif');
    await map().focus();
    await gallery.page.keyboard.press('Escape');
    await expect.poll(() => mapSelection().count()).toBe(0);
    await expect(map().count()).resolves.toBe(1);
  });

  it('hides a note and restores it', async () => {
    const note = gallery.page.getByRole('note').filter({ hasText: 'is truncated' });
    await note.getByRole('button', { name: /^More/ }).click();
    await gallery.page.getByRole('menuitem', { name: 'Dismiss' }).click();
    await expect(note.count()).resolves.toBe(0);
    await file('Show 1 hidden note').click();
    await expect(note.count()).resolves.toBe(1);
  });
});

it('opens the settings of an unpositioned model at its position, which fixes it', async () => {
  await gallery.show('new-asset/several-kinds', { width: 1440, height: 900 });
  const row = gallery.page.getByTestId('proposal').filter({ hasText: 'Kirche St. Marien' });
  await row.getByText('no position yet').waitFor();
  await row.getByRole('button', { name: 'Set a position… Kirche St. Marien', exact: true }).click();
  const [longitude, latitude, height] = ['Longitude', 'Latitude', 'Height'].map((name) =>
    row.getByLabel(name, { exact: true }),
  );
  const focused = () => gallery.page.evaluate('document.activeElement.getAttribute("aria-label")');
  await expect.poll(focused).toBe('Longitude');
  for (const [field, value] of [
    [longitude, '7.01'],
    [latitude, '51.45'],
    [height, '30'],
  ] as const)
    await field?.fill(value);
  await expect.poll(() => row.getByText('no position yet').count()).toBe(0);
});

it('finds, includes and excludes a single skipped file by keyboard', async () => {
  const { page } = gallery;
  await gallery.show('new-asset/several-kinds', { width: 1440, height: 900 });
  const out = page.getByTestId('left-out');
  const { keyboard } = page;
  const label = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  await out.getByRole('button', { name: 'Show list' }).focus();
  await keyboard.press('Enter');
  const files = out.getByRole('list', { name: 'Files that are left out' }).first();
  await expect.poll(() => files.getByRole('listitem').count()).toBe(100);
  await out.getByText('100 of 1,251 files').waitFor();
  await out.getByRole('searchbox').focus();
  await keyboard.type('anlage_12');
  await expect.poll(() => files.getByRole('listitem').count()).toBe(63);
  await keyboard.press('Tab');
  await keyboard.press('ArrowDown');
  await expect.poll(label).toBe('Include Anlage_120.pdf');
  await keyboard.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await out.getByText('Anlage_120.pdf: included in Scan Zollverein').waitFor();
  await expect.poll(label).toBe('Include Anlage_121.pdf');
  await expect.poll(() => files.getByRole('listitem').count()).toBe(62);
  await expect(
    page.getByTestId('proposal').filter({ hasText: 'Scan Zollverein' }).innerText(),
  ).resolves.toContain('.pdf');
  await out.getByRole('button', { name: 'Undo including Anlage_120.pdf' }).focus();
  await keyboard.press('Enter');
  await expect.poll(() => files.getByRole('listitem').count()).toBe(63);
  await expect(out.getByTestId('taken-in').count()).resolves.toBe(0);
});

describe('remedies for findings', () => {
  const size = { width: 1440, height: 900 };
  const note = (text: string) => gallery.page.getByRole('note').filter({ hasText: text });
  const press = (name: string) => gallery.page.getByRole('button', { name, exact: true }).click();
  const focused = () => gallery.page.evaluate('document.activeElement.innerText');
  /** The changes in the request of the next *Upload*. */
  async function uploaded(button: string): Promise<readonly unknown[]> {
    const requests = await recordCalls(gallery.page, 'jobs.create');
    await press(button);
    await expect.poll(requests).not.toEqual([]);
    return (await requests()).map((input) => (input as Calls['jobs.create']['input']).changes ?? null);
  }

  it('sends remedies with the upload, counts them in its button and shows them as decided', async () => {
    await gallery.show('new-asset/many-findings', size);
    await press('Use EPSG:25832');
    await note('EPSG:25832 assigned').waitFor();
    await expect.poll(focused).toBe('Undo');
    await press('Leave out 1 file');
    await press('Leave out 4 files');
    await expect(note('Left out').count()).resolves.toBe(2);
    expect(await uploaded('Upload 283 files')).toEqual([
      {
        leftOut: [
          { keys: ['kacheln/dgm_0188.tif'] },
          { keys: [285, 286, 287, 288].map((number) => `kacheln/dgm_0${number}.tif`) },
        ],
        assigned: [
          { epsg: 25_832, files: { keys: [282, 283, 284].map((number) => `kacheln/dgm_0${number}.tif`) } },
        ],
      },
    ]);
  });

  it('undoes remedies: everything is uploaded as is', async () => {
    await gallery.show('new-asset/files-left-out', size);
    await note('1 file is truncated').getByRole('button', { name: 'Undo' }).click();
    await gallery.page.getByRole('button', { name: 'Upload 284 files' }).waitFor();
    await note('Left out').getByRole('button', { name: 'Undo' }).click();
    expect(await uploaded('Upload')).toEqual([null]);
  });

  it('ask for a coordinate system, likely ones first and any by its code', async () => {
    await gallery.show('new-asset/many-findings', size);
    await press('Assign EPSG…');
    const field = gallery.page.getByRole('combobox', { name: 'Coordinate system' });
    await expect
      .poll(() => field.evaluate((input) => input.ownerDocument.activeElement === input))
      .toBe(true);
    await field.click();
    await gallery.page.getByRole('option', { name: 'ETRS89 / UTM zone 32N' }).waitFor();
    await field.fill('99999');
    await gallery.page.keyboard.press('Enter');
    await gallery.page.getByRole('alert').filter({ hasText: 'EPSG dataset' }).waitFor();
    await field.fill('31467');
    await gallery.page.keyboard.press('Escape');
    await gallery.page.keyboard.press('Enter');
    await note('EPSG:31467 assigned').waitFor();
  });

  it('change the kind of data and split mixtures', async () => {
    await gallery.show('new-asset/wrong-kind', size);
    await press('Switch to Imagery');
    await gallery.page.getByText('Imagery', { exact: true }).waitFor();
    await expect(gallery.page.getByRole('note').count()).resolves.toBe(0);
    await gallery.show('new-asset/several-as-one', size);
    await press('Create separate assets');
    await gallery.page.getByRole('button', { name: 'Upload 4 assets' }).waitFor();
  });

  it('never block the upload', async () => {
    await gallery.show('new-asset/system-not-known', size);
    const button = gallery.page.locator('button[type=submit]');
    await expect(button.isEnabled()).resolves.toBe(true);
    await expect(button.getAttribute('aria-disabled')).resolves.toBe('false');
    expect(await uploaded('Upload')).toEqual([null]);
  });
});

it('shows a file among thousands on the map if its location is known', async () => {
  await gallery.show('new-asset/ring-chosen-in-a-country', { width: 1440, height: 900 });
  const { page } = gallery;
  await page.getByTestId('map-chosen').getByText('kacheln/dgm_0001.tif').waitFor();
  await expect(page.getByTestId('map-mark').count()).resolves.toBe(1);
  await expect(page.getByRole('button', { name: 'dgm_11201.tif' }).count()).resolves.toBe(0);
});

it('shows its map above the notes if the form leaves no room', async () => {
  await gallery.show('new-asset/ring-chosen', { width: 720, height: 450 });
  await gallery.page.getByTestId('map-chosen').getByText('kacheln/dgm_0188.tif').waitFor();
});

it('scrolls the form by a wheel over its map, and zooms the map after a click into it', async () => {
  await gallery.show('new-asset/on-the-map', { width: 760, height: 600 });
  const { page } = gallery;
  const map = page.getByRole('group', { name: /^Map of file locations/ });
  const scale = () => page.getByTestId('map-scale').textContent();
  const top = async () => (await map.boundingBox())?.y ?? 0;
  await map.scrollIntoViewIfNeeded();
  const [initialScale, initialTop] = [await scale(), await top()];
  await map.hover({ position: { x: 20, y: 100 } });
  await page.mouse.wheel(0, -80);
  await expect.poll(top).toBeGreaterThan(initialTop);
  await expect(scale()).resolves.toBe(initialScale);
  await map.click({ position: { x: 20, y: 100 } });
  await page.mouse.wheel(0, 300);
  await expect.poll(scale).not.toBe(initialScale);
});

describe('formats that the guide doesn’t list', () => {
  it('offer a copyable command with the file’s name, by keyboard alone', async () => {
    await gallery.show('new-asset/one-finding', { width: 900, height: 600 });
    await expect(gallery.page.getByRole('button', { name: 'How to convert' }).count()).resolves.toBe(0);
    await gallery.show('new-asset/how-to-convert', { width: 900, height: 600 });
    const [e57] = await gallery.page.locator('[data-how-to=e57] code').allTextContents();
    expect(e57).toBe("pdal translate 'Halle 3.e57' 'Halle 3.laz' --writers.las.a_srs=EPSG:CODE");
    const copy = gallery.page.getByRole('button', { name: 'Copy command', exact: true });
    await copy.first().focus();
    await gallery.page.keyboard.press('Enter');
    await gallery.page.getByText('Command copied.').waitFor();
  });
});

describe('named presets', () => {
  const size = { width: 900, height: 600 };
  const button = (name: string | RegExp) => gallery.page.getByRole('button', { name });

  it('saves, chooses, renames, defaults and deletes presets by keyboard', async () => {
    const { page } = gallery;
    const press = async (name: string | RegExp) => {
      await button(name).focus();
      await page.keyboard.press('Enter');
    };
    await gallery.show('new-asset/recognised', size);
    await press('Presets');
    await press('Save as preset…');
    await page.keyboard.type('Town');
    await page.keyboard.press('Enter');
    await page.getByText('Preset Town saved.').waitFor();
    await press('Rename Town');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Old town');
    await page.keyboard.press('Enter');
    await press('Make Old town the default for CityGML');
    await button(/^Old town Default/).waitFor();
    await page.keyboard.press('Escape');
    await button('Preset: Old town').waitFor();
    await page.getByRole('switch', { name: 'Clamp to terrain' }).click();
    await press('Presets');
    await press(/^Old town Default/);
    await expect
      .poll(() => page.getByRole('switch', { name: 'Clamp to terrain' }).getAttribute('aria-checked'))
      .toBe('false');
    await press('Delete Old town');
    await page.keyboard.press('Shift+Tab');
    await press('Delete');
    await page.getByText('No presets for this kind of data yet').waitFor();
  });

  it('with faults aren’t imported: line and field are named', async () => {
    await gallery.show('new-asset/presets-faulty', size);
    await gallery.page.getByText('Line 4, column 7: presets[0].assetType is missing').waitFor();
  });
});

describe('position of a model', () => {
  it('sets a model’s position on the map by arrow keys and shows it in the fields', async () => {
    await gallery.show('new-asset/position-on-the-map', { width: 900, height: 600 });
    const { page } = gallery;
    await page.getByRole('group', { name: /^Map of the world/ }).focus();
    const longitude = () => page.getByRole('textbox', { name: 'Longitude' }).inputValue();
    await page.keyboard.press('ArrowRight');
    await expect.poll(longitude).not.toBe('');
    const previousLongitude = Number(await longitude());
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => Number(await longitude())).toBeGreaterThan(previousLongitude);
    await expect(page.getByRole('textbox', { name: 'Height' }).inputValue()).resolves.toBe('0');
    await page.getByTestId('picked').waitFor();
  });
});

describe('rows of several assets', () => {
  const size = { width: 900, height: 600 };
  const button = (name: string | RegExp) => gallery.page.getByRole('button', { name });
  const row = (name: string) => gallery.page.getByTestId('proposal').filter({ hasText: name });
  const focused = () => gallery.page.evaluate('document.activeElement.innerText');

  it('open their notes by keyboard, where a decision fixes the asset', async () => {
    await gallery.show('new-asset/mixture', size);
    const { keyboard } = gallery.page;
    await button('Upload 5 assets (1 likely to fail)').waitFor();
    await expect(gallery.page.getByRole('note').count()).resolves.toBe(0);
    await row('Ortho').getByText('1 of 3 files has EPSG:25832').waitFor();
    await row('Ortho').getByRole('img', { name: 'Preview of Delivery 2026-11 · Ortho' }).waitFor();
    await button('2 likely to fail: notes on Delivery 2026-11 · Ortho').focus();
    await keyboard.press('Enter');
    await row('Ortho').getByRole('note').filter({ hasText: 'no coordinate system' }).waitFor();
    await button('Use EPSG:25832').focus();
    await keyboard.press('Enter');
    await expect.poll(focused).toBe('Undo');
    await row('Ortho').getByRole('note', { name: 'May not look as expected 1' }).waitFor();
    await button(/^Upload 5 assets$/).waitFor();
  });

  it('uploads the rows without those that are likely to fail', async () => {
    await gallery.show('new-asset/mixture', size);
    await button('Upload the 4 that are fine').click();
    await expect.poll(() => gallery.page.getByTestId('proposal').count()).toBe(0);
  });

  it('omit existing assets', async () => {
    await gallery.show('new-asset/mixture-already', size);
    await button('Leave out 28 that are already assets').click();
    await expect.poll(() => gallery.page.getByTestId('proposal').count()).toBe(2);
    await expect
      .poll(() => gallery.page.evaluate('document.activeElement.ariaLabel'))
      .toBe('Leave out Site 29');
    await button('Upload 2 assets').waitFor();
  });
});
