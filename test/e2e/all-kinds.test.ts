import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Locator } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { jpeg } from '../deliveries/data.ts';
import { files as corpus } from '../unit/inspect/corpus/corpus.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../unit/inspect/formats/sample-heads.ts';
import { eventually } from './support/eventually.ts';
import { beginJourney, type Journey, type SourceContent, signIn, writeSource } from './support/journey.ts';
import { confined, confinementOf } from './support/other-pages.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

/** Steps of a user's first hour, numbered as in that issue. */

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

const complete = ({ page }: TileliftWindow, count: number) =>
  eventually(
    async () => expect(await page.locator('[data-testid=job][data-status=complete]').count()).toBe(count),
    90_000,
  );
/** Stored keys by the source type of their asset. */
async function storedByKind(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { control } = journey.service;
  const byKind: Record<string, string[]> = {};
  for (const { key } of await control.objects()) {
    const [, id, name = ''] = /^sources\/(\d+)\/(.*)$/.exec(key) ?? [];
    const kind = String(control.optionsOf(Number(id))?.sourceType);
    byKind[kind] = [...(byKind[kind] ?? []), name].sort();
  }
  return byKind;
}

/** An archive of one stored file (PKWARE APPNOTE 4.3). */
function archive(name: string, content: string): Buffer {
  const [bytes, file] = [Buffer.from(content), Buffer.from(name)];
  const [local, central, end] = [Buffer.alloc(30), Buffer.alloc(46), Buffer.alloc(22)];
  local.writeUInt32LE(0x04034b50, 0);
  central.writeUInt32LE(0x02014b50, 0);
  for (const [head, at] of [
    [local, 18],
    [central, 20],
  ] as const) {
    head.writeUInt32LE(bytes.length, at);
    head.writeUInt32LE(bytes.length, at + 4);
    head.writeUInt16LE(file.length, at + 8);
  }
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + file.length, 12);
  end.writeUInt32LE(local.length + file.length + bytes.length, 16);
  return Buffer.concat([local, file, bytes, central, file, end]);
}

const geoTiff = tiffFile({ bands: 3, geoKeys: projectedKeys(25832) });
const model = {
  'k.obj': 'mtllib k.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
  'k.mtl': 'newmtl wand\nmap_Kd tex/wand.tif\nnewmtl dach\nmap_Kd tex/dach.jpg\n',
  'tex/wand.tif': tiffFile({ bands: 3 }),
  'tex/dach.jpg': jpeg(),
};
const within = (folder: string, content: Readonly<Record<string, string | Uint8Array>>) =>
  Object.fromEntries(Object.entries(content).map(([name, bytes]) => [`${folder}/${name}`, bytes]));

it('1 · creates an asset for each kind of a mixture, keeps textures with their model and includes a file by hand', async () => {
  const source = await files('Essen', {
    'Luftbild/1.tif': geoTiff,
    'Luftbild/2.tif': geoTiff,
    'Scan/a.las': lasFile({ geoKeys: projectedKeys(25832) }),
    'Scan/b.laz': lasFile({ compressed: true, geoKeys: projectedKeys(25832) }),
    'Stadt/town.gml': cityModel(),
    'Stadt/LoD2.zip': archive('LoD2.gml', cityModel()),
    'Karte/doc.kmz': archive('doc.kml', '<kml/>'),
    ...within('Kirche', model),
    'Netz/roads.shp': 'x',
    'Netz/roads.shx': 'x',
    'Netz/roads.dbf': 'x',
    'Bericht.docx': 'a report',
    'Protokoll.pdf': 'another one',
  });
  const window = await signedIn();
  await window.drop(source);
  const sheet = window.page.getByRole('dialog');
  await sheet.getByText('5 assets', { exact: true }).waitFor();
  const out = sheet.getByTestId('left-out');
  await out.getByText('Left out: 5 files').waitFor();
  await out.getByRole('button', { name: 'Show list' }).click();
  await out.getByRole('button', { name: 'Include Bericht.docx', exact: true }).click();
  await window.page.getByRole('menuitem', { name: 'Include in Essen · Kirche' }).click();
  await out.getByText('Bericht.docx: included in Essen · Kirche').waitFor();
  await out.getByText('Left out: 4 files').waitFor();
  await sheet.getByRole('button', { name: 'Upload 5 assets' }).click();
  await complete(window, 5);
  expect(await storedByKind()).toEqual({
    RASTER_IMAGERY: ['1.tif', '2.tif'],
    POINT_CLOUD: ['a.las', 'b.laz'],
    CITYGML: ['LoD2.zip', 'town.gml'],
    KML: ['doc.kmz'],
    '3D_MODEL': [
      'Bericht.docx',
      ...['Kirche/k.mtl', 'Kirche/k.obj', 'Kirche/tex/dach.jpg', 'Kirche/tex/wand.tif'],
    ],
  });
  expect(window.complaints).toEqual([]);
});

