import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { components, type Gallery, openGallery, type Size, stillScenarios } from './gallery.ts';

const usual: Size = { width: 900, height: 600 };
/** What the smallest window and one of 1440×900 have at 200 %. */
const zoomed: readonly (Size & { readonly window: string })[] = [
  { window: '1440×900', width: 720, height: 450 },
  { window: '900×600', width: 450, height: 300 },
];
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery?.close());

it('the parts that screens are made of keep nobody out, light beside dark', async () => {
  await gallery.show(components, { width: 1320, height: 900 });
  expect(await everything()).toEqual([]);
});

describe.each(stillScenarios)('%s', (name) => {
  beforeAll(() => gallery.show(name, usual));

  it('has nothing that keeps anybody out, in light and in dark', async () => {
    const light = await everything();
    await gallery.dress('dark');
    const dark = await colours();
    expect([...light, ...dark]).toEqual([]);
  });

  it.each(zoomed)('can be used at 200 % in a window of $window', async (size) => {
    await gallery.dress('light', size);
    expect(await gallery.page.evaluate('scrollsSideways()')).toEqual([]);
    expect(await gallery.page.evaluate('windowScrolls()')).toBe(false);
    expect(await gallery.page.evaluate('unreachable()')).toEqual([]);
  });
});

type Found = Awaited<ReturnType<AxeBuilder['analyze']>>;

async function everything(): Promise<readonly string[]> {
  const builder = new AxeBuilder({ page: gallery.page })
    // The other mode opens a further page, which this engine has no window for.
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] });
  return inWords(await builder.withTags(tags).analyze());
}

/** What alone differs in the dark, by the axe that is in the page already: to bring it there takes longer than to look. */
async function colours(): Promise<readonly string[]> {
  const options = JSON.stringify({ runOnly: ['color-contrast'], resultTypes: ['violations'] });
  return inWords(await gallery.page.evaluate<Found>(`axe.run(document, ${options})`));
}

function inWords({ violations }: Found): readonly string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
