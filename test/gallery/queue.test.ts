import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { type Gallery, openGallery } from './gallery.ts';
import { settled } from './perform.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());
beforeEach(() => gallery.show('uploads/queue-300', { width: 1440, height: 900 }));

const press = async (...keys: readonly string[]) => {
  for (const key of keys) await gallery.page.keyboard.press(key);
};
const times = (count: number, key: string) => Array.from({ length: count }, () => key);
const focused = () =>
  gallery.page.evaluate<string>('document.activeElement?.dataset.row ?? document.activeElement?.tagName');
const isFocused = (id: string) => eventually(async () => expect(await focused()).toBe(id));
const row = (id: string) => gallery.page.locator(`[data-row="${id}"]`);
const announcement = () => gallery.page.getByRole('status', { name: 'Upload changes' });
/** Rendered rows of the queue in visual order. */
const queueSeen = () =>
  gallery.page.evaluate<readonly string[]>(`
    [...document.querySelectorAll('[data-row^="queued-"]')]
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => row.dataset.row)
  `);
/** In the open menu. */
const chooseByKeys = async (beginning: string) => {
  const highlighted = gallery.page.locator('[role=menuitem][data-highlighted]');
  for (let keys = 0; keys < 10; keys += 1) {
    const [text] = await highlighted.allTextContents();
    if (text?.trim().startsWith(beginning)) return press('Enter');
    await press('ArrowDown');
  }
  throw new Error(`no key leads to ${beginning}`);
};
const headOf = (words: RegExp) => gallery.page.getByRole('gridcell', { name: words });

it('gives 300 uploads one Tab stop', async () => {
  await gallery.page.getByRole('radio', { name: 'All' }).focus();
  await press('Tab');
  await isFocused('harbour');
  await press('Tab');
  expect(await focused()).not.toMatch(/^(queued|many)-/);
  expect(await gallery.page.locator('[role=treegrid] [tabindex="0"]').count()).toBe(1);
  expect(await gallery.page.locator('[data-row]').count()).toBeLessThan(60);
});

it('loads thumbnails of visible rows only', async () => {
  const { page } = gallery;
  const loaded = () => page.locator('[data-row] img').count();
  const inView = () =>
    page.evaluate<number>(`
      [...document.querySelectorAll('[data-row] img')].filter((picture) => {
        const { top, bottom } = picture.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      }).length
    `);
  await eventually(async () => expect(await loaded()).toBeGreaterThan(3));
  expect(await loaded()).toBe(await inView());
  await gallery.show('uploads/thumbnails', { width: 1440, height: 900 });
  await page.getByRole('img', { name: 'Preview of Los 3 – Befliegung' }).waitFor();
});

it('stays at its beginning with an opened upload when it is shown again or filtered', async () => {
  const { page } = gallery;
  await page.getByRole('radio', { name: 'All' }).focus();
  await press('Tab', 'End', 'Enter');
  await page.locator('[data-details]').waitFor();
  const scrolled = () =>
    page.evaluate<number>(`
      (() => {
        let box = document.querySelector('[role=treegrid]');
        while (box && !['auto', 'scroll'].includes(getComputedStyle(box).overflowY)) box = box.parentElement;
        return box?.scrollTop ?? -1;
      })()
    `);
  await eventually(async () => expect(await scrolled()).toBeGreaterThan(1_000));
  await page.getByRole('button', { name: /^Assets/ }).click();
  await page.getByRole('button', { name: /^Uploads/ }).click();
  await page.locator('[data-details]').waitFor({ state: 'attached' });
  expect(await scrolled()).toBe(0);
  for (const name of [/^Needs attention/, 'All']) {
    await page.getByRole('radio', { name }).click();
    await settled(page);
    expect(await scrolled()).toBe(0);
  }
  await page.locator('[data-details]').waitFor({ state: 'attached' });
});