it('shows what the data looks like in sheet, rows and assets, also after the source is gone', async () => {
  const corpusFile = (name: string) => corpus.get(name) ?? Buffer.alloc(0);
  const sources = await Promise.all([
    files('Tiles', { 'tiles.tif': corpusFile('layout_jpeg_ycbcr.tif') }),
    files('Bands', { 'bands.tif': corpusFile('layout_byte_3.tif') }),
    files('Scan', { 'scan.las': corpusFile('v14_format_7.las') }),
    files('Broken', { 'broken.tif': corpusFile('layout_jpeg_ycbcr.tif').subarray(0, 500) }),
  ]);
  const window = await signedIn();
  const { page } = window;
  /** Names of the pictures that Chromium could decode. */
  const shown = (within: Locator) =>
    within
      .locator('img')
      .evaluateAll((pictures) =>
        pictures.flatMap((picture) =>
          'naturalWidth' in picture && Number(picture.naturalWidth) > 0 ? [picture.getAttribute('alt')] : [],
        ),
      );
  for (const [index, source] of sources.entries()) {
    await window.drop(source);
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Upload' }).waitFor();
    const name = basename(source);
    if (name !== 'Broken')
      await eventually(async () => expect(await shown(sheet)).toEqual([`Preview of ${name}`]));
    await sheet.getByRole('button', { name: 'Upload' }).click();
    await complete(window, index + 1);
    await rm(source, { recursive: true });
  }
  const all = ['Preview of Bands', 'Preview of Scan', 'Preview of Tiles'];
  const uploads = page.getByRole('treegrid');
  await eventually(async () => expect((await shown(uploads)).toSorted()).toEqual(all));
  await page.reload();
  await eventually(async () => expect((await shown(uploads)).toSorted()).toEqual(all));
  await page.getByRole('button', { name: /^Assets/ }).click();
  await eventually(async () => expect((await shown(page.getByRole('table'))).toSorted()).toEqual(all));
  expect(window.complaints).toEqual([]);
});

it('S162: decodes pictures in a process without network, Node.js and other data', async () => {
  const tiles = corpus.get('layout_jpeg_ycbcr.tif') ?? Buffer.alloc(0);
  const window = await signedIn();
  await window.drop(await files('Tiles', { 'tiles.tif': tiles }));
  await window.page.getByRole('dialog').getByRole('img', { name: 'Preview of Tiles' }).waitFor();
  const outside = `${journey.service.storageUrl}/outside`;
  expect(await confinementOf(window.app, 'app://pictures', [outside])).toEqual({
    ...confined,
    policy: "default-src 'none'; connect-src 'self'",
  });
  const paths = journey.service.control.requests().map(({ path }) => path);
  expect(paths).not.toContainEqual(expect.stringContaining('/outside'));
});

it('13 · offers options as fields, saves them as a preset and imports it from a file', async () => {
  const [first, second] = [await files('Kirche', model), await files('Kapelle', model)];
  const shared = join(journey.folder, 'presets.json');
  const window = await signedIn();
  const { page } = window;
  await window.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
  }, shared);
  await window.drop(first);
  const sheet = page.getByRole('dialog', { name: 'New asset' });
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  await sheet.getByRole('button', { name: 'More options' }).click();
  await sheet.getByLabel(/^Textures/).click();
  await page.getByRole('option', { name: 'WebP, smaller' }).click();
  await sheet.getByLabel('Use instancing for repeated geometry').click();
  for (const [name, value] of [
    ['Longitude', '7.01'],
    ['Latitude', '51.45'],
    ['Height', '30'],
  ] as const)
    await sheet.getByLabel(name, { exact: true }).fill(value);
  await press('Presets');
  await press('Save as preset…');
  await page.keyboard.type('Churches');
  await page.keyboard.press('Enter');
  await press('Export…');
  await eventually(async () => expect(await readFile(shared, 'utf8')).toContain('Churches'));
  await press('Delete Churches');
  await press('Delete');
  await page.getByText('No presets for this kind of data yet').waitFor();
  await page.keyboard.press('Escape');
  await sheet.getByRole('button', { name: 'Upload' }).click();
  await complete(window, 1);

  await window.drop(second);
  await press(/^Presets?/);
  await press('Import…');
  await page.getByRole('button', { name: /^Churches/ }).waitFor();
  await press('Service defaults');
  await page.getByRole('button', { name: /^Churches/ }).click();
  await page.keyboard.press('Escape');
  await sheet.getByRole('button', { name: 'Upload' }).click();
  await complete(window, 2);
  const { control } = journey.service;
  const [one, other] = control.assets().map(({ id }) => control.optionsOf(Number(id)));
  const chosen = { sourceType: '3D_MODEL', textureFormat: 'WEBP' };
  expect(one).toMatchObject({ ...chosen, position: [7.01, 51.45, 30] });
  expect(other).toMatchObject(chosen);
  expect(other).not.toHaveProperty('position');
});
