import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { costOf } from '../../../../tools/sense/mutations.ts';
import { mutate } from '../../../fuzz/mutate.ts';
import { Random } from '../../../fuzz/random.ts';
import type { Target } from '../../../fuzz/target.ts';
import { endTargets } from '../../../fuzz/targets/ends.ts';
import { headTargets } from '../../../fuzz/targets/heads.ts';

const sources = join(import.meta.dirname, '..', '..', '..', '..', 'main', 'inspect', 'formats');

/** `npm run sense -- --mutations 100000` runs more per reader. */
const count = 300;

/** Blocks of code that a reader may run per file on average: as many as the slowest one, twice. */
const maxBlocks = 250_000;

/** Counts executed blocks of code, which other programs don't change, unlike times. */
const profiler = new Session();
beforeAll(async () => {
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});
afterAll(() => profiler.disconnect());

async function takeBlocks(): Promise<number> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => /\/main\/|mutations\.test/.test(url))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, range) => sum + range.count, 0);
}

/** Blocks of code that the reader runs per mutated file. Throws if the reader does. */
async function workOf({ seeds, words = [], run }: Target): Promise<number> {
  const random = new Random(count);
  const originals = seeds.map((seed) => Buffer.from(seed));
  const inputs = Array.from({ length: count }, () => mutate(random.one(originals), random, words, originals));
  await takeBlocks();
  for (const input of inputs) await run(input);
  return (await takeBlocks()) / count;
}

it.each(headTargets)('$name: survives mutated files without a throw or much work', async (target) => {
  expect(await workOf(target)).toBeLessThan(maxBlocks);
});

it('the work of a slow reader is noticed', async () => {
  const run = (input: Buffer) => {
    let sum = 0;
    for (const byte of input.subarray(0, 4_000))
      for (const other of input.subarray(0, 200)) sum += byte & other;
    return String(sum);
  };
  expect(await workOf({ name: 'a', seeds: [Buffer.alloc(4_000)], run })).toBeGreaterThan(maxBlocks);
});

it('every reader has a mutation target', () => {
  const text = readFileSync(join(sources, 'read-file.ts'), 'utf8');
  const rows = [
    ...text.matchAll(/^ {2}\[(?:createEndReader\()?(\w+)(?:, 'unfilled')?\)?, \[([^\]]+)\]\],$/gm),
  ].map(([, reader, endings = '']) => ({
    reader,
    endings: endings.match(/\w+/g) ?? [],
    isHead: !text.includes(`createEndReader(${reader}`),
  }));
  expect(rows.length).toBeGreaterThan(30);
  const [heads, ends] = [headTargets, endTargets].map(
    (all) => new Set(all.map(({ name }) => name.replace(/^end-of\./, '').replace(/-.*/, ''))),
  );
  const without = rows.filter(
    ({ endings, isHead }) => !endings.some((one) => heads?.has(one) || (!isHead && ends?.has(one))),
  );
  expect(without.map(({ reader }) => reader)).toEqual([]);
});

it('the mutation run counts throws', async () => {
  const run = () => {
    throw new Error('for the test');
  };
  expect(await costOf({ name: 'a', seeds: ['x'], run }, 3)).toMatchObject({ thrown: 3 });
});

it('readers open no files themselves', () => {
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(names.length).toBeGreaterThan(15);
  const opening = names.filter((name) =>
    /^import (?!type )[^;]*'node:(?!path|zlib)/m.test(readFileSync(join(sources, name), 'utf8')),
  );
  expect(opening).toEqual([]);
});
