import { describe, expect, it } from 'vitest';
import {
  isNewer,
  isUploading,
  nextStep,
  switchedOffBy,
  type UpdateFacts,
} from '../../../../main/desktop/updates/update-policy.ts';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { UpdatePhase } from '../../../../shared/updates.ts';
import { job } from '../stand-ins.ts';

const calmFacts: UpdateFacts = {
  switchedOffBy: null,
  checkIsDue: true,
  isUploading: false,
  hasBeenQuiet: true,
};
const version = '0.2.0';
const unreachableError = toErrorRecord(new TileliftError('update-unreachable'));
const phases: readonly UpdatePhase[] = [
  { kind: 'idle', checkedAt: null },
  { kind: 'checking' },
  { kind: 'available', version },
  { kind: 'by-hand', version },
  { kind: 'downloading', version, percent: 40 },
  { kind: 'ready', version },
  { kind: 'failed', error: unreachableError },
];

describe('switchedOffBy()', () => {
  const allFacts = { hasFeed: true, areAllowed: true, isEnabled: true };

  it('switchedOffBy() ranks a build without an address over the administrator over the user', () => {
    expect(switchedOffBy(allFacts)).toBeNull();
    expect(switchedOffBy({ ...allFacts, isEnabled: false })).toBe('person');
    expect(switchedOffBy({ ...allFacts, areAllowed: false, isEnabled: false })).toBe('administrator');
    expect(switchedOffBy({ hasFeed: false, areAllowed: false, isEnabled: false })).toBe('build');
  });
});

it.each(['build', 'administrator', 'person'] as const)(
  'nextStep() does nothing when the %s has switched updates off',
  (switchedOffBy) => {
    for (const phase of phases)
      expect(nextStep(phase, { ...calmFacts, switchedOffBy })).toBe(
        phase.kind === 'downloading' ? 'stop-download' : null,
      );
  },
);

it.each(['creating', 'uploading', 'completing'] as const)(
  'isUploading() is true while a job is %s',
  (status) => {
    expect(isUploading([job({ status: 'complete' }), job({ status })])).toBe(true);
  },
);

it('isUploading() is true while an upload waits for the network', () => {
  expect(isUploading([job({ waitingFor: 'network' })])).toBe(true);
});

it.each([
  { status: 'tiling' },
  { status: 'paused' },
  { status: 'queued', waitingFor: 'turn' },
  { status: 'uploading', waitingFor: 'sign-in' },
] as const)('isUploading() is false for %o', (facts) => expect(isUploading([job(facts)])).toBe(false));

// Semantic Versioning 2.0.0, clause 11, and more.
const rising = [
  ...'0.1.0 0.2.0-alpha 0.2.0-alpha.1 0.2.0-alpha.beta 0.2.0-beta 0.2.0-beta.2 0.2.0-beta.11'.split(' '),
  ...'0.2.0-rc.1 0.2.0 0.2.9 0.2.10 0.10.0 1.0.0'.split(' '),
];

it('isNewer() orders versions by number and pre-releases before releases', () => {
  for (const [place, version] of rising.entries())
    for (const [index, higherVersion] of rising.entries())
      expect(isNewer(version, higherVersion), `${version} after ${higherVersion}`).toBe(place > index);
});

it('isNewer() ignores build metadata', () => {
  expect(isNewer('1.2.3', '1.2.3')).toBe(false);
  expect(isNewer('1.2.3+5', '1.2.3')).toBe(false);
});

it.each(['', 'v2.0.0', '2.0', '2', 'latest', '2.0.0-', '2.0.0 ', '../2.0.0'])(
  'isNewer() rejects “%s”',
  (text) => expect(isNewer(text, '1.0.0')).toBe(false),
);
