import type { Page } from 'playwright';
import { afterEach, expect, it } from 'vitest';
import { openSlowLine, type SlowLine } from '../slow-line.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../unit/source/formats/sample-heads.ts';
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

/** What a person meets in the first hour, named by the lines of that issue. */

let journey: Journey;
let line: SlowLine | null = null;
afterEach(async () => {
  await journey.end();
  await line?.close();
  line = null;
});

const files = (folder: string, content: SourceContent) => writeSource(journey, folder, content);

/** `oldJobs`: uploads that are in the list already, ended. */
async function signedIn(
  settings: Parameters<typeof beginJourney>[0] = {},
  oldJobs = 0,
): Promise<TileliftWindow> {
  journey = await beginJourney({ tilingMs: 300, ...settings });
  if (oldJobs > 0) await writeOldJobs(journey.userData, oldJobs);
  const window = await journey.launch();
  await signIn(journey, window);
  return window;
}

const jobThatIs = (page: Page, status: string) => page.locator(`[data-testid=job][data-status=${status}]`);
const isComplete = (page: Page) => jobThatIs(page, 'complete').waitFor({ timeout: 60_000 });
const townGml = { 'town.gml': cityModel() };

it('4 · 503 of the service is waited out: the row says when it tries again, and Try now does at once', async () => {
  const window = await signedIn();
  const { page } = window;
  const { control } = journey.service;
  control.addFault({
    match: { room: 'api', method: 'POST', path: '/v1/assets', times: 1_000 },
    action: { kind: 'status', status: 503 },
  });
  await dropAndUpload(window, await files('Town', townGml));
  const row = page.getByTestId('job');
  // It was final after 3.6 s once, that is after a few tries.
  await eventually(() => expect(control.requests().filter(isCreation).length).toBeGreaterThan(3), 60_000);
  await row.getByText(/next try in/).waitFor({ timeout: 60_000 });
  expect(await page.getByText('Failed', { exact: true }).count()).toBe(0);
  control.clearFaults();
  await row.getByRole('button', { name: 'Try now: Town' }).click();
  await isComplete(page);
  expect(control.assets()).toMatchObject([{ name: 'Town', status: 'COMPLETE' }]);
});

const isCreation = ({ room, method, path }: { room: string; method: string; path: string }) =>
  room === 'api' && method === 'POST' && path === '/v1/assets';

/** What the row's bar and figures show, in page time: confirmed and sent, as shares, and the state. */
interface Shown {
  readonly at: number;
  readonly confirmed: number;
  readonly sent: number;
  readonly words: string;
}

