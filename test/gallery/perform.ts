import type { Locator, Page } from 'playwright';
import type { Step } from '../../gallery/scenario.ts';
import type { Said } from '../../strings/phrase.ts';

/** The needed part of an element, without DOM types. */
interface Scrollable {
  scrollIntoView(how: { readonly block: 'center' }): void;
}

/** Performs a scenario's actions in the page's language. */
export async function perform(page: Page, step: Step): Promise<void> {
  const place = await topmost(page);
  if ('press' in step) {
    const name = await spoken(page, step.named);
    const button = place.getByRole(step.press, { name: step.begins ? beginning(name) : name, exact: true });
    await scrollUntilThere(page, button);
    await button.click();
  } else if ('type' in step) {
    const label = await spoken(page, step.into);
    await place.locator('input, textarea').and(place.getByLabel(label)).fill(step.type);
  } else if ('scrollTo' in step) {
    const name = await spoken(page, step.scrollTo);
    const control = place.getByText(name).or(place.getByLabel(name)).first();
    await scrollUntilThere(page, control);
    // A fixed position, because measured rows above move the list.
    for (let turns = 0; turns < 5; turns += 1) {
      await control.evaluate((element: Scrollable) => element.scrollIntoView({ block: 'center' }));
      await settled(page);
    }
  } else if ('menuOf' in step) {
    await place.getByRole('row').filter({ hasText: step.menuOf }).click({ button: 'right' });
  } else if ('unfold' in step) {
    await place.locator('summary', { hasText: await spoken(page, step.unfold) }).click();
  } else if ('scroll' in step) {
    await turnWheel(page, 1e7);
  } else {
    await dragOver(page);
  }
}

/** In the page's language. Accessible names have plain spaces instead of non-breaking ones. */
async function spoken(page: Page, phrase: Said): Promise<string> {
  const words = await page.evaluate<string>(`sayPhrase(${JSON.stringify(phrase)})`);
  return words.replaceAll('\u00a0', ' ');
}

function beginning(name: string): RegExp {
  return new RegExp(`^${name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
}

/** Rows of a long list are there only while they are in sight. */
async function scrollUntilThere(page: Page, target: Locator): Promise<void> {
  for (let turns = 0; turns < 12 && (await target.count()) === 0; turns += 1) await turnWheel(page, 300);
}

async function turnWheel(page: Page, by: number): Promise<void> {
  const [width, height] = await page.evaluate<[number, number]>('[innerWidth, innerHeight]');
  await page.mouse.move(width * 0.6, height * 0.6);
  await page.mouse.wheel(0, by);
  await settled(page);
}

/** The sheet or question that is open, or else the page. */
async function topmost(page: Page): Promise<Page | Locator> {
  const dialogs = page.locator('[role=dialog]:not([data-popover-content]), [role=alertdialog]');
  return (await dialogs.count()) > 0 ? dialogs.last() : page;
}

/** Resolves when the page is stable: `gallery/settled.ts`. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('settled()');
}

/** Chromium's own input command, since scripts can't make a drag that carries files. */
async function dragOver(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: ['/data/LoD2_Altstadt'], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data });
  }
  await session.detach();
}
