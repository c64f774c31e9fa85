import { expect, it } from 'vitest';
import { areInstalled } from '../../../scripts/setup/packages.mjs';

const zod = { version: '4.6.7', integrity: 'sha512-a' };
const forWindows = { version: '1.0.0', integrity: 'sha512-b', optional: true };
const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
const wantedLock = lock({
  '': { name: 'tilelift' },
  'node_modules/zod': zod,
  'node_modules/for-windows': forWindows,
});

it('areInstalled() accepts packages of `npm ci` without those of other systems', () => {
  expect(areInstalled(wantedLock, lock({ 'node_modules/zod': zod }))).toBe(true);
  expect(
    areInstalled(wantedLock, lock({ 'node_modules/zod': zod, 'node_modules/for-windows': forWindows })),
  ).toBe(true);
});

it.each([
  ['nothing', lock({})],
  ['no list of npm’s', 'cut off'],
  ['another version', lock({ 'node_modules/zod': { ...zod, version: '4.6.8' } })],
  ['other bytes', lock({ 'node_modules/zod': { ...zod, integrity: 'sha512-c' } })],
  ['something that is missing', lock({ 'node_modules/for-windows': forWindows })],
  ['something that is not asked for any more', lock({ 'node_modules/zod': zod, 'node_modules/old': zod })],
])('areInstalled() is false for %s', (_, installedText) =>
  expect(areInstalled(wantedLock, installedText)).toBe(false),
);
