import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { layoutFaults, reachFaults, slowViolations, violations } from './checks.ts';
import { components, type Gallery, openGallery, type Size, stillScenarios } from './gallery.ts';
import { pseudoTag } from './pseudo-locale.ts';

const smallest: Size = { width: 900, height: 600 };
const roomy: Size = { width: 1440, height: 900 };
const zoomed = ({ width, height }: Size): Size => ({ width: width / 2, height: height / 2 });
/** Window sizes with the check of each; at 200 % zoom everything has to be reachable. */
const sizes: readonly (readonly [Size, (page: Page) => Promise<readonly string[]>])[] = [
  [smallest, layoutFaults],
  [roomy, layoutFaults],
  [zoomed(roomy), reachFaults],
  [zoomed(smallest), reachFaults],
];

/**
 * The first scenario of each screen, checked with axe's slow rules, light and dark. A test of the colour
 * tokens and `crowded` cover the others.
 */
const firstScenarios = new Set(
  new Map(stillScenarios.map((name) => [name.split('/')[0], name] as const).reverse()).values(),
);

/** Windows that no test is using. As many as `maxConcurrency` of this project. */
const windows: Gallery[] = [];
beforeAll(async () => {
  const { address } = inject('gallery');
  windows.push(...(await Promise.all([1, 2, 3].map(() => openGallery(address)))));
});
afterAll(() => Promise.all(windows.map((window) => window.close())));

async function inWindow(run: (gallery: Gallery) => Promise<void>): Promise<void> {
  const gallery = windows.pop();
  if (!gallery) throw new Error('More tests run at once than there are windows');
  await run(gallery).finally(() => windows.push(gallery));
}

it.concurrent('passes axe with components in light and dark', () =>
  inWindow(async (gallery) => {
    await gallery.show(components, { width: 1320, height: 900 });
    expect([...(await violations(gallery.page)), ...(await slowViolations(gallery.page))]).toEqual([]);
  }));

it.concurrent.each(stillScenarios)('shows %s completely, accessibly and reachably', (name) =>
  inWindow(async (gallery) => {
    const { page } = gallery;
    await gallery.show(name, smallest, pseudoTag);
    const faults = [
      ...(await page.evaluate<string[]>('[...unsaid(), ...cutOff(), ...scrollsSideways()]')),
      ...(await violations(page)),
    ];
    if (firstScenarios.has(name)) {
      faults.push(...(await slowViolations(page)));
      await gallery.dress('dark');
      faults.push(...(await slowViolations(page)));
      await gallery.dress('light');
    }
    // The pseudo-locale is at least as long as every language. Where it lacks room, German decides.
    const narrow: (typeof sizes)[number][] = [];
    for (const [size, faultsIn] of sizes) {
      await gallery.dress('light', size);
      if ((await faultsIn(page)).length > 0) narrow.push([size, faultsIn]);
    }
    if (narrow.length > 0) await gallery.show(name, smallest, 'de');
    for (const [size, faultsIn] of narrow) {
      await gallery.dress('light', size);
      faults.push(...(await faultsIn(page)));
    }
    expect(faults).toEqual([]);
  }),
);
