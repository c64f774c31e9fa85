import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules that take axe as long as all others together. `crowded` also finds targets that are too small. */
const slowRules = ['color-contrast', 'target-size'];

/** All that axe finds in the page except by the slow rules. Loads axe into the page. */
export async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate('loadAxe()');
  return runAxe(page, {
    runOnly: { type: 'tag', values: tags },
    rules: Object.fromEntries(slowRules.map((rule) => [rule, { enabled: false }])),
  });
}

/** Violations of contrast and target size, with the axe that `violations` loaded. */
export const slowViolations = (page: Page) => runAxe(page, { runOnly: slowRules });

/** Text that overlaps or leaves its box or the window, small targets, and sideways scrolling. */
export async function layoutFaults(page: Page): Promise<readonly string[]> {
  const faults = await page.evaluate<string[]>(
    '[...crowded(), ...clipped(), ...cutOff(), ...scrollsSideways()]',
  );
  return [...faults, ...(await windowScroll(page))];
}

/** Controls that keyboard or pointer can't use in a small, zoomed window. */
export async function reachFaults(page: Page): Promise<readonly string[]> {
  const faults = await page.evaluate<string[]>('[...clipped(), ...scrollsSideways()]');
  // `unreachable` scrolls: it comes last.
  return [...faults, ...(await windowScroll(page)), ...(await page.evaluate<string[]>('unreachable()'))];
}

async function windowScroll(page: Page): Promise<readonly string[]> {
  return (await page.evaluate<boolean>('windowScrolls()')) ? ['the window itself scrolls'] : [];
}

async function runAxe(page: Page, rules: RunOptions): Promise<readonly string[]> {
  // Only rules that don't run here need what it would preload: style sheets.
  const settings: RunOptions = { ...rules, resultTypes: ['violations'], preload: false };
  // Without the elements that pass, which are a hundred times as many.
  const run = `axe.run(document, ${JSON.stringify(settings)}).then(({ violations }) => ({ violations }))`;
  const results = await page.evaluate<Pick<AxeResults, 'violations'>>(run);
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
