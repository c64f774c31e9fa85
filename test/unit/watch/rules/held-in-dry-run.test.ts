import { expect, it, vi } from 'vitest';
import type { FoundSource } from '../../../../main/watch/model/model.ts';
import { findHeld } from '../../../../main/watch/rules/dry-run.ts';
import type { DryRunLooked } from '../../../../shared/watch.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const rule = aWatchRule({ folder: '/srv', hold: 'will-fail' });
const cut = { id: 'cut-off', count: 1, files: ['a.tif'] } as const;
const sources = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => ({ path: `${at}`, files: [{}], bytes: 5 }) as never as FoundSource,
  );

/** Simulates inspections of one second each, and truncated data at these paths. */
function played(paths: readonly string[], onFind: (path: string) => void = () => {}) {
  let now = 0;
  const reported: DryRunLooked[] = [];
  const find = vi.fn(async (_rule: unknown, { path }: Pick<FoundSource, 'path'>) => {
    now += 1_000;
    onFind(path);
    return { findings: paths.includes(path) ? [cut] : [], degrees: [] };
  });
  const parts = {
    ...{ findings: { find }, clock: { elapsed: () => now } },
    nameOf: ({ path }: FoundSource, index: number) => `${path} as ${index}`,
    onProgress: (looked: DryRunLooked) => reported.push(looked),
  };
  return { parts, reported, find };
}

const never = new AbortController().signal;

it('dry run inspects all sources and reports its progress', async () => {
  const { parts, reported } = played(['3', '1399']);
  await findHeld(rule, sources(1_400), parts, never);
  expect(reported[0]).toEqual({ looked: 0, total: 1_400, isOver: false, heldCount: 0, held: [] });
  expect(reported[700]).toMatchObject({ looked: 700, heldCount: 1, isOver: false });
  expect(reported.at(-1)).toMatchObject({ looked: 1_400, total: 1_400, heldCount: 2, isOver: true });
  expect(reported.at(-1)?.held.map(({ path, name, files, bytes }) => [path, name, files, bytes])).toEqual([
    ['3', '3 as 3', 1, 5],
    ['1399', '1399 as 1399', 1, 5],
  ]);
});

it('dry run counts held sources that a changed rule takes newly', async () => {
  const { parts, reported } = played(['3', '4', '5']);
  await findHeld(rule, sources(9), { ...parts, newly: new Set(['4', '5', '6']) }, never);
  expect(reported.at(-1)).toMatchObject({ heldCount: 3, newlyHeld: 2 });
});

it('dry run counts all held sources and lists the first 60', async () => {
  const all = sources(200);
  const { parts, reported } = played(all.map(({ path }) => path));
  await findHeld(rule, all, parts, never);
  expect(reported.at(-1)).toMatchObject({ heldCount: 200 });
  expect(reported.at(-1)?.held).toHaveLength(60);
});

it('dry run reports how many sources it inspected when its time ends', async () => {
  const late = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal);
  const { parts, reported, find } = played([], (path) => {
    if (path === '5') late.abort();
  });
  await findHeld(rule, sources(10), parts, never);
  expect(AbortSignal.timeout).toHaveBeenCalledWith(120_000);
  expect(reported.at(-1)).toMatchObject({ looked: 5, total: 10, isOver: true });
  expect(find).toHaveBeenCalledTimes(6);
});

it('dry run stops when cancelled, and reports nothing if the rule holds nothing', async () => {
  const left = new AbortController();
  const { parts, reported, find } = played([], () => left.abort());
  await findHeld(rule, sources(10), parts, left.signal);
  expect(reported).toHaveLength(1);
  expect(find).toHaveBeenCalledTimes(1);
  const other = played(['1']);
  await findHeld({ ...rule, hold: 'never' }, sources(3), other.parts, never);
  expect(other.reported).toEqual([]);
});