it.each(['en', 'de'])(
  'shows in a small window the service’s reason of a failure, and that its row opens (%s)',
  async (language) => {
    const { page } = gallery;
    const reason = 'No coordinate reference system in 3 rasters';
    await gallery.show('uploads/busy', { width: 900, height: 600 }, language);
    await page.getByRole('searchbox').fill('DGM Bergbaufolge');
    await row('data').getByText(reason).waitFor();
    const isWhole = await page.evaluate(`{
      const text = document.evaluate('//text()[contains(., "${reason}")]', document, null, 9).singleNodeValue;
      const range = document.createRange();
      range.setStart(text, text.nodeValue.indexOf('${reason}'));
      range.setEnd(text, range.startOffset + ${reason.length});
      range.getBoundingClientRect().bottom <= text.parentElement.getBoundingClientRect().bottom;
    }`);
    expect(isWhole).toBe(true);
    const chevron = await row('data').locator('svg.lucide-chevron-right').boundingBox();
    expect(chevron?.width).toBe(15);
    expect(chevron?.x).toBeLessThan(885);
  },
);

it('focuses the search with Ctrl+F and opens the settings with Ctrl+,', async () => {
  const { page } = gallery;
  await row('harbour').focus();
  await press('Control+f');
  expect(await page.evaluate('document.activeElement?.type')).toBe('search');
  await press('Control+,');
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await press('Control+f');
  expect(await page.evaluate('document.activeElement?.type')).toBe('search');
  await press('Control+k');
  await page.getByRole('combobox', { name: /^Search for actions/ }).fill('proxy');
  await press('Enter');
  await eventually(async () =>
    expect(await page.evaluate('document.activeElement?.getAttribute("aria-label")')).toBe('Network'),
  );
});

it('selects, moves first, retries, removes and restores 20 uploads by keyboard', async () => {
  const { page } = gallery;
  await page.getByRole('radio', { name: 'All' }).focus();
  await press('Tab', 'ArrowDown', 'ArrowDown');
  await isFocused('queued-1');
  // The eleventh to the thirtieth of the queue go one up, and then first.
  await press(...times(10, 'ArrowDown'));
  await isFocused('queued-11');
  await press('Space', ...times(19, 'Shift+ArrowDown'));
  await page.getByText('20 selected', { exact: true }).waitFor();
  await press('Alt+ArrowUp');
  await eventually(async () =>
    expect(await announcement().textContent()).toBe('20 uploads moved to 10 of 150'),
  );
  await isFocused('queued-30');
  await press('Shift+F10');
  await page.getByRole('menu', { name: 'Actions for 20 uploads' }).waitFor();
  await chooseByKeys('Upload next');
  await eventually(async () =>
    expect(await announcement().textContent()).toBe('20 uploads moved to 1 of 150'),
  );
  await isFocused('queued-30');
  await press('Escape');
  await press('Home', 'ArrowDown', 'ArrowDown');
  await isFocused('queued-11');
  expect((await queueSeen()).slice(0, 2)).toEqual(['queued-11', 'queued-12']);
  expect(await row('queued-11').textContent()).toContain('1st');

  // The last twenty that have ended are removed, and come back.
  await press('End');
  const last = await eventually(async () => {
    const id = await focused();
    expect(id).toMatch(/^many-/);
    return id;
  });
  await press(...times(19, 'Shift+ArrowUp'));
  await page.getByText('20 selected', { exact: true }).waitFor();
  await press('Delete');
  await page.getByText('20 uploads removed from the list').waitFor();
  await headOf(/^Ended · 128$/)
    .or(headOf(/^Ended · 129$/))
    .count();
  await eventually(async () => expect(await row(last).count()).toBe(0));
  await eventually(async () => expect(await focused()).toMatch(/^many-/));
  await press('Control+z');
  await page.getByText('20 uploads are back in the list').waitFor();
  await press('End');
  await isFocused(last);
});

