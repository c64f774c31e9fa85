import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wholePercent } from '../../../../strings/format/number.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const files = globSync('renderer/**/*.{svelte,css,ts}', { cwd: root });
const text = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** What a repaint does, or the compositor alone; for all else the page is laid out anew with each picture. */
const light = new Set([
  ...['none', 'colors', 'transform', 'opacity', 'shadow', 'color', 'background-color', 'border-color'],
  ...['box-shadow', 'translate', 'rotate'],
]);

/** The properties that a file says glide: by classes, and by rules. */
function gliding(source: string): string[] {
  const classes = [...source.matchAll(/(?<![\w-])transition(?:-(\[[^\]]*\]|[a-z]+))?(?=[\s"'`}])/g)].map(
    ([, what = '(everything)']) => what,
  );
  const rules = [...source.matchAll(/(?<![\w-])transition(?:-property)?:\s*([^;{}]+);/g)].flatMap(
    ([, list = '']) => list.split(',').map((one) => one.trim().split(/\s/, 1)[0] ?? ''),
  );
  return [...classes, ...rules].flatMap((what) => what.replaceAll(/[[\]]/g, '').split(','));
}

describe('what glides on a page', () => {
  it('is nothing that lays the page out anew with each picture', () => {
    expect([...text.values()].flatMap(gliding).length).toBeGreaterThan(5);
    const heavy = [...text].flatMap(([file, source]) =>
      gliding(source).flatMap((what) => (light.has(what) ? [] : [`${file}: ${what}`])),
    );
    expect(heavy).toEqual([]);
  });

  it('is found wherever it is written', () => {
    expect(gliding('<i class="a transition-[width] b"></i>')).toEqual(['width']);
    expect(gliding('<i class="transition"></i>')).toEqual(['(everything)']);
    expect(gliding('a { transition: height 1s, color 2s; }')).toEqual(['height', 'color']);
  });
});

describe('the width of a bar', () => {
  it('changes a hundred times from its beginning to its end, however often progress is told', () => {
    const told = Array.from({ length: 100_001 }, (_, count) => wholePercent(count / 100_000));
    const changes = told.filter((percent, index) => index > 0 && percent !== told[index - 1]);
    expect(changes).toHaveLength(100);
    expect(told[0]).toBe(0);
    expect(told.at(-1)).toBe(100);
    const bar = text.get(join('renderer', 'components', 'ProgressBar.svelte')) ?? '';
    expect([...bar.matchAll(/style:width="\{(\w+)\}%"/g)].map(([, of]) => of)).toEqual([
      'reachedPercent',
      'percent',
    ]);
    expect(bar).toContain('percent = $derived(wholePercent(fraction))');
    expect(bar).toContain('reachedPercent = $derived(wholePercent(reached))');
  });
});
