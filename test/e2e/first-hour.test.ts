import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openSlowLine, type SlowLine } from '../slow-line.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../unit/inspect/formats/sample-heads.ts';
import { eventually } from './support/eventually.ts';
import {
  beginJourney,
  dropAndUpload,
  type Journey,
  type SourceContent,
  signIn,
  writeSource,
} from './support/journey.ts';
import { answerPicker } from './support/keyboard-journey.ts';
import { writeOldJobs } from './support/old-jobs.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

/** Steps of a user's first hour, numbered as in that issue, in one launch. */

let journey: Journey;
let window: TileliftWindow;
let line: SlowLine | null = null;
beforeAll(async () => {
  journey = await beginJourney({ storageLine: () => line?.url ?? journey.service.storageUrl });
  // Enough uploads to filter.
  await writeOldJobs(journey.userData, 12);
  window = await journey.launch();
  await signIn(journey, window);
}, 120_000);
beforeEach(async () => {
  journey.service.control.setTiling({ end: 'COMPLETE' });
  await window.page.getByRole('button', { name: /^Uploads/ }).click();
});
afterAll(async () => {
  await journey.end();
  await line?.close();
});

const files = (folder: string, content: SourceContent) => writeSource(journey, folder, content);

const job = (page: Page, name: string) => page.getByTestId('job').filter({ hasText: name });
const isComplete = (page: Page, name: string) =>
  job(page, name).and(page.locator('[data-status=complete]')).waitFor({ timeout: 60_000 });
const assetsNamed = (name: string) => journey.service.control.assets().filter((asset) => asset.name === name);
const townGml = { 'town.gml': cityModel() };

const isCreation = ({ room, method, path }: { room: string; method: string; path: string }) =>
  room === 'api' && method === 'POST' && path === '/v1/assets';

/** Folder names often begin with their distinctive part. */
const longName = `Hafen ${'Befliegung Nordabschnitt '.repeat(5)}2026`;

it('10 · activates controls by their labels, updates badges, explains filters, describes mixtures and shows tiling in the row', async () => {
  const { page } = window;
  const { control } = journey.service;
  control.setTiling({ end: 'COMPLETE', ms: 86_400_000 });
  const others = control.assets().length;
  await page.getByRole('button', { name: 'Settings' }).click();
  const notify = page.getByRole('switch', { name: /^Notif/ }).first();
  const previousState = await notify.getAttribute('aria-checked');
  await page
    .getByText(/^Notif/, { exact: false })
    .and(page.locator('label'))
    .first()
    .click();
  await eventually(async () => expect(await notify.getAttribute('aria-checked')).not.toBe(previousState));
  await page.getByRole('button', { name: /^Uploads/ }).click();

  await window.drop(
    await files('Essen', { ...townGml, 'a.las': lasFile({ geoKeys: projectedKeys(25832) }) }),
  );
  const sheet = page.getByRole('dialog');
  await sheet.getByText('2 assets', { exact: true }).waitFor();
  for (const kind of ['CityGML', 'Point cloud']) await sheet.getByText(kind).first().waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });

  await dropAndUpload(window, await files(longName, townGml));
  const row = job(page, longName).and(page.locator('[data-status=tiling]'));
  await row.waitFor({ timeout: 60_000 });
  // The bar stays full in a fainter tone: what was uploaded is still there.
  const shares = await row
    .getByRole('progressbar')
    .evaluate((bar) =>
      [...bar.children].map((element) => (element instanceof HTMLElement ? element.style.width : '')),
    );
  expect(shares[0]).toBe('100%');
  await page.getByRole('button', { name: `Assets, ${others + 1} in the account` }).waitFor();
  const name = row.getByRole('button', { expanded: false }).first();
  expect(await name.getAttribute('title')).toBe(longName);
  const place = await name.evaluate((element) => ({
    direction: getComputedStyle(element).direction,
    text: element.textContent,
  }));
  expect(place).toEqual({ direction: 'ltr', text: longName });

  const search = page.getByRole('searchbox', { name: 'Find uploads' });
  await search.fill('nothing of that name');
  await page.getByText('No uploads match “nothing of that name”.').waitFor();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await name.click();
  const details = page.getByRole('region', { name: `Details of ${longName}` });
  await details.getByText('Tiling started').waitFor();
  for (const { id } of assetsNamed(longName)) control.changeAsset({ id: Number(id), status: 'COMPLETE' });
  await isComplete(page, longName);
  await page
    .getByText(/tiled in (?:under 20|\d\d)/)
    .first()
    .waitFor();
  await details
    .getByText(/^Complete/)
    .first()
    .waitFor();
  expect(window.complaints).toEqual([]);
});

