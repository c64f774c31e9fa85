import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { costOf } from '../../../../tools/sense/mutations.ts';
import { headTargets } from '../../../fuzz/targets/heads.ts';

/** `npm run sense -- --mutations 100000` gives each reader more. */
const count = 300;

it.each(headTargets)('$name: no broken file throws, takes long or much memory', async (target) => {
  expect(await costOf(target, count)).toMatchObject({ thrown: 0, late: 0, large: 0 });
});

it('what throws is counted', async () => {
  const run = () => {
    throw new Error('for the test');
  };
  expect(await costOf({ name: 'a', seeds: ['x'], run }, 3)).toMatchObject({ thrown: 3 });
});

it('no reader opens a file: they read what they are given', () => {
  const formats = join(import.meta.dirname, '..', '..', '..', '..', 'main', 'source', 'formats');
  const names = readdirSync(formats, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(names.length).toBeGreaterThan(15);
  const opening = names.filter((name) =>
    /^import (?!type )[^;]*'node:(?!path|zlib)/m.test(readFileSync(join(formats, name), 'utf8')),
  );
  expect(opening).toEqual([]);
});
