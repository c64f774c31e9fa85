import { describe, expect, it } from 'vitest';
import { needsAwake, setupKeepAwake } from '../../../main/desktop/keep-awake.ts';
import type { Work } from '../../../main/desktop/work.ts';
import { memorySettings } from '../account/stand-ins.ts';
import { job } from './stand-ins.ts';

describe('whether the computer is to stay awake', () => {
  it.each(['creating', 'uploading', 'completing'] as const)('is yes while %s', (status) => {
    expect(needsAwake({ jobs: [job({ status })] }, true)).toBe(true);
  });

  it('is yes while an upload waits for the network, which may be back in a moment', () => {
    expect(needsAwake({ jobs: [job({ waitingFor: 'network' })] }, true)).toBe(true);
  });

  it.each([
    { status: 'tiling' },
    { status: 'paused' },
    { status: 'complete' },
    { status: 'uploading', waitingFor: 'sign-in' },
    { status: 'creating', waitingFor: 'confirmation' },
    { status: 'uploading', waitingFor: 'line' },
  ] as const)('is no for %o', (facts) => {
    expect(needsAwake({ jobs: [job(facts)] }, true)).toBe(false);
  });

  it('is no when the person does not want it', () => {
    expect(needsAwake({ jobs: [job()] }, false)).toBe(false);
  });
});

describe('holding sleep back', () => {
  /** The system's own book of who holds it awake. */
  function system() {
    const held = new Set<number>();
    let number = 0;
    return {
      held,
      start: () => {
        number += 1;
        held.add(number);
        return number;
      },
      stop: (id: number) => held.delete(id),
    };
  }

  function begun() {
    const blocker = system();
    const settings = memorySettings();
    let work: Work = { jobs: [], rules: [] };
    let tell: (work: Work) => void = () => {};
    const look = setupKeepAwake(
      { now: () => work, onChange: (listener) => (tell = listener) },
      settings,
      blocker,
    );
    const become = (jobs: Work['jobs']) => {
      work = { jobs, rules: [] };
      tell(work);
    };
    return { blocker, settings, look, become };
  }

  it('is done once while jobs upload, and let go with the last', () => {
    const { blocker, become } = begun();
    become([job()]);
    become([job(), job()]);
    expect(blocker.held.size).toBe(1);
    become([job({ status: 'tiling' })]);
    expect(blocker.held.size).toBe(0);
    become([job()]);
    expect(blocker.held.size).toBe(1);
  });

  it('ends at once when the person switches it off', () => {
    const { blocker, settings, look, become } = begun();
    become([job()]);
    settings.update({ background: { ...settings.get().background, keepAwake: false } });
    look();
    expect(blocker.held.size).toBe(0);
  });
});