it('17 · shows no forecast of a few seconds, no limit that looks like a switch, and states what a retry sends', async ({
  task,
}) => {
  // A retried test finds the rows of its first attempt.
  const attempt = task.result?.retryCount ?? 0;
  const [town, village] = [`Town ${attempt}`, `Village ${attempt}`];
  const { page } = window;
  const { control } = journey.service;
  await page.getByRole('button', { name: 'No speed limit' }).waitFor();
  await dropAndUpload(window, await files(town, townGml));
  await isComplete(page, town);
  await job(page, town)
    .getByText(/Uploaded in (?:under 1|[1-9])/)
    .waitFor();
  expect(await page.getByText(/Uploaded in 0/).count()).toBe(0);

  // The line's speed is known now, and a few seconds need no forecast.
  control.setTiling({ end: 'ERROR' });
  await window.drop(await files(village, townGml));
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Upload', exact: true }).waitFor();
  expect(await sheet.getByText(/Will take about|of the hour/).count()).toBe(0);
  await sheet.getByRole('button', { name: 'Upload', exact: true }).click();
  await job(page, village).and(page.locator('[data-status=error]')).waitFor({ timeout: 60_000 });
  await job(page, village)
    .getByText(/Tiling failed/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: `Start again: ${village}` }).waitFor();
  await page.getByRole('button', { name: `More actions: ${village}` }).click();
  await page.getByRole('menuitem', { name: 'Remove from list' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /^(?:Start|Try) again$/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await page.getByText(/on the wire/).count()).toBe(0);
});
it('4 · waits after a 503 of the service, shows the next attempt in the row, and retries at once on Try now', async () => {
  const { page } = window;
  const { control } = journey.service;
  const creationCount = control.requests().filter(isCreation).length;
  control.addFault({
    match: { room: 'api', method: 'POST', path: '/v1/assets', times: 1_000 },
    action: { kind: 'status', status: 503 },
  });
  await dropAndUpload(window, await files('Harbour', townGml));
  const row = job(page, 'Harbour');
  // It was final after 3.6 s once, that is after a few tries.
  await eventually(
    () => expect(control.requests().filter(isCreation).length).toBeGreaterThan(creationCount + 3),
    60_000,
  );
  await row.getByText(/next try in/).waitFor({ timeout: 60_000 });
  expect(await page.getByText('Failed', { exact: true }).count()).toBe(0);
  control.clearFaults();
  await row.getByRole('button', { name: 'Try now: Harbour' }).click();
  await isComplete(page, 'Harbour');
  expect(assetsNamed('Harbour')).toMatchObject([{ status: 'COMPLETE' }]);
});

it('6 · shows a source of another kind in the dry run, holds it with the reason, and uploads it once the rule fits', async () => {
  const incoming = await files('incoming', {
    'Kirche/k.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
    'Kirche/wand.tif': tiffFile({ bands: 3 }),
  });
  const { page } = window;
  await answerPicker(window, incoming);
  await page.getByRole('button', { name: 'Watched folders' }).click();
  await page
    .getByRole('button', { name: /^Watch a folder/ })
    .first()
    .click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Choose the folder' }).click();
  await sheet.getByLabel('Kind of data').click();
  await page.getByRole('option', { name: 'CityGML' }).click();
  const reason = /The kind of data is 3D model, but the rule expects CityGML/;
  await sheet.getByText(reason).first().waitFor({ timeout: 60_000 });
  await sheet.getByText(/\s· 3D model$/).waitFor();
  await sheet.getByRole('radio', { name: 'Hold it until you confirm' }).click();
  await sheet.getByRole('button', { name: /^Watch/ }).click();
  await sheet.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'incoming', exact: true }).click();
  await page.getByText(reason).first().waitFor({ timeout: 60_000 });
  expect(assetsNamed('Kirche')).toEqual([]);
  await page.getByRole('button', { name: 'Change rule: Kirche' }).click();
  await sheet.getByLabel('Kind of data').click();
  await page.getByRole('option', { name: '3D model' }).click();
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await sheet.waitFor({ state: 'detached' });
  await eventually(() => expect(assetsNamed('Kirche')).toMatchObject([{ status: 'COMPLETE' }]), 90_000);
  const [asset] = assetsNamed('Kirche');
  expect(journey.service.control.optionsOf(Number(asset?.id))).toMatchObject({ sourceType: '3D_MODEL' });
});

/** The row's bar and figures by page time: confirmed and sent shares, and the state. */
interface Shown {
  readonly at: number;
  readonly confirmed: number;
  readonly sent: number;
  readonly words: string;
}

it('5 · distinguishes sent from confirmed bytes on a slow line and updates the row every second', async () => {
  const bytesPerSecond = 1.2e6;
  line = await openSlowLine(journey.service.storageUrl, bytesPerSecond);
  const { page } = window;
  const source = await files('Ortho', { 'ortho.tif': Buffer.alloc(14e6, 7) });
  await dropAndUpload(window, source);
  await job(page, 'Ortho').and(page.locator('[data-status=uploading]')).waitFor();
  const seen = await page.evaluate<Shown[]>(`new Promise((resolve) => {
    const seen = [];
    const look = () => {
      const row = [...document.querySelectorAll('[data-testid=job]')].find((one) => one.innerText.includes('Ortho'));
      const bar = row?.querySelector('[role=progressbar]');
      if (row?.dataset.status !== 'uploading') return finish();
      const shares = [...(bar?.children ?? [])].map(({ style }) => Number.parseFloat(style.width) / 100);
      const [confirmed, sent] = [shares.at(-1) ?? 0, Math.max(0, ...shares)];
      seen.push({ at: performance.now(), confirmed, sent, words: row.innerText });
    };
    const finish = () => { clearInterval(looking); resolve(seen); };
    const looking = setInterval(look, 200);
  })`);
  const began = seen.find(({ sent }) => sent > 0)?.at ?? 0;
  const last = seen.at(-1)?.at ?? 0;
  expect(last - began).toBeGreaterThan(6_000);
  const sending = seen.filter(({ at, sent }) => at >= began && sent < 0.97);
  for (const [index, { at, sent }] of sending.entries()) {
    const earlier = sending.slice(0, index).findLast((sample) => at - sample.at >= 1_000);
    if (earlier) expect(sent, `after ${Math.round(at - began)} ms`).toBeGreaterThan(earlier.sent);
  }
  expect(sending.filter(({ confirmed, sent }) => sent > confirmed).length).toBeGreaterThan(5);
  const confirmed = new Set(seen.map((sample) => sample.confirmed));
  expect(confirmed.size, 'confirmed before the end').toBeGreaterThan(1);
  expect(seen.some(({ words }) => /\bleft\b/.test(words))).toBe(true);
  expect(seen.some(({ words }) => /81\s?MB\/s/.test(words))).toBe(false);
  await isComplete(page, 'Ortho');
});
