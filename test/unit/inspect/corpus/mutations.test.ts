import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { costOf } from '../../../../tools/sense/mutations.ts';
import { endTargets } from '../../../fuzz/targets/ends.ts';
import { headTargets } from '../../../fuzz/targets/heads.ts';

const sources = join(import.meta.dirname, '..', '..', '..', '..', 'main', 'inspect', 'formats');

/** `npm run sense -- --mutations 100000` runs more per reader. */
const count = 300;

it.each(headTargets)(
  '$name: survives mutated files without a throw, long run or much memory',
  async (target) => {
    expect(await costOf(target, count)).toMatchObject({ thrown: 0, late: 0, large: 0 });
  },
);

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
  const [heads, endFormats] = [headTargets, endTargets].map(
    (allTargets) => new Set(allTargets.map(({ name }) => name.replace(/^end-of\./, '').replace(/-.*/, ''))),
  );
  const withoutTarget = rows.filter(
    ({ endings, isHead }) =>
      !endings.some((extension) => heads?.has(extension) || (!isHead && endFormats?.has(extension))),
  );
  expect(withoutTarget.map(({ reader }) => reader)).toEqual([]);
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
  const openingModules = names.filter((name) =>
    /^import (?!type )[^;]*'node:(?!path|zlib)/m.test(readFileSync(join(sources, name), 'utf8')),
  );
  expect(openingModules).toEqual([]);
});
