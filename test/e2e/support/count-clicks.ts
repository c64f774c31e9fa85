import type { Page } from 'playwright';

/**
 * Counts presses of the pointer on the page, real or simulated, but not drops. Returns a function for the
 * current count.
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    let presses = 0;
    globalThis.pressesSoFar = () => presses;
    addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted) presses += 1; }, true);
  })()`);
  return () => page.evaluate<number>('pressesSoFar()');
}
