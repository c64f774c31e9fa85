import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wholePercent } from '../../../../strings/format/number.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const files = globSync('renderer/**/*.{svelte,css,ts}', { cwd: root });
const text = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** Properties that need only a repaint or the compositor; others trigger a layout for each frame. */
const light = new Set([
  ...['none', 'colors', 'transform', 'opacity', 'shadow', 'color', 'background-color', 'border-color'],
  ...['box-shadow', 'translate', 'rotate'],
]);

/** Properties with transitions in classes and rules of a file. */
function gliding(source: string): string[] {
  const classes = [...source.matchAll(/(?<![\w-])transition(?:-(\[[^\]]*\]|[a-z]+))?(?=[\s"'`}])/g)].map(
    ([, property = '(everything)']) => property,
  );
  const rules = [...source.matchAll(/(?<![\w-])transition(?:-property)?:\s*([^;{}]+);/g)].flatMap(
    ([, list = '']) => list.split(',').map((item) => item.trim().split(/\s/, 1)[0] ?? ''),
  );
  return [...classes, ...rules].flatMap((property) => property.replaceAll(/[[\]]/g, '').split(','));
}

it('transitions never trigger a layout', () => {
  expect([...text.values()].flatMap(gliding).length).toBeGreaterThan(5);
  const heavy = [...text].flatMap(([file, source]) =>
    gliding(source).flatMap((property) => (light.has(property) ? [] : [`${file}: ${property}`])),
  );
  expect(heavy).toEqual([]);
});

it('transitions are detected in classes and rules', () => {
  expect(gliding('<i class="a transition-[width] b"></i>')).toEqual(['width']);
  expect(gliding('<i class="transition"></i>')).toEqual(['(everything)']);
  expect(gliding('a { transition: height 1s, color 2s; }')).toEqual(['height', 'color']);
});

it('wholePercent() changes at most a hundred times, however often progress is reported', () => {
  const percentages = Array.from({ length: 100_001 }, (_, count) => wholePercent(count / 100_000));
  const changes = percentages.filter((percent, index) => index > 0 && percent !== percentages[index - 1]);
  expect(changes).toHaveLength(100);
  expect(percentages[0]).toBe(0);
  expect(percentages.at(-1)).toBe(100);
  const bar = text.get(join('renderer', 'components', 'ProgressBar.svelte')) ?? '';
  expect([...bar.matchAll(/style:width="\{(\w+)\}%"/g)].map(([, of]) => of)).toEqual([
    'reachedPercent',
    'percent',
  ]);
  expect(bar).toContain('percent = $derived(wholePercent(fraction))');
  expect(bar).toContain('reachedPercent = $derived(wholePercent(reached))');
});
