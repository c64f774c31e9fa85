import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { contrastViolations, layoutFaults, reachFaults, violations } from './checks.ts';
import { components, type Gallery, openGallery, type Size, stillScenarios } from './gallery.ts';
import { pseudoTag } from './pseudo-locale.ts';

const smallest: Size = { width: 900, height: 600 };
const roomy: Size = { width: 1440, height: 900 };
/** What windows of these sizes have at 200 %. */
const zoomed: readonly Size[] = [roomy, smallest].map(({ width, height }) => ({
  width: width / 2,
  height: height / 2,
}));

/** The first scenario of each screen is also seen in the dark; all others by their colour tokens. */
const darkScenarios = new Set(
  new Map(stillScenarios.map((name) => [name.split('/')[0], name] as const).reverse()).values(),
);

/** Windows that no test is using. As many as `maxConcurrency` of this project. */
const windows: Gallery[] = [];
beforeAll(async () => {
  const { address } = inject('gallery');
  windows.push(...(await Promise.all([openGallery(address), openGallery(address)])));
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
    expect(await violations(gallery.page)).toEqual([]);
  }));

it.concurrent.each(stillScenarios)('shows %s completely, accessibly and reachably', (name) =>
  inWindow(async (gallery) => {
    const { page } = gallery;
    await gallery.show(name, smallest, pseudoTag);
    const faults = [
      ...(await page.evaluate<string[]>('[...unsaid(), ...cutOff(), ...scrollsSideways()]')),
      ...(await violations(page)),
    ];
    if (darkScenarios.has(name)) {
      await gallery.dress('dark');
      faults.push(...(await contrastViolations(page)));
      await gallery.dress('light');
    }
    // The pseudo-locale is at least as long as every language. Where it lacks room, the longest one decides.
    if ((await sizeFaults(gallery)).length > 0) {
      await gallery.show(name, smallest, 'de');
      faults.push(...(await sizeFaults(gallery)));
    }
    expect(faults).toEqual([]);
  }),
);

/** What lacks room in the shown state, from its window of the smallest size to zoomed ones. */
async function sizeFaults(gallery: Gallery): Promise<readonly string[]> {
  const faults = [...(await layoutFaults(gallery.page))];
  await gallery.dress('light', roomy);
  faults.push(...(await layoutFaults(gallery.page)));
  for (const size of zoomed) {
    await gallery.dress('light', size);
    faults.push(...(await reachFaults(gallery.page)));
  }
  return faults;
}
