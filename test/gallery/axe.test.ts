import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gallery, openGallery, stillScenarios } from './gallery.ts';

const usual = { width: 900, height: 600 };
/** What a window of 1440×900 has at 200 %. */
const zoomed = { width: 720, height: 450 };
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery?.close());

describe.each(stillScenarios)('%s', (name) => {
  it('has nothing that keeps anybody out, in light and in dark', async () => {
    await gallery.show(name, usual);
    const light = await look((builder) => builder.withTags(rules));
    await gallery.dress('dark');
    // Only colours differ.
    const dark = await look((builder) => builder.withRules('color-contrast'));
    expect([...light, ...dark]).toEqual([]);
  });

  it('can be used at 200 %', async () => {
    await gallery.dress('light', zoomed);
    expect(await gallery.page.evaluate('scrollsSideways()')).toEqual([]);
    expect(await gallery.page.evaluate('unreachable()')).toEqual([]);
  });
});

async function look(which: (builder: AxeBuilder) => AxeBuilder): Promise<readonly string[]> {
  // The other mode opens a further page, which this engine has no window for.
  const builder = new AxeBuilder({ page: gallery.page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] });
  const { violations } = await which(builder).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
