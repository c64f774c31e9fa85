import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextVersion } from '../../../tools/release/release.ts';

const part = fc.nat({ max: 50 });
const release = fc.tuple(part, part, part).map((numbers) => numbers.join('.'));
const word = fc.constantFrom('alpha', 'beta', 'rc', '1', '2', '10', 'x-1');
const early = fc
  .tuple(release, fc.array(word, { minLength: 1, maxLength: 3 }))
  .map(([numbers, words]) => `${numbers}-${words.join('.')}`);
const version = fc.oneof(release, early);
const step = fc.constantFrom('patch', 'minor', 'major');

/** Whether one version may follow the other. */
const follows = (nextVersionText: string, current: string) => {
  try {
    return nextVersion(current, nextVersionText) === nextVersionText;
  } catch {
    return false;
  }
};

it.each([
  ['1.2.3', 'patch', '1.2.4'],
  ['1.2.3', 'minor', '1.3.0'],
  ['1.2.3', 'major', '2.0.0'],
  ['1.3.0-beta.2', 'minor', '1.3.0'],
  ['1.2.4-beta.2', 'minor', '1.3.0'],
  ['1.2.4-beta.2', 'patch', '1.2.4'],
  ['2.0.0-rc.1', 'major', '2.0.0'],
  ['1.2.3', '1.3.0-beta.1', '1.3.0-beta.1'],
  ['1.3.0-beta.9', '1.3.0-beta.10', '1.3.0-beta.10'],
])('nextVersion() after %s for %s is %s', (current, wantedStep, expectedVersion) =>
  expect(nextVersion(current, wantedStep)).toBe(expectedVersion),
);

it('nextVersion() is above the current one for any step', () => {
  fc.assert(
    fc.property(version, step, (current, wantedStep) => {
      const result = nextVersion(current, wantedStep);
      expect(follows(result, current)).toBe(true);
      expect(result).toMatch(/^\d+\.\d+\.\d+$/);
    }),
  );
});

it('nextVersion() accepts one order of two different versions', () => {
  fc.assert(
    fc.property(version, version, (item, otherVersion) => {
      expect(Number(follows(item, otherVersion)) + Number(follows(otherVersion, item))).toBe(
        item === otherVersion ? 0 : 1,
      );
    }),
  );
});

it('nextVersion() accepts the release after its pre-release', () => {
  fc.assert(fc.property(early, (earlyVersion) => follows(earlyVersion.replace(/-.*/, ''), earlyVersion)));
});

it.each(['1.2', 'v1.2.3', '1.2.3+5', '01.2.3', '1.2.3-beta..1', '1.2.3-01', 'next', ''])(
  'nextVersion() throws for “%s”, which is no version',
  (wantedStep) => expect(() => nextVersion('1.0.0', wantedStep)).toThrow('is no version'),
);

it('nextVersion() throws for the same or a lower version', () => {
  expect(() => nextVersion('1.2.3', '1.2.3')).toThrow('not above 1.2.3');
  expect(() => nextVersion('1.2.3', '1.2.3-rc.1')).toThrow('not above 1.2.3');
});
