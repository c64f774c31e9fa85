/** Takes the README's pictures of the real window, with jobs in several states, light and dark. `npm run pictures`. */
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginJourney, signIn } from '../../test/e2e/support/journey.ts';
import type { TileliftWindow } from '../../test/e2e/support/tilelift-window.ts';
import { watchFolders } from './watched.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
/** Its name can be read in the pictures. */
const surveys = join(tmpdir(), 'surveys');
const mebibyte = 1024 ** 2;
/** Long enough that assets can be seen while they are being tiled. */
const tilingMs = 40_000;

interface PictureSource {
  readonly name: string;
  readonly files: readonly string[];
  readonly bytesEach: number;
}

const sources = {
  ortho: {
    name: 'Orthophoto 20 cm – Kreis Ost',
    files: numbered('kachel', 24, 'tif'),
    bytesEach: 4 * mebibyte,
  },
  terrain: { name: 'DGM Bergbaufolge Nord', files: numbered('dgm', 12, 'asc'), bytesEach: 2 * mebibyte },
  town: { name: 'LoD2 Altstadt', files: numbered('lod2', 36, 'gml'), bytesEach: mebibyte },
  points: { name: 'ALS Block 7', files: numbered('block7', 18, 'laz'), bytesEach: 60 * mebibyte },
} satisfies Record<string, PictureSource>;

await mkdir(surveys);
const journey = await beginJourney({ tilingMs, keepObjects: 'discard', accountName: 'Survey North' });
try {
  const { control } = journey.service;
  const window = await journey.launch({ env: { TILELIFT_SERVICE_NAME: 'Survey North' } });
  await picture(window, 'welcome.png');
  await signIn(journey, window, 'Survey North');

  await upload(window, sources.ortho);
  await state(window, sources.ortho, 'tiling');
  control.setTiling({
    end: 'DATA_ERROR',
    error: 'No coordinate reference system in 3 rasters: dgm_04.asc, dgm_07.asc, dgm_08.asc',
  });
  await upload(window, sources.terrain);
  await state(window, sources.terrain, 'tiling');
  control.setTiling({ end: 'COMPLETE' });
  await state(window, sources.ortho, 'complete');
  await upload(window, sources.town);
  await state(window, sources.terrain, 'data-error');
  control.addFault({
    match: { room: 'storage', times: 10_000 },
    action: { kind: 'throttle', bytesPerSecond: 9 * mebibyte },
  });
  await upload(window, sources.points);
  const row = await state(window, sources.points, 'uploading');
  await row.getByRole('button', { name: sources.points.name, exact: true }).click();
  await row
    .getByText(/[3-9]\d\s%/)
    .first()
    .waitFor({ timeout: 60_000 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await window.page.emulateMedia({ colorScheme });
    await picture(window, colorScheme === 'light' ? 'uploads.png' : 'uploads-dark.png');
  }
} finally {
  await journey.end();
  await rm(surveys, { recursive: true });
}
await mkdir(surveys);
const watched = await beginJourney({ tilingMs: 500, keepObjects: 'discard', accountName: 'Survey North' });
try {
  const window = await watched.launch({ env: { TILELIFT_SERVICE_NAME: 'Survey North' } });
  await signIn(watched, window, 'Survey North');
  const stopWriting = await watchFolders(watched, window, surveys);
  await picture(window, 'watched-folders.png');
  stopWriting();
} finally {
  await watched.end();
  await rm(surveys, { recursive: true });
}

/** Moving things are taken at their end. */
async function picture(window: TileliftWindow, name: string): Promise<void> {
  await window.page.screenshot({ path: join(docs, name), animations: 'disabled' });
}

async function upload(window: TileliftWindow, source: PictureSource): Promise<void> {
  const folder = join(surveys, source.name);
  await mkdir(folder);
  for (const file of source.files) {
    await writeFile(join(folder, file), '');
    await truncate(join(folder, file), source.bytesEach);
  }
  await window.drop(folder);
  const sheet = window.page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Upload' }).waitFor();
  if (source === sources.ortho) await picture(window, 'new-asset.png');
  await sheet.getByRole('button', { name: 'Upload' }).click();
  await sheet.waitFor({ state: 'detached' });
}

async function state(window: TileliftWindow, source: PictureSource, status: string) {
  const row = window.page.locator(`[data-testid=job][data-status=${status}]`, { hasText: source.name });
  await row.waitFor({ timeout: 120_000 });
  return row;
}

function numbered(stem: string, count: number, extension: string): readonly string[] {
  return Array.from(
    { length: count },
    (_, index) => `${stem}_${String(index + 1).padStart(2, '0')}.${extension}`,
  );
}
