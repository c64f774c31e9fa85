import { beforeEach, describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { silentLog } from '../../../../main/log.ts';
import { type FollowedJob, Outages } from '../../../../main/watch/finish/outages.ts';
import type { Outage } from '../../../../main/watch/model/model.ts';
import { ruleOn } from '../../../integration/watch/fixture.ts';
import { job } from '../../desktop/stand-ins.ts';

const minute = 60_000;
const rule = ruleOn('/in', { id: 'rule', accountId: 'account' });
let now: number;
let sleepers: { readonly until: number; readonly wake: () => void }[];
let reported: Outage[];
let lines: string[];
let outages: Outages;
let followed: Map<string, FollowedJob>;

beforeEach(() => {
  [now, sleepers, reported, lines] = [Date.parse('2026-03-01T12:00:00Z'), [], [], []];
  const parts = {
    clock: {
      now: () => now,
      sleep: (ms: number, signal: AbortSignal) =>
        new Promise<void>((wake, reject) => {
          sleepers.push({ until: now + ms, wake });
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    },
    ledger: {
      waitingForRetry: () => [],
      addActivity: (_rule: string, _at: number, _said: unknown, text: string) => lines.push(text),
    },
    log: silentLog,
    rules: () => [rule],
    onChange: () => {},
    ruleOf: () => undefined,
  } as unknown as ConstructorParameters<typeof Outages>[0]['parts'];
  followed = new Map();
  outages = new Outages({ parts, followed: () => followed.values(), ring: () => {} });
  outages.onOutage((one) => reported.push(one));
});

async function pass(minutes: number): Promise<void> {
  now += minutes * minute;
  for (const { until, wake } of sleepers) if (until <= now) wake();
  await new Promise(setImmediate);
}

const waiting = (id: string, more: Partial<JobSnapshot> = {}) =>
  job({ ...{ id, accountId: 'account', status: 'creating', waitingFor: 'network' }, ...more });

function see(seen: JobSnapshot): void {
  const record = followed.get(seen.id) ?? { ruleId: 'rule', accountId: 'account' };
  followed.set(seen.id, record);
  outages.saw(record, seen);
}

describe('Outages', () => {
  it('reports an outage once after ten minutes and once when it ends, however many jobs wait', async () => {
    see(waiting('a'));
    outages.failed('account', 'service-unavailable');
    outages.failed('account', 'service-unavailable');
    await pass(9);
    expect(reported).toEqual([]);
    see(waiting('b'));
    await pass(1);
    const since = now - 10 * minute;
    expect(reported).toEqual([{ kind: 'begun', startedAt: since }]);
    await pass(110);
    see(waiting('a'));
    see(waiting('a', { status: 'uploading', waitingFor: null, bytesDone: 1 }));
    outages.succeeded('account');
    see(waiting('b', { status: 'uploading', waitingFor: null, bytesDone: 1 }));
    expect(reported.slice(1)).toEqual([{ kind: 'over', startedAt: since, ms: 120 * minute, sources: 2 }]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/for 2\u00a0h.*2026.*2 waiting sources/);
  });

  it('reports no outage shorter than ten minutes', async () => {
    see(waiting('a'));
    await pass(5);
    see(waiting('a', { status: 'uploading', waitingFor: null, bytesDone: 1 }));
    await pass(60);
    expect([reported, lines]).toEqual([[], []]);
  });

  it('doesn’t end an outage when a job merely retries', async () => {
    see(waiting('a'));
    await pass(20);
    see(waiting('a', { waitingFor: null }));
    await pass(20);
    expect(reported).toMatchObject([{ kind: 'begun' }]);
  });

  it('reports an outage of a service that answers but is unavailable', async () => {
    const busy = toErrorRecord(new TileliftError('service-unavailable'));
    see(waiting('a', { waitingFor: null, error: busy }));
    await pass(10);
    expect(reported).toMatchObject([{ kind: 'begun' }]);
  });

  it('reports no outage while another upload makes progress', async () => {
    const moving = (bytesDone: number) =>
      see(waiting('b', { status: 'uploading', waitingFor: null, bytesDone }));
    for (let minutes = 0; minutes < 30; minutes += 5) {
      see(waiting('a'));
      moving(minutes);
      await pass(5);
    }
    expect(reported).toEqual([]);
  });

  it('ends an outage when a byte is uploaded, not when an asset is created', async () => {
    see(waiting('a'));
    await pass(20);
    see(waiting('a', { status: 'uploading', waitingFor: null, bytesDone: 0 }));
    expect(reported).toMatchObject([{ kind: 'begun' }]);
    see(waiting('a', { status: 'uploading', waitingFor: null, bytesDone: 1 }));
    expect(reported).toMatchObject([{ kind: 'begun' }, { kind: 'over' }]);
  });

  it('reports no outage after stop()', async () => {
    see(waiting('a'));
    outages.stop();
    await pass(60);
    expect(reported).toEqual([]);
  });
});
