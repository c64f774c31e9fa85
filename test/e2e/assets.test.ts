import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(() => journey.end());

it('finds assets, follows tilings from elsewhere, links them to their uploads and copies code for them', async () => {
  const { control } = journey.service;
  const id = control.seedAsset({
    ...{ name: 'DGM1 2026', type: 'TERRAIN', status: 'IN_PROGRESS', percentComplete: 12 },
    ...{ description: 'Flown in **November**', attribution: '© Survey office', flightLevel: 'FL 120' },
    progressMessage: 'Creating tiles of level 14',
  });
  control.seedAsset({ name: 'Empty', type: 'IMAGERY', status: 'AWAITING_FILES' });
  const window = await journey.launch();
  const { page, app } = window;
  await signIn(journey, window);
  const source = join(journey.folder, 'Town');
  await mkdir(source);
  await writeFile(join(source, 'town.gml'), '<CityModel/>');
  await dropAndUpload(window, source);
  await eventually(() =>
    expect(control.assets().find(({ name }) => name === 'Town')?.status).toBe('COMPLETE'),
  );

  await page.getByRole('button', { name: /^Assets/ }).click();
  const details = (name: string) => page.getByRole('complementary', { name: `Details of ${name}` });
  const open = (name: string) => page.getByRole('button', { name: `Details of ${name}` }).click();
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText());

  await open('DGM1 2026');
  const terrain = details('DGM1 2026');
  await terrain.getByText('All fields from the service').click();
  for (const words of [
    'Tiling · 12 %',
    'Creating tiles of level 14',
    'November',
    '© Survey office',
    'FL 120',
  ])
    await terrain.getByText(words).first().waitFor();
  await terrain.getByText('Not uploaded from this computer.').waitFor();
  await terrain.getByRole('switch', { name: 'Tell me when it ends' }).click();
  await eventually(() =>
    expect(control.requests().some(({ path }) => path === `/v1/assets/${id}`)).toBe(true),
  );
  control.changeAsset({ id, status: 'COMPLETE', percentComplete: 100 });
  await terrain.getByText('Complete', { exact: true }).waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Share…' }).click();
  const share = page.getByRole('dialog', { name: /^Share / });
  await share.getByRole('button', { name: 'CesiumJS', exact: true }).click();
  await share.getByRole('button', { name: 'Copy: CesiumJS' }).click();
  await eventually(async () => expect(await copied()).toContain(`fromIonAssetId(${id})`));
  await share.getByRole('button', { name: 'Close' }).click();

  await open('Empty');
  await details('Empty')
    .getByText(/can’t upload files to it/)
    .waitFor();

  await page.getByRole('button', { name: 'From this computer' }).click();
  const rows = page.getByRole('table', { name: 'Assets', exact: true }).getByRole('row');
  await eventually(async () => expect(await rows.count()).toBe(2));
  await open('Town');
  await details('Town').getByText(source).waitFor();
  await details('Town').getByText('by hand').waitFor();
  await page.keyboard.press('Escape');
  await eventually(async () =>
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Details of Town'),
  );
  await page.keyboard.press('ControlOrMeta+c');
  const town = control.assets().find(({ name }) => name === 'Town');
  await eventually(async () => expect(await copied()).toBe(String(town?.id)));

  await page.getByRole('searchbox', { name: 'Search assets' }).fill('DGM1');
  await page.getByText('No asset matches all filters.').waitFor();
  await page.getByRole('button', { name: /^Uploads/ }).click();
  await page.getByRole('button', { name: /^Assets/ }).click();
  await page.getByRole('button', { name: 'Remove the filter “From this computer”' }).click();
  await page.getByRole('button', { name: 'Details of DGM1 2026' }).waitFor();
}, 120_000);