it('5 · on a slow line what is sent shows apart from what is confirmed, and something moves each second', async () => {
  const bytesPerSecond = 1.2e6;
  const window = await signedIn({ storageLine: () => line?.url ?? '' });
  line = await openSlowLine(journey.service.storageUrl, bytesPerSecond);
  const { page } = window;
  const source = await files('Ortho', { 'ortho.tif': Buffer.alloc(14e6, 7) });
  await dropAndUpload(window, source);
  await jobThatIs(page, 'uploading').waitFor();
  const seen = await page.evaluate<Shown[]>(`new Promise((resolve) => {
    const seen = [];
    const look = () => {
      const row = document.querySelector('[data-testid=job]');
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
    const earlier = sending.slice(0, index).findLast((one) => at - one.at >= 1_000);
    if (earlier) expect(sent, `after ${Math.round(at - began)} ms`).toBeGreaterThan(earlier.sent);
  }
  expect(sending.filter(({ confirmed, sent }) => sent > confirmed).length).toBeGreaterThan(5);
  const confirmed = new Set(seen.map((one) => one.confirmed));
  expect(confirmed.size, 'confirmed before the end').toBeGreaterThan(1);
  expect(seen.some(({ words }) => /\bleft\b/.test(words))).toBe(true);
  expect(seen.some(({ words }) => /81\s?MB\/s/.test(words))).toBe(false);
  await isComplete(page);
});

it('6 · a source of another kind than its rule is shown in the dry run, held with the reason, and taken once the rule fits', async () => {
  const window = await signedIn();
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
  await sheet.getByText(/ · 3D model$/).waitFor();
  await sheet.getByRole('button', { name: /^Watch/ }).click();
  await sheet.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'incoming', exact: true }).click();
  await page.getByText(reason).first().waitFor({ timeout: 60_000 });
  expect(journey.service.control.assets()).toEqual([]);
  await page.getByRole('button', { name: 'Change rule: Kirche' }).click();
  await sheet.getByLabel('Kind of data').click();
  await page.getByRole('option', { name: '3D model' }).click();
  await sheet.getByRole('button', { name: /^Save/ }).click();
  await sheet.waitFor({ state: 'detached' });
  await eventually(
    () => expect(journey.service.control.assets()).toMatchObject([{ name: 'Kirche', status: 'COMPLETE' }]),
    90_000,
  );
  const [asset] = journey.service.control.assets();
  expect(journey.service.control.optionsOf(Number(asset?.id))).toMatchObject({ sourceType: '3D_MODEL' });
});

/** It begins with what tells it apart, as people name folders. */
const longName = `Hafen ${'Befliegung Nordabschnitt '.repeat(5)}2026`;

it('10 · labels click, badges live, filters say what they hide, a mixture is described by all its kinds, and the row goes through tiling', async () => {
  // So many that there is something to filter.
  const window = await signedIn({ tilingMs: 86_400_000 }, 12);
  const { page } = window;
  const { control } = journey.service;
  await page.getByRole('button', { name: 'Settings' }).click();
  const notify = page.getByRole('switch', { name: /^Notif/ }).first();
  const before = await notify.getAttribute('aria-checked');
  await page
    .getByText(/^Notif/, { exact: false })
    .and(page.locator('label'))
    .first()
    .click();
  await eventually(async () => expect(await notify.getAttribute('aria-checked')).not.toBe(before));
  await page.getByRole('button', { name: /^Uploads/ }).click();

  await window.drop(
    await files('Essen', { ...townGml, 'a.las': lasFile({ geoKeys: projectedKeys(25832) }) }),
  );
  const sheet = page.getByRole('dialog');
  await sheet.getByText('2 assets from what you dropped').waitFor();
  for (const kind of ['CityGML', 'Point cloud']) await sheet.getByText(kind).first().waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });

  await dropAndUpload(window, await files(longName, townGml));
  const row = jobThatIs(page, 'tiling');
  await row.waitFor({ timeout: 60_000 });
  // The bar stays full in a fainter tone: what was uploaded is still there.
  const shares = await row
    .getByRole('progressbar')
    .evaluate((bar) => [...bar.children].map((one) => (one instanceof HTMLElement ? one.style.width : '')));
  expect(shares[0]).toBe('100%');
  await page.getByRole('button', { name: 'Assets, 1 in the account' }).waitFor();
  const name = row.getByRole('button', { expanded: false }).first();
  expect(await name.getAttribute('title')).toBe(longName);
  const place = await name.evaluate((one) => ({
    direction: getComputedStyle(one).direction,
    text: one.textContent,
  }));
  expect(place).toEqual({ direction: 'ltr', text: longName });

  const search = page.getByRole('searchbox', { name: 'Find uploads' });
  await search.fill('nothing of that name');
  await page.getByText('No uploads match “nothing of that name”.').waitFor();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await name.click();
  const details = page.getByRole('region', { name: `Details of ${longName}` });
  await details.getByText('Tiling started').waitFor();
  for (const { id } of control.assets()) control.changeAsset({ id: Number(id), status: 'COMPLETE' });
  await isComplete(page);
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

it('17 · words are in their place: no forecast of a few seconds, no limit that looks like a switch, and retries say what they send', async () => {
  const window = await signedIn();
  const { page } = window;
  const { control } = journey.service;
  await page.getByRole('button', { name: 'No speed limit' }).waitFor();
  await dropAndUpload(window, await files('Town', townGml));
  await isComplete(page);
  await page.getByText(/Uploaded in under 1/).waitFor();
  expect(await page.getByText(/Uploaded in 0/).count()).toBe(0);

  // How fast the line is is known now, and that it takes seconds is nobody's question.
  control.setTiling({ end: 'ERROR' });
  await window.drop(await files('Village', townGml));
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Upload', exact: true }).waitFor();
  expect(await sheet.getByText(/Will take about|of the hour/).count()).toBe(0);
  await sheet.getByRole('button', { name: 'Upload', exact: true }).click();
  await jobThatIs(page, 'error').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'More actions: Village' }).click();
  await page.getByRole('menuitem', { name: 'Start again, sending everything' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /^(?:Start|Try) again$/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await page.getByText(/on the wire/).count()).toBe(0);
});
