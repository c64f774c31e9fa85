import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, type Journey, signIn } from './support/journey.ts';
import { keyboardOf } from './support/keyboard.ts';
import { type LiveRegions, listenToLiveRegions } from './support/live-regions.ts';
import { half, writeThreeHundredJobs } from './support/three-hundred-jobs.ts';

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
  const window = await journey.launch();
  await signIn(journey, window);
  await window.close();
  await writeThreeHundredJobs(journey);
  // The first upload keeps its turn, so the others don't move.
  journey.service.control.addFault({
    match: { room: 'api', method: 'POST', path: '/assets', times: 1_000 },
    action: { kind: 'hold' },
  });
});
afterEach(() => journey.end());

const first = `tile-${half}`;
const row = (page: Page, id: string) => page.locator(`[data-row="${id}"]`);
/** Position among waiting uploads, from 1. */
const waiting = (place: number) => `tile-${half + place}`;
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.dataset.row ?? ""');
const isFocused = (page: Page, id: string) => eventually(async () => expect(await focused(page)).toBe(id));
const selectedCount = (page: Page, count: number) =>
  eventually(async () =>
    expect(await page.getByRole('toolbar').getByRole('status').textContent()).toBe(`${count} selected`),
  );
const head = (page: Page, words: string) => page.getByRole('gridcell', { name: words }).waitFor();
/** A notice's text includes its buttons. */
const isSaid = (regions: LiveRegions, words: string) =>
  eventually(async () => expect(await regions.said()).toContainEqual(expect.stringContaining(words)));
const times = (count: number, key: string) => Array.from({ length: count }, () => key);
const isAt = (page: Page, id: string, place: string) =>
  eventually(async () => {
    const [position, size] = await Promise.all(
      ['aria-posinset', 'aria-setsize'].map((name) => row(page, id).getAttribute(name, { timeout: 2_000 })),
    );
    expect(`${position} of ${size}`).toBe(place);
  });
/** The rendered rows as a screen reader gets them. */
const tree = (page: Page) => page.getByRole('treegrid', { name: 'Uploads' }).ariaSnapshot();
const underWay = async (page: Page) => {
  await row(page, first).waitFor();
  await head(page, `Queued · ${half - 1}`);
};

it('selects, moves, retries, removes and restores among 300 uploads by keyboard, with one Tab stop', async () => {
  const window = await journey.launch();
  const keys = await keyboardOf(window);
  const { page } = window;
  await underWay(page);
  const regions = await listenToLiveRegions(page);

  await keys.tabTo(/^Kachel 33_\d+: /, 'row');
  const stops = await keys.round();
  expect(stops.filter(({ role }) => role === 'row')).toHaveLength(1);
  expect(stops.length).toBeLessThan(30);

  await keys.press('Home', ...times(11, 'ArrowDown'));
  await isFocused(page, waiting(11));
  await keys.press('Space', ...times(19, 'Shift+ArrowDown'));
  await selectedCount(page, 20);
  await isFocused(page, waiting(30));
  const previousTree = await tree(page);
  expect(previousTree).toMatch(/'row "Kachel 33_180: Queued" \[level=1\] \[selected\]'/);
  expect(previousTree).toMatch(/'row "Kachel 33_181: Queued" \[level=1\]'/);
  await isAt(page, waiting(30), '30 of 149');

  await keys.press('Alt+ArrowUp');
  await isSaid(regions, '20 uploads moved to 10 of 149');
  await isFocused(page, waiting(30));
  await keys.press('Shift+F10');
  await keys.pick('Upload next');
  await isSaid(regions, '20 uploads moved to 1 of 149');
  await isFocused(page, waiting(30));
  await isAt(page, waiting(30), '20 of 149');

  await keys.press('Escape', 'End');
  await isFocused(page, 'tile-0');
  await keys.press(...times(19, 'Shift+ArrowUp'));
  await selectedCount(page, 20);
  await keys.press('Shift+F10');
  await keys.pick(/^Try again/);
  await isAt(page, 'tile-19', '20 of 169');

  await keys.press('Escape', 'End');
  await isFocused(page, 'tile-20');
  await isAt(page, 'tile-20', '130 of 130');
  await keys.press(...times(19, 'Shift+ArrowUp'));
  await selectedCount(page, 20);
  await keys.press('Delete');
  await isAt(page, 'tile-40', '110 of 110');
  await isSaid(regions, '20 uploads removed from the list');
  await eventually(async () => expect(await focused(page)).toMatch(/^tile-/));
  await keys.shortcut('Z');
  await isSaid(regions, '20 uploads are back in the list');
  await eventually(async () => {
    await keys.press('End');
    expect(await focused(page)).toBe('tile-20');
  });
  await isAt(page, 'tile-20', '130 of 130');
  expect(window.complaints).toEqual([]);
});

