import { expect, it } from 'vitest';
import { isNewer } from '../../../../main/desktop/updates/version.ts';

// The order of Semantic Versioning 2.0.0, clause 11, and then some.
const rising = [
  '0.1.0',
  '0.2.0-alpha',
  '0.2.0-alpha.1',
  '0.2.0-alpha.beta',
  '0.2.0-beta',
  '0.2.0-beta.2',
  '0.2.0-beta.11',
  '0.2.0-rc.1',
  '0.2.0',
  '0.2.9',
  '0.2.10',
  '0.10.0',
  '1.0.0',
];

it('orders versions by number, and what leads to a release before it', () => {
  for (const [place, version] of rising.entries())
    for (const [other, another] of rising.entries())
      expect(isNewer(version, another), `${version} after ${another}`).toBe(place > other);
});

it('finds nothing newer in the same version, whatever build it is', () => {
  expect(isNewer('1.2.3', '1.2.3')).toBe(false);
  expect(isNewer('1.2.3+5', '1.2.3')).toBe(false);
});

it.each(['', 'v2.0.0', '2.0', '2', 'latest', '2.0.0-', '2.0.0 ', '../2.0.0'])(
  'takes “%s” for no version',
  (text) => {
    expect(isNewer(text, '1.0.0')).toBe(false);
  },
);
