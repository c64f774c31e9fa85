import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';
import { writeOldJobs } from './support/old-jobs.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

const count = 1_000;

let journey: Journey;
let window: TileliftWindow;
let page: Page;
beforeEach(async () => {
  journey = await beginJourney();
  await writeOldJobs(journey.userData, count);
  window = await journey.launch();
  page = window.page;
  await signIn(journey, window);
  await rowOf(newest).waitFor();
});
afterEach(async () => {
  await journey.end();
});

const newest = `Kachel 33_${count - 1}`;
const nameButton = (name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (name: string) => page.getByRole('row').filter({ has: nameButton(name) });
const scrollBy = async (y: number) => {
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, y);
};

it('keeps the visible rows in place while new uploads are added on top', async () => {
  await scrollBy(30_000);
  // The first stays drawn: Tab leads to it.
  await rowOf(`Kachel 33_${count - 4}`).waitFor({ state: 'detached' });
  const opened = await eventually(async () => {
    const buttons = await page.getByTestId('job').getByRole('button', { expanded: false }).allTextContents();
    const names = buttons.filter((text) => text.startsWith('Kachel'));
    const name = names[Math.floor(names.length / 2)];
    if (name === undefined || name === newest) throw new Error('not there yet');
    return name;
  });
  await nameButton(opened).click();
  await page.getByRole('region', { name: `Details of ${opened}` }).waitFor();
  const place = async () => (await rowOf(opened).boundingBox())?.y ?? Number.NaN;
  let previousTop = Number.NaN;
  await eventually(async () => {
    const now = await place();
    const rests = now === previousTop;
    previousTop = now;
    if (!rests) throw new Error('it still moves');
  });
  const source = join(journey.folder, 'Flight');
  await mkdir(source);
  await writeFile(join(source, 'model.gml'), '<CityModel/>');
  await dropAndUpload(window, source);
  await eventually(async () =>
    expect(await rowOf(opened).getAttribute('aria-setsize')).toBe(String(count + 1)),
  );
  await eventually(async () => expect(Math.abs((await place()) - previousTop)).toBeLessThanOrEqual(2));
});
