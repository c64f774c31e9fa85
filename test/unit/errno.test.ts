import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { codeOf, hasCode } from '../../main/errno.ts';

it('codeOf() returns the system’s error code', async () => {
  const thrown: unknown = await readFile(`${import.meta.dirname}/there-is-none`).catch((error) => error);
  expect(codeOf(thrown)).toBe('ENOENT');
  expect(hasCode(thrown, 'EEXIST', 'ENOENT')).toBe(true);
  expect(hasCode(thrown, 'EEXIST')).toBe(false);
});

it('codeOf() returns nothing without a code', () => {
  const errors = [
    new Error('ENOENT'),
    { code: 'ENOENT' },
    'ENOENT',
    undefined,
    Object.assign(new Error(), { code: 2 }),
  ];
  for (const item of errors)
    expect([codeOf(item), hasCode(item, 'ENOENT', 'undefined', '2')]).toEqual([undefined, false]);
});
