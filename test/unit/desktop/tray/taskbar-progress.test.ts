import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taskbarProgress } from '../../../../main/desktop/tray/taskbar-progress.ts';
import { jobStatuses } from '../../../../shared/job-status.ts';
import { job } from '../stand-ins.ts';

const sending = job({ bytesTotal: 1_000, bytesDone: 250 });

describe('the taskbar shows', () => {
  it('nothing where nothing moves', () => {
    expect(taskbarProgress([], false)).toEqual({ kind: 'none' });
    const still = [
      job({ status: 'paused' }),
      job({ status: 'queued', waitingFor: 'line' }),
      job({ status: 'creating', waitingFor: 'confirmation' }),
      job({ status: 'tiling', waitingFor: 'sign-in' }),
    ];
    expect(taskbarProgress(still, false)).toEqual({ kind: 'none' });
  });

  it('what storage has of all that is being sent', () => {
    const larger = job({ status: 'completing', bytesTotal: 3_000, bytesDone: 3_000 });
    const waiting = job({ bytesTotal: 90_000, waitingFor: 'line' });
    expect(taskbarProgress([sending, larger, waiting], false)).toEqual({
      kind: 'sending',
      share: 0.8125,
    });
  });

  it('that something is going on while a source is looked through or tiled', () => {
    expect(taskbarProgress([job({ status: 'creating' })], false)).toEqual({ kind: 'busy' });
    expect(taskbarProgress([job({ status: 'tiling' })], false)).toEqual({ kind: 'busy' });
    expect(taskbarProgress([job({ status: 'tiling' }), sending], false).kind).toBe('sending');
  });

  it('a failure that nobody saw, whatever else goes on', () => {
    expect(taskbarProgress([], true)).toEqual({ kind: 'failed', share: 1 });
    expect(taskbarProgress([sending], true)).toEqual({ kind: 'failed', share: 0.25 });
  });

  it('always a share between nothing and everything', () => {
    const anyJob = fc
      .record({
        status: fc.constantFrom(...jobStatuses),
        waitingFor: fc.constantFrom(null, 'line', 'network', 'sign-in', 'confirmation'),
        bytesTotal: fc.option(fc.nat()),
        bytesDone: fc.nat(),
      })
      .map((facts) => job(facts));
    fc.assert(
      fc.property(fc.array(anyJob), fc.boolean(), (jobs, unseen) => {
        const progress = taskbarProgress(jobs, unseen);
        if (!('share' in progress)) return;
        expect(progress.share).toBeGreaterThanOrEqual(0);
        expect(progress.share).toBeLessThanOrEqual(1);
      }),
    );
  });
});
