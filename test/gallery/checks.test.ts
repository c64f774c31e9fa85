import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { layoutFaults, reachFaults, slowViolations, violations } from './checks.ts';
import { type Gallery, openGallery } from './gallery.ts';
import { pseudoTag } from './pseudo-locale.ts';

/** Faults planted in a page that has none: each check finds its own. */

let gallery: Gallery;
beforeAll(async () => {
  gallery = await openGallery(inject('gallery').address);
});
afterAll(() => gallery?.close());
beforeEach(() => gallery.show('settings/usual', { width: 900, height: 600 }, pseudoTag));

it('finds nothing in a page without faults', async () => {
  expect(await violations(gallery.page)).toEqual([]);
  expect(await layoutFaults(gallery.page)).toEqual([]);
  expect(await reachFaults(gallery.page)).toEqual([]);
  expect(await gallery.page.evaluate('unsaid()')).toEqual([]);
});

it('shows a state in a used page as in a fresh one', async () => {
  const textOf = async (name: string) => {
    await gallery.show(name, { width: 900, height: 600 }, pseudoTag);
    return gallery.page.evaluate<string>('document.body.innerText');
  };
  await textOf('uploads/cancel-asked');
  const used = await textOf('uploads/offline');
  // Another language loads the page again.
  await gallery.show('uploads/busy', { width: 900, height: 600 }, 'de');
  expect(await textOf('uploads/offline')).toBe(used);
});

it('finds controls without a name', async () => {
  await gallery.page.evaluate(`document.querySelector('main section section button').replaceChildren()`);
  expect(await violations(gallery.page)).toContainEqual(expect.stringContaining('button-name'));
});

it.each([
  ['light', '#e8e8e8'],
  ['dark', '#262626'],
] as const)('finds text of low contrast in the %s theme', async (theme, colour) => {
  await violations(gallery.page);
  await gallery.page.evaluate(`{
    const text = document.body.appendChild(document.createElement('p'));
    text.id = 'pale-in-the-${theme}';
    text.append('Pale words');
    text.style = 'position: fixed; inset: 0 auto auto 0; z-index: 99; background: var(--color-panel); color: ${colour}';
  }`);
  await gallery.dress(theme);
  expect(await slowViolations(gallery.page)).toContainEqual(expect.stringContaining(`pale-in-the-${theme}`));
});

it.each([
  ['text over other text', { marginTop: '-16px' }, ': over '],
  ['text over the edge of the window', { position: 'fixed', left: '99%' }, ': over the edge'],
  ['small targets', { font: '9px/1 serif', height: '12px', padding: '0' }, ' to hit'],
  ['truncated text', { width: '20px', whiteSpace: 'nowrap' }, ' in 20×'],
])('finds %s', async (_fault, style, message) => {
  await gallery.page.evaluate(`{
    const planted = document.querySelector('h1').parentElement.appendChild(document.createElement('button'));
    planted.append('Planted words');
    planted.style.display = 'block';
    Object.assign(planted.style, ${JSON.stringify(style)});
  }`);
  expect(await layoutFaults(gallery.page)).toContainEqual(expect.stringContaining(message));
});

it('finds text that touches a control', async () => {
  await gallery.page.evaluate(`{
    const { right, top } = document.querySelector('h1').getBoundingClientRect();
    const planted = document.body.appendChild(document.createElement('button'));
    planted.append('Planted');
    Object.assign(planted.style, { position: 'fixed', left: right + 1 + 'px', top: top + 'px', height: '24px' });
  }`);
  expect(await layoutFaults(gallery.page)).toContainEqual(expect.stringContaining(': touches Planted'));
});

it('finds a separator at the beginning of a line', async () => {
  await gallery.page.evaluate(`{
    const planted = document.querySelector('h1').parentElement.appendChild(document.createElement('p'));
    planted.append('Planted · words');
    planted.style.width = 'min-content';
  }`);
  expect(await layoutFaults(gallery.page)).toContain('Planted · words: a line begins with a separator');
});

it('finds controls that an ancestor cuts off and can’t scroll into view', async () => {
  await gallery.show('new-asset/recognised', { width: 900, height: 600 }, pseudoTag);
  expect(await layoutFaults(gallery.page)).toEqual([]);
  await gallery.page.evaluate(
    `Object.assign(document.querySelector('footer [type=submit]').style, { position: 'relative', left: '160px' })`,
  );
  const isClipped = expect.stringContaining(': clipped, of ');
  expect(await layoutFaults(gallery.page)).toContainEqual(isClipped);
  expect(await reachFaults(gallery.page)).toContainEqual(isClipped);
});

it('finds controls that a pointer can’t reach', async () => {
  await gallery.page.evaluate(
    `Object.assign(document.querySelector('main section section button').style, { position: 'fixed', left: '-400px' })`,
  );
  expect(await reachFaults(gallery.page)).toContainEqual(expect.stringContaining('runs out of the window'));
});

it.each([
  ['text', `document.querySelector('h1').append(' Choose a folder')`, 'h1: Choose a folder'],
  ['a word', `document.querySelector('h1').append(' Settings')`, 'h1: Settings'],
  [
    'text beside data',
    `document.querySelector('h1').append(' EPSG:25832 of dgm.tif')`,
    'h1: EPSG:25832 of dgm.tif',
  ],
  ['a name', `document.querySelector('button').setAttribute('aria-label', 'Close')`, 'aria-label: Close'],
  [
    'a placeholder',
    `document.querySelector('h1').setAttribute('placeholder', 'Search files')`,
    'placeholder: Search files',
  ],
])('finds English that is not in the catalogue: %s', async (_kind, plant, message) => {
  await gallery.page.evaluate(plant);
  expect(await gallery.page.evaluate('unsaid()')).toContain(message);
});
