import { afterEach, beforeEach, expect, it } from 'vitest';
import { callInputs } from '../../../main/ipc/inputs.ts';
import { mutate } from '../../fuzz/mutate.ts';
import { Random } from '../../fuzz/random.ts';
import { createTargetThread, type TargetThread } from '../../fuzz/run-target.ts';
import { targets } from '../../fuzz/targets/all.ts';

let thread: TargetThread;
beforeEach(() => {
  thread = createTargetThread(6_000);
});
afterEach(() => thread.close());
const play = (...inputs: readonly string[]) =>
  thread.run({ target: 'self-check', seed: 1, lasts: 0, only: inputs.map((item) => Buffer.from(item)) });

it.each([
  ['crash', 'crash'],
  ['escape', 'escape'],
  ['late', 'hang'],
  ['hang', 'hang'],
  ['end', 'crash'],
])('a fuzzing run finds the input %s, and reports it as %s', async (inputName, fault) => {
  const { faults } = await play('fine', inputName);
  expect(faults).toMatchObject([{ fault }]);
  expect(Buffer.from(faults[0]?.input ?? []).toString()).toBe(inputName);
  expect(await play('fine')).toMatchObject({ inputs: 1, faults: [] });
});

it('a fuzzing run repeats its inputs for the same seed', () => {
  const inputs = (seed: number) => {
    const random = new Random(seed);
    const seeds = [Buffer.from('{"a":[1,2]}'), Buffer.from('<a>b</a>')];
    return Array.from({ length: 50 }, () =>
      mutate(random.pickOne(seeds), random, ['"a"'], seeds).toString('hex'),
    );
  };
  expect(inputs(7)).toEqual(inputs(7));
  expect(inputs(7)).not.toEqual(inputs(8));
});

it('a fuzzing run has a target for every trust boundary', () => {
  const names = targets.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const border of [
    ...'deep-links service-answers asset-answers token-answers storage-xml leases policy'.split(' '),
    ...'settings journal-rows tif las jpg png gml named-by-obj named-by-mtl zip csv-export'.split(' '),
    ...'update-feed'.split(' '),
  ])
    expect(names).toContain(border);
  expect(names.filter((name) => name.startsWith('call-')).length).toBe(Object.keys(callInputs).length);
});
