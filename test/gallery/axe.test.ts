import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { components, type Gallery, openGallery, type Size, stillScenarios } from './gallery.ts';

const usual: Size = { width: 900, height: 600 };
/** The smallest window and a roomy one. */
const sizes: readonly Size[] = [usual, { width: 1440, height: 900 }];
/** What the smallest window and one of 1440×900 have at 200 %. */
const zoomed: readonly (Size & { readonly window: string })[] = [
  { window: '1440×900', width: 720, height: 450 },
  { window: '900×600', width: 450, height: 300 },
];
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Half as much to bring and to read as `axe.source`. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery();
}, 120_000);
afterAll(() => gallery?.close());

it('the parts that screens are made of keep nobody out, light beside dark', async () => {
  await gallery.show(components, { width: 1320, height: 900 });
  expect(await everything()).toEqual([]);
});

describe('the look through a page', () => {
  beforeAll(async () => {
    await gallery.show('settings/usual', usual);
    expect(await everything()).toEqual([]);
  });
  const pale = (theme: string, colour: string) =>
    gallery.page.evaluate(`{
      const words = document.body.appendChild(document.createElement('p'));
      words.id = 'pale-in-the-${theme}';
      words.append('Pale words');
      words.style = 'position: fixed; inset: 0 auto auto 0; z-index: 99; background: var(--color-panel); color: ${colour}';
    }`);

  it('finds controls without a name', async () => {
    await gallery.page.evaluate(`document.querySelector('main button').replaceChildren()`);
    expect(await everything()).toContainEqual(expect.stringContaining('button-name'));
  });

  it.each([
    ['light', '#e8e8e8'],
    ['dark', '#262626'],
  ] as const)('finds words that are too pale in the %s', async (theme, colour) => {
    await pale(theme, colour);
    await gallery.dress(theme);
    expect(await colours()).toContainEqual(expect.stringContaining(`pale-in-the-${theme}`));
  });

  it.each([
    ['words over one another', { marginTop: '-16px' }, ': over '],
    ['words over the edge of the window', { position: 'fixed', left: '99%' }, ': over the edge'],
    ['controls that are hard to hit', { font: '9px/1 serif', height: '12px', padding: '0' }, ' to hit'],
  ])('finds %s', async (_what, style, found) => {
    await gallery.page.evaluate(`{
      const planted = document.querySelector('h1').parentElement.appendChild(document.createElement('button'));
      planted.append('Planted words');
      planted.style.display = 'block';
      Object.assign(planted.style, ${JSON.stringify(style)});
    }`);
    expect(await gallery.page.evaluate('crowded()')).toContainEqual(expect.stringContaining(found));
    await gallery.page.evaluate(`document.querySelector('h1').parentElement.lastChild.remove()`);
  });

  it('finds controls that a pointer can’t reach', async () => {
    await gallery.page.evaluate(
      `Object.assign(document.querySelector('main button').style, { position: 'fixed', left: '-400px' })`,
    );
    expect(await gallery.page.evaluate('unreachable()')).not.toEqual([]);
  });
});

describe.each(stillScenarios)('%s', (name) => {
  // In German, whose words are longer.
  beforeAll(() => gallery.show(name, usual, 'de'));

  it('has room for all of it', async () => {
    for (const size of sizes) {
      await gallery.dress('light', size);
      expect(await gallery.page.evaluate('[...crowded(), ...cutOff(), ...scrollsSideways()]')).toEqual([]);
      expect(await gallery.page.evaluate('windowScrolls()')).toBe(false);
    }
    await gallery.dress('light', usual);
  });

  it('has nothing that keeps anyone out, in light and in dark', async () => {
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

/** Brings axe into the page as it was loaded, once: half a megabyte takes longer to bring than the look. */
async function everything(): Promise<readonly string[]> {
  await gallery.page.evaluate(axe);
  return violations({ type: 'tag', values: tags });
}

/** What alone differs in the dark, by the axe that `everything` has brought. */
const colours = () => violations(['color-contrast']);

async function violations(runOnly: RunOptions['runOnly']): Promise<readonly string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] } satisfies RunOptions);
  // All that it looked at is a hundred times what it found.
  const found = `axe.run(document, ${options}).then(({ violations }) => ({ violations }))`;
  return inWords(await gallery.page.evaluate<Pick<AxeResults, 'violations'>>(found));
}

function inWords({ violations: found }: Pick<AxeResults, 'violations'>): readonly string[] {
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
