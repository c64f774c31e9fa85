import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createOutput } from '../../../../main/cli/output.ts';
import { type FollowResult, followJob } from '../../../../main/cli/upload/follow.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { type Clock, systemClock } from '../../../../main/ports.ts';
import { job } from '../../desktop/stand-ins.ts';

const minute = 60_000;
const journalFull = { code: 'journal-full', retryable: true } as const;
const unreachableError = { code: 'storage-unreachable', retryable: true } as const;

/** Follows a job that the test changes, with a limit of ten minutes. */
function following() {
  let elapsedMs = 0;
  let currentJob = job({ id: 'a', status: 'uploading', bytesTotal: 100, bytesDone: 1 });
  let changed: (id: string) => void = () => {};
  const clock: Clock = { ...systemClock, elapsed: () => elapsedMs };
  const stderr = new PassThrough();
  const streams = { stdin: {}, stdout: new PassThrough(), stderr };
  const output = createOutput({ ...streams, env: {}, json: false, clock: () => 0 });
  const stop = new AbortController();
  let end: FollowResult['exit'] | null = null;
  const onChange = (listener: (id: string) => void) => {
    changed = listener;
    return () => {};
  };
  const options = { wait: true, giveUpMs: 10 * minute, stop: stop.signal, clock };
  const followEnded = followJob({ get: () => currentJob, onChange }, 'a', output, options);
  void followEnded.then(({ exit }) => {
    end = exit;
  });
  return {
    /** Changes the job after this many minutes; returns why following ended, if it did. */
    after: async (minutes: number, facts: Partial<JobSnapshot>) => {
      elapsedMs += minutes * minute;
      currentJob = { ...currentJob, error: null, nextTryAt: null, waitingFor: null, ...facts };
      changed('a');
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
      return end;
    },
    said: () => String(stderr.read()),
    end: async () => {
      stop.abort();
      await followEnded;
    },
  };
}

it('followJob() gives up on a job that fails repeatedly without progress', async () => {
  const { after: advance } = following();
  expect(await advance(0, { error: journalFull })).toBe(null);
  for (let round = 0; round < 4; round++) {
    expect(await advance(1, { status: 'creating', bytesOnWire: round })).toBe(null);
    expect(await advance(1, { status: 'uploading', error: journalFull })).toBe(null);
  }
  expect(await advance(2, { error: journalFull })).toBe('givenUp');
});

it('followJob() counts from the start of a long pause, and again after confirmed bytes', async () => {
  const { after: advance } = following();
  expect(await advance(0, { error: unreachableError, nextTryAt: 1 })).toBe(null);
  expect(await advance(9, { error: unreachableError, nextTryAt: 1 })).toBe(null);
  expect(await advance(0, { bytesDone: 2 })).toBe(null);
  expect(await advance(0, { error: unreachableError, nextTryAt: 1 })).toBe(null);
  expect(await advance(9, { error: unreachableError, nextTryAt: 1 })).toBe(null);
  expect(await advance(1, { error: unreachableError, nextTryAt: 1 })).toBe('givenUp');
});

it.each<[string, Partial<JobSnapshot>]>([
  ['its turn', { waitingFor: 'turn' }],
  ['a terrain', { waitingFor: 'terrain' }],
  ['a slow part', { bytesOnWire: 50 }],
])('followJob() continues while the job waits for %s', async (_what, facts) => {
  const { after: advance, end } = following();
  await advance(0, { error: unreachableError, nextTryAt: 1 });
  expect(await advance(300, facts)).toBe(null);
  await end();
});

it('followJob() doesn’t add up short disruptions of tiling', async () => {
  const { after: advance, end } = following();
  for (let round = 0; round < 5; round++) {
    await advance(1, { status: 'tiling', bytesDone: 100 });
    await advance(1, { status: 'tiling', error: unreachableError, nextTryAt: 1 });
    expect(await advance(4, { status: 'tiling', error: unreachableError, nextTryAt: 1 })).toBe(null);
  }
  await end();
});

it('followJob() reports a full journal disk', async () => {
  const { after: advance, said: printed, end } = following();
  await advance(1, { status: 'creating', error: journalFull });
  expect(printed()).toContain('There is no disk space left for the upload journal');
  await end();
});
