import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { type NamesOnDisk, whereaboutsOf } from '../../../main/files/whereabouts.ts';

/** Simulates a disk with these paths, case-sensitive or not. */
function disk(tellsCase: boolean, ...paths: readonly string[]): NamesOnDisk {
  const norm = (path: string) => (tellsCase ? path : path.toLowerCase());
  const all = paths.flatMap((path) => {
    const names = path.split('/');
    return names.map((_, index) => posix.join('/in', ...names.slice(0, index + 1)));
  });
  return {
    lstat: async (path) => {
      if (!all.some((one) => norm(one) === norm(path))) throw new Error('ENOENT');
    },
    readdir: async (path) =>
      all.filter((one) => norm(posix.dirname(one)) === norm(path)).map((one) => posix.basename(one)),
  };
}

it('distinguishes a folder renamed in case from another folder next to it', async () => {
  const at = (path: string, asNow: string, on: NamesOnDisk) => whereaboutsOf('/in', path, asNow, on);
  expect(await at('Flight', 'flight', disk(false, 'flight'))).toBe('other-case');
  expect(await at('2024/Flight', '2024/flight', disk(false, '2024/flight'))).toBe('other-case');
  expect(await at('Nov/Flight', 'nov/Flight', disk(false, 'nov/Flight'))).toBe('other-case');
  expect(await at('Flight', 'flight', disk(true, 'flight'))).toBe(false);
  expect(await at('Flight', 'flight', disk(true, 'flight', 'Flight'))).toBe(true);
  expect(await at('Flight', 'Flight_2', disk(false, 'flight', 'Flight_2'))).toBe(true);
});