it('selects, drags, retries, removes and restores among 300 uploads by mouse', async () => {
  const window = await journey.launch();
  const { page } = window;
  await underWay(page);
  const regions = await listenToLiveRegions(page);
  /** Ends when the row stays in place and receives clicks again: the list ignores them while it scrolls. */
  const scrollTo = async (id: string, by: number) => {
    await page.mouse.move(700, 500);
    let before: number | undefined;
    await eventually(async () => {
      if (!(await row(page, id).isVisible())) {
        await page.mouse.wheel(0, by);
        throw new Error(`${id} is not in sight`);
      }
      await row(page, id).scrollIntoViewIfNeeded({ timeout: 1_000 });
      const now = (await row(page, id).boundingBox({ timeout: 1_000 }))?.y;
      const isClickable = await row(page, id).evaluate(
        (element) => getComputedStyle(element).pointerEvents !== 'none',
      );
      const rests = isClickable && now !== undefined && now === before;
      before = now;
      if (!rests) throw new Error(`${id} still moves`);
    });
  };
  const box = (id: string) => row(page, id).getByRole('checkbox');

  await row(page, waiting(3)).hover();
  await box(waiting(3)).click();
  await scrollTo(waiting(21), 400);
  await box(waiting(21)).click({ modifiers: ['Shift'] });
  await selectedCount(page, 19);
  await scrollTo(waiting(23), 400);
  await row(page, waiting(23)).click({ modifiers: ['ControlOrMeta'] });
  await selectedCount(page, 20);
  const selected = await tree(page);
  expect(selected).toMatch(/'row "Kachel 33_173: Queued" \[level=1\] \[selected\]'/);
  expect(selected).toMatch(/'row "Kachel 33_172: Queued" \[level=1\]'/);

  // To the very top: near an edge the list scrolls during the drag.
  await eventually(async () => {
    await page.mouse.wheel(0, -10_000);
    const bar = await page.getByRole('toolbar').boundingBox();
    const search = await page.getByRole('searchbox').boundingBox();
    expect(search?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0) + 13);
  });
  await scrollTo(first, 0);
  await row(page, waiting(3)).locator('[data-grip]').hover();
  const grip = await row(page, waiting(3)).locator('[data-grip]').boundingBox();
  const top = await row(page, waiting(1)).boundingBox();
  if (!grip || !top) throw new Error('There is nothing to drag.');
  await page.mouse.down();
  await page.mouse.move(grip.x + 5, grip.y - 20, { steps: 3 });
  await page.mouse.move(top.x + 20, top.y + 10, { steps: 3 });
  await page.mouse.up();
  await isSaid(regions, '20 uploads moved to 1 of 149');
  await isAt(page, waiting(3), '1 of 149');
  await page.getByRole('button', { name: 'Clear selection' }).click();

  await scrollTo('tile-0', 3_000);
  await box('tile-0').click();
  await scrollTo('tile-19', -300);
  await box('tile-19').click({ modifiers: ['Shift'] });
  await selectedCount(page, 20);
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: /^Try again/ })
    .click();
  await isAt(page, 'tile-19', '20 of 169');
  await page.getByRole('button', { name: 'Clear selection' }).click();

  await scrollTo('tile-20', 3_000);
  await isAt(page, 'tile-20', '130 of 130');
  await box('tile-20').click();
  await scrollTo('tile-39', -300);
  await box('tile-39').click({ modifiers: ['Shift'] });
  await selectedCount(page, 20);
  await page.getByRole('toolbar').getByRole('button', { name: 'Remove from list', exact: true }).click();
  await isSaid(regions, '20 uploads removed from the list');
  await row(page, 'tile-39').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await isSaid(regions, '20 uploads are back in the list');
  await scrollTo('tile-20', 3_000);
  await isAt(page, 'tile-20', '130 of 130');
  expect(window.complaints).toEqual([]);
});
