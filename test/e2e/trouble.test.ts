import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lasFile } from '../unit/inspect/formats/sample-heads.ts';
import { countClicks } from './support/count-clicks.ts';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(async () => {
  await journey.end();
});

it('3 · leads from DATA_ERROR without a coordinate system to a correct second upload in two clicks and one entry', async () => {
  const points = join(journey.folder, 'Points');
  await mkdir(points);
  await writeFile(join(points, 'points.las'), lasFile());
  const { control } = journey.service;
  control.setTiling({ end: 'DATA_ERROR', error: 'No coordinate reference system found' });
  const window = await journey.launch();
  await signIn(journey, window);
  await dropAndUpload(window, points);
  const { page } = window;
  await page.getByText('Data error').first().waitFor({ timeout: 60_000 });
  await page.getByText('No coordinate reference system found').first().waitFor();
  control.setTiling({ end: 'COMPLETE' });

  const clicks = await countClicks(page);
  await page.getByRole('button', { name: 'Correct…: Points' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('No coordinate reference system found').waitFor();
  await sheet.getByText(/can’t be reused/).waitFor();
  const system = sheet.getByRole('combobox', { name: /Coordinate system/ });
  await eventually(async () => expect(await system.evaluate((input) => input.matches(':focus'))).toBe(true));
  await page.keyboard.type('EPSG:25832');
  await sheet.getByRole('button', { name: 'Upload' }).click();

  await page.getByText('Complete').first().waitFor({ timeout: 60_000 });
  expect(await clicks()).toBe(2);
  const [first, second] = control.assets().map(({ id }) => control.optionsOf(Number(id)));
  expect(first).not.toHaveProperty('inputCrs');
  expect(second).toMatchObject({ ...first, inputCrs: 'EPSG:25832' });
  await page.getByText('1 earlier attempt').first().waitFor();
  expect(await page.getByTestId('job').count()).toBe(1);
});