it('selects, drags, retries, removes and restores 20 uploads by mouse', async () => {
  const { page } = gallery;
  await row('queued-3').hover();
  await page.getByRole('checkbox', { name: 'Select Los 3 – Befliegung' }).click();
  await page.getByRole('checkbox', { name: 'Select Los 5 – Befliegung' }).click({ modifiers: ['Shift'] });
  await page.getByText('3 selected', { exact: true }).waitFor();
  const grip = await row('queued-4').locator('[data-grip]').boundingBox();
  const top = await row('queued-1').boundingBox();
  if (!grip || !top) throw new Error('nothing to drag');
  await page.mouse.move(grip.x + 5, grip.y + 20);
  await page.mouse.down();
  await page.mouse.move(grip.x + 5, grip.y - 20, { steps: 3 });
  await page.mouse.move(top.x + 20, top.y + 10, { steps: 3 });
  await page.mouse.up();
  await eventually(async () =>
    expect(await announcement().textContent()).toBe('3 uploads moved to 1 of 150'),
  );
  await eventually(async () =>
    expect((await queueSeen()).slice(0, 4)).toEqual(['queued-3', 'queued-4', 'queued-5', 'queued-1']),
  );
  await page.getByRole('button', { name: 'Clear selection' }).click();

  await page.getByRole('button', { name: 'All uploads' }).click();
  await page.getByRole('menuitem', { name: 'Remove all ended uploads' }).click();
  await page.getByText(/uploads removed from the list/).waitFor();
  await eventually(async () => expect(await headOf(/^Ended/).count()).toBe(0));
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/uploads are back in the list/).waitFor();
});

it('retries 20 failed uploads by keyboard', async () => {
  const { page } = gallery;
  await page.getByRole('radio', { name: 'Needs attention' }).click();
  await press('Tab');
  await eventually(async () => expect(await focused()).toMatch(/^many-/));
  await press('Space', ...times(19, 'Shift+ArrowDown'));
  await page.getByText('20 selected', { exact: true }).waitFor();
  await press('Shift+F10');
  await page.getByRole('menu', { name: 'Actions for 20 uploads' }).waitFor();
  await chooseByKeys('Try again');
  await eventually(async () =>
    expect(
      await headOf(/^Ended/)
        .or(row('many-3'))
        .count(),
    ).toBe(0),
  );
  await page.getByRole('radio', { name: 'All' }).click();
  await headOf(/^Under way · 22$/).waitFor();
});

it('retries all failed uploads and pauses all others by mouse', async () => {
  const { page } = gallery;
  await page.getByRole('button', { name: 'All uploads' }).click();
  await page.getByRole('menuitem', { name: 'Try all failed uploads again' }).click();
  await eventually(async () => expect(await headOf(/^Under way · (29|3\d)$/).count()).toBe(1));
  await page.getByRole('button', { name: 'All uploads' }).click();
  await page.getByRole('menuitem', { name: 'Pause all' }).click();
  await eventually(async () => expect(await row('harbour').textContent()).toContain('Paused'));
});

it('asks before it cancels running uploads', async () => {
  const { page } = gallery;
  await row('queued-1').click({ modifiers: ['ControlOrMeta'] });
  await row('queued-2').click({ modifiers: ['ControlOrMeta'] });
  await isFocused('queued-2');
  const question = page.getByRole('alertdialog', { name: 'Cancel 2 uploads?' });
  const keep = question.getByRole('button', { name: 'Keep uploading' }).and(page.locator(':focus'));
  await press('Delete');
  await keep.waitFor();
  await press('Escape');
  await isFocused('queued-2');
  expect(await row('queued-1').count()).toBe(1);
  await press('Delete');
  await keep.waitFor();
  await press('Tab', 'Enter');
  // The focus goes with the row to the ended ones, far from the queue: its head is no longer drawn.
  await row('queued-2').and(page.locator('[aria-label$=": Cancelled"]:focus')).waitFor();
  await headOf(/^Ended · /).waitFor();
  await press('Home');
  await isFocused('harbour');
  await headOf(/^Queued · 148 /).waitFor();
});

it('enters and leaves a row’s controls by arrow keys', async () => {
  const { page } = gallery;
  await row('harbour').focus();
  await press('ArrowRight');
  await press('ArrowRight');
  expect(await page.evaluate('document.activeElement?.tagName')).toBe('BUTTON');
  await press('Escape');
  await isFocused('harbour');
  await press('Enter');
  await page.getByRole('region', { name: /^Details of/ }).waitFor();
  expect(await row('harbour').getAttribute('aria-expanded')).toBe('true');
});

