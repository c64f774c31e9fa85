import type { Page } from 'playwright';

/**
 * Counts from now on how often the pointer is pressed on the page, by a person or in their place; what is
 * dropped counts for none. Gives what there were so far.
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    let presses = 0;
    globalThis.pressesSoFar = () => presses;
    addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted) presses += 1; }, true);
  })()`);
  return () => page.evaluate<number>('pressesSoFar()');
}
