import { describe, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import type { Clock } from '../../../main/outside.ts';
import type { Asset } from '../../../main/service/model.ts';
import { pollUntilEnded } from '../../../main/tiling/poller.ts';

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

/** Plays the answers one after the other and writes down how long was waited between them. */
async function play(answers: readonly (string | Error)[], signal = new AbortController().signal) {
  const waits: number[] = [];
  const seen: string[] = [];
  const clock: Clock = {
    now: () => 0,
    elapsed: () => 0,
    sleep: async (ms, until) => {
      until?.throwIfAborted();
      waits.push(ms);
    },
  };
  const rest = [...answers];
  const read = async () => {
    const answer = rest.shift() ?? 'COMPLETE';
    if (typeof answer !== 'string') throw answer;
    return asset(answer);
  };
  const end = pollUntilEnded({
    read,
    clock,
    intervalMs: 10_000,
    signal,
    onStatus: ({ status }) => seen.push(status),
    onTrouble: ({ code }) => seen.push(code),
  });
  return {
    end: await end.then(
      ({ status }) => status,
      (error: unknown) => error,
    ),
    waits,
    seen,
  };
}

const trouble = new TileliftError('service-unavailable', { subject: 'the service' });

describe('pollUntilEnded', () => {
  it.each(['COMPLETE', 'DATA_ERROR', 'ERROR'])('ends with %s without waiting again', async (status) => {
    expect(await play([status])).toEqual({ end: status, waits: [], seen: [status] });
  });

  it('reports every status, named by the contract or not, and polls on every interval', async () => {
    const { waits, seen } = await play(['AWAITING_FILES', 'NOT_STARTED', 'MOON_PHASE', 'COMPLETE']);
    expect(seen).toEqual(['AWAITING_FILES', 'NOT_STARTED', 'MOON_PHASE', 'COMPLETE']);
    expect(waits).toEqual([10_000, 10_000, 10_000]);
  });

  it('polls on through errors that may pass, more and more slowly, and at its pace again afterwards', async () => {
    const { end, waits, seen } = await play([trouble, trouble, trouble, trouble, 'IN_PROGRESS', 'COMPLETE']);
    expect(end).toBe('COMPLETE');
    expect(waits).toEqual([20_000, 40_000, 60_000, 60_000, 10_000]);
    expect(seen.slice(0, 5)).toEqual([...Array(4).fill('service-unavailable'), 'IN_PROGRESS']);
  });

  it('throws an error that does not pass', async () => {
    const gone = new TileliftError('asset-not-found', { subject: '1' });
    expect((await play(['IN_PROGRESS', gone])).end).toBe(gone);
  });

  it('ends with the signal’s reason', async () => {
    expect((await play(['IN_PROGRESS'], AbortSignal.abort('enough'))).end).toBe('enough');
  });
});