it('exposes one list whose rows know their position', async () => {
  const { page } = gallery;
  await row('queued-2').click({ modifiers: ['ControlOrMeta'] });
  const tree = await page.getByRole('treegrid', { name: 'Uploads' }).ariaSnapshot();
  expect(tree).toContain('- gridcell "Queued · 150 · 9.7 TB"');
  expect(tree).toMatch(/'row "Los 1 – Befliegung: Queued" \[level=1\]'/);
  expect(tree).toMatch(/'row "Los 2 – Befliegung: Queued" \[level=1\] \[selected\]'/);
  expect(await row('queued-2').getAttribute('aria-posinset')).toBe('2');
  expect(await row('queued-2').getAttribute('aria-setsize')).toBe('150');
  expect(await row('queued-3').getAttribute('aria-selected')).toBe('false');
});

it('copies a list of selected finished uploads from the bar and a row’s menu', async () => {
  const { page } = gallery;
  await page.getByRole('radio', { name: 'Ended' }).click();
  await row('harbour').waitFor({ state: 'detached' });
  const names = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('[data-row]')].map((row) => row.dataset.row)`,
  );
  const [first = '', second = ''] = names;
  await row(first).getByRole('checkbox').click();
  await page.getByText('1 selected', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Copy list as CSV' }).count()).toBe(0);
  await row(second).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Copy list as CSV' }).click();
  await page.getByText('List of 2 uploads copied').waitFor();
  await row(second).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy list as CSV' }).waitFor();
  await page.getByRole('menuitem', { name: 'Copy list as CSV' }).click();
});

it('loads a thousand finished uploads on scrolling, and finds, selects and includes each in “all”', async () => {
  const { page } = gallery;
  await gallery.show('uploads/long', { width: 1440, height: 900 });
  await headOf(/^Ended · 999$/).waitFor();
  const older = page.getByRole('gridcell', { name: /older uploads?$/ });
  const drawn = () => page.locator('[data-row]').count();
  const left = async () => Number((await older.textContent())?.replaceAll(/\D/g, ''));
  await older.waitFor({ state: 'attached' });
  const previousOffset = await left();
  await page.getByRole('treegrid').hover();
  await page.mouse.wheel(0, 9_000);
  await eventually(async () => expect(await left()).toBeLessThan(previousOffset));
  expect(await drawn()).toBeLessThan(60);
  const search = page.getByRole('searchbox', { name: 'Find uploads' });
  await search.fill('_6799');
  await row('many-999').waitFor();
  await search.fill('');
  await page.locator('[data-row]').first().focus();
  await press('Control+a');
  await page.getByText('1,000 selected', { exact: true }).waitFor();
  await press('Escape', 'End');
  await isFocused('many-999');
  expect(await older.count()).toBe(0);
});

it('offers the correction and the message to the supplier where a failure is explained', async () => {
  const { page } = gallery;
  await gallery.show('uploads/details-data', { width: 900, height: 600 });
  const details = page.locator('[data-details]');
  await details.getByRole('button', { name: 'Correct and start again…' }).waitFor();
  await details.getByRole('button', { name: 'Copy message to the supplier' }).click();
  await page.getByText('Message to the supplier copied').waitFor();
});

it('splits an upload that exceeds its hour with one press: its folder is in the sheet', async () => {
  const { page } = gallery;
  await gallery.show('uploads/details-waiting-confirm', { width: 900, height: 600 });
  await page.locator('[data-details]').getByRole('button', { name: 'Cancel and split…' }).click();
  await page.getByRole('dialog', { name: 'New asset' }).getByText('LoD2_Altstadt').waitFor();
});

it('sets a usual speed limit from its menu, which also leads to the settings', async () => {
  const { page } = gallery;
  await page.getByRole('button', { name: 'No speed limit' }).click();
  await page.getByRole('menuitemcheckbox', { name: '5 MB/s', exact: true }).click();
  await page.getByRole('button', { name: 'Limit: 5 MB/s' }).click();
  await page.getByRole('menuitem', { name: 'Bandwidth settings…' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});

it('invites to drop data only while signed in, above a short list', async () => {
  const invitation = gallery.page.getByText('Drop folders or files anywhere');
  expect(await invitation.count()).toBe(0);
  await gallery.show('uploads/one', { width: 900, height: 600 });
  await invitation.waitFor();
  await gallery.show('shell/sign-in-lost', { width: 900, height: 600 });
  expect(await invitation.count()).toBe(0);
});
