import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import type { Clock } from '../../../main/ports.ts';
import type { Asset } from '../../../main/service/model.ts';
import { pollUntilEnded } from '../../../main/tiling/poller.ts';
import { withWaitCheck } from '../../wait-check.ts';

const asset = (status: string): Asset => ({
  id: 1,
  type: '3DTILES',
  name: 'A',
  description: '',
  attribution: '',
  bytes: 0,
  dateAdded: '',
  status,
  percentComplete: 0,
});

/** Returns these responses in turn and records the waits. */
async function play(answers: readonly (string | Error)[], signal = new AbortController().signal) {
  const pauses: number[] = [];
  const seenStatuses: string[] = [];
  const clock = withWaitCheck<Clock>({
    now: () => 0,
    elapsed: () => 0,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
    },
  });
  const remaining = [...answers];
  const read = async () => {
    const answer = remaining.shift() ?? 'COMPLETE';
    if (typeof answer !== 'string') throw answer;
    return asset(answer);
  };
  const end = pollUntilEnded({
    read,
    clock,
    intervalMs: 10_000,
    signal,
    onStatus: ({ status }) => seenStatuses.push(status),
    onTrouble: ({ code }) => seenStatuses.push(code),
  });
  return {
    end: await end.then(
      ({ status }) => status,
      (error: unknown) => error,
    ),
    waits: pauses,
    seen: seenStatuses,
  };
}

const trouble = new TileliftError('service-unavailable', { subject: 'the service' });

describe('pollUntilEnded', () => {
  it.each(['COMPLETE', 'DATA_ERROR', 'ERROR'])('pollUntilEnded ends immediately with %s', async (status) => {
    expect(await play([status])).toEqual({ end: status, waits: [], seen: [status] });
  });

  it('pollUntilEnded reports every status and polls at each interval', async () => {
    const { waits: pauses, seen: seenStatuses } = await play([
      'AWAITING_FILES',
      'NOT_STARTED',
      'MOON_PHASE',
      'COMPLETE',
    ]);
    expect(seenStatuses).toEqual(['AWAITING_FILES', 'NOT_STARTED', 'MOON_PHASE', 'COMPLETE']);
    expect(pauses).toEqual([10_000, 10_000, 10_000]);
  });

  it('pollUntilEnded slows down during temporary errors and recovers', async () => {
    const {
      end,
      waits: pauses,
      seen: seenStatuses,
    } = await play([trouble, trouble, trouble, trouble, 'IN_PROGRESS', 'COMPLETE']);
    expect(end).toBe('COMPLETE');
    expect(pauses).toEqual([20_000, 40_000, 60_000, 60_000, 10_000]);
    expect(seenStatuses.slice(0, 5)).toEqual([...Array(4).fill('service-unavailable'), 'IN_PROGRESS']);
  });

  const goneError = new TileliftError('asset-not-found', {
    subject: '1',
    remote: { status: 404, code: 'NotFound' },
  });
  const foreignError = new TileliftError('foreign-answer', {
    subject: 'the service',
    remote: { status: 404 },
  });

  it('pollUntilEnded reports a missing asset after the service said so three times in a row', async () => {
    expect((await play(['IN_PROGRESS', goneError, goneError, goneError])).end).toBe(goneError);
    expect((await play([goneError, foreignError, goneError, foreignError, goneError])).end).toBe(goneError);
    expect(
      (await play([goneError, goneError, 'IN_PROGRESS', goneError, goneError, trouble, goneError, goneError]))
        .end,
    ).toBe('COMPLETE');
  });

  it('pollUntilEnded keeps polling more slowly after a lasting refusal', async () => {
    const refusedError = new TileliftError('request-refused', { remote: { status: 400, code: 'Odd' } });
    const {
      end,
      waits: pauses,
      seen: seenStatuses,
    } = await play([...Array(50).fill(refusedError), 'COMPLETE']);
    expect(end).toBe('COMPLETE');
    expect(pauses.slice(0, 4)).toEqual([20_000, 40_000, 60_000, 60_000]);
    expect(seenStatuses).toContain('request-refused');
  });

  it.each(['certificate-untrusted', 'foreign-answer', 'proxy-authentication', 'unexpected-answer'] as const)(
    'pollUntilEnded polls indefinitely after %s',
    async (code) => {
      const { end } = await play([...Array(200).fill(new TileliftError(code)), 'COMPLETE']);
      expect(end).toBe('COMPLETE');
    },
  );

  it('pollUntilEnded obeys Retry-After for five minutes from the service, for one from others', async () => {
    const day = 24 * 3_600_000;
    const busy = (code?: string) =>
      new TileliftError('service-busy', {
        remote: { status: 429, retryAfterMs: day, ...(code ? { code } : {}) },
      });
    expect((await play([busy('TooMany'), busy(), 'COMPLETE'])).waits).toEqual([300_000, 60_000]);
  });

  it('pollUntilEnded throws errors that only the user can fix', async () => {
    const signInError = new TileliftError('invalid-credentials');
    expect((await play(['IN_PROGRESS', signInError])).end).toBe(signInError);
  });

  it('pollUntilEnded ends with the abort reason', async () => {
    expect((await play(['IN_PROGRESS'], AbortSignal.abort('enough'))).end).toBe('enough');
  });
});
