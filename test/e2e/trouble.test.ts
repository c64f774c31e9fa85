import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'vitest';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';

let journey: Journey;
let source: string;
beforeEach(async () => {
  journey = await beginJourney({ tilingMs: 300 });
  source = join(journey.folder, 'Town');
  await mkdir(source);
  await writeFile(join(source, 'town.gml'), '<CityModel/>');
});
afterEach(async () => {
  await journey.end();
});

it('DATA_ERROR: says that the data has a problem, in the service’s words, and what to do', async () => {
  journey.service.control.setTiling({ end: 'DATA_ERROR', error: 'No coordinate reference system found' });
  const window = await journey.launch();
  await signIn(journey, window);
  await dropAndUpload(window, source);
  await window.page.getByText('Data error').first().waitFor({ timeout: 60_000 });
  await window.page.getByText('No coordinate reference system found').first().waitFor();
});

it('ERROR: says that tiling failed', async () => {
  journey.service.control.setTiling({ end: 'ERROR' });
  const window = await journey.launch();
  await signIn(journey, window);
  await dropAndUpload(window, source);
  await window.page
    .getByText(/Tiling failed/)
    .first()
    .waitFor({ timeout: 60_000 });
});

it('an empty folder: says so in the sheet, and nothing is created', async () => {
  const empty = join(journey.folder, 'Empty');
  await mkdir(empty);
  const window = await journey.launch();
  await signIn(journey, window);
  await window.drop(empty);
  await window.page
    .getByRole('dialog')
    .getByText(/contains no files to upload/)
    .waitFor();
});
