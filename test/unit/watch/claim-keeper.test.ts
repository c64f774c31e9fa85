import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../main/jobs/database.ts';
import { silentLog } from '../../../main/log.ts';
import {
  claimSource,
  confirmClaims,
  leaveClaims,
  renewClaims,
} from '../../../main/watch/claims/claim-keeper.ts';
import type { Claims } from '../../../main/watch/claims/claims.ts';
import { createLedger } from '../../../main/watch/ledger/ledger.ts';
import type { WatchParts } from '../../../main/watch/watch-parts.ts';
import { ruleOn } from '../../integration/watch/house.ts';
import { foundSource } from './found-sources.ts';

const rule = ruleOn('/in', { id: 'rule', shared: true });
const database = openDatabase(':memory:');
const ledger = createLedger(database, 'journal.db');
const act = vi.fn();
const parts = {
  ledger,
  jobs: { get: () => ({ id: 'job' }), act },
  clock: { now: () => 5 },
  log: silentLog,
  onChange: () => {},
} as unknown as WatchParts;

beforeEach(() => {
  database.exec('DELETE FROM ledger');
  act.mockClear();
  for (const path of ['a', 'b']) ledger.take('rule', foundSource(path), `job of ${path}`, 1, false);
  ledger.take('another', foundSource('a'), 'job of another', 1, false);
});

const stateOf = (path: string) => ledger.find('rule', path)?.state;

function claimsThat(change: Partial<Claims>): Claims {
  return {
    claim: vi.fn(async () => 'ours' as const),
    renew: async () => [],
    finish: vi.fn(async () => {}),
    release: async () => {},
    mine: () => [],
    ...change,
  };
}

describe('claims of sources whose jobs go on', () => {
  it('are made again where they are not held, each once', async () => {
    const claims = claimsThat({ mine: () => ['b'] });
    await renewClaims(rule, claims, parts);
    expect(claims.claim).toHaveBeenCalledExactlyOnceWith('a', 'identity of a');
    expect(stateOf('a')).toBe('taken');
  });

  it('that another computer holds by now end the job here', async () => {
    const claims = claimsThat({ claim: async (path) => (path === 'a' ? 'theirs' : 'ours') });
    await confirmClaims(rule, claims, parts);
    expect(act).toHaveBeenCalledExactlyOnceWith('job of a', 'cancel');
    expect(ledger.find('rule', 'a')).toMatchObject({ state: 'skipped', error: { code: 'watch-taken-over' } });
    expect(stateOf('b')).toBe('taken');
    expect(ledger.find('another', 'a')?.state).toBe('taken');
  });

  it('that are lost while they are renewed end the job too', async () => {
    await renewClaims(rule, claimsThat({ mine: () => ['a', 'b'], renew: async () => ['b'] }), parts);
    expect(stateOf('a')).toBe('taken');
    expect(stateOf('b')).toBe('skipped');
  });

  it('are asked for three times and no further where the folder gives no answer: the job goes on', async () => {
    const claim = vi.fn(async () => {
      throw new Error('the server is away');
    });
    await confirmClaims(rule, claimsThat({ claim }), parts);
    expect(claim).toHaveBeenCalledTimes(3);
    expect(act).not.toHaveBeenCalled();
  });

  it('are left as finished when the rule goes, so that nobody takes their sources', async () => {
    const claims = claimsThat({});
    await leaveClaims(rule, claims, parts);
    expect(claims.finish).toHaveBeenCalledTimes(2);
    expect(claims.finish).toHaveBeenCalledWith('a', 'identity of a', 'taken');
  });
});

describe('a source that became an asset on another computer', () => {
  it('is not taken here, and is known from then on', async () => {
    const claims = claimsThat({ claim: async () => 'done' });
    expect(await claimSource(rule, foundSource('c'), claims, parts)).toBe('done');
    expect(stateOf('c')).toBe('skipped');
    ledger.change('rule', 'b', { state: 'complete' });
    const changed = foundSource('b', { identity: 'another' });
    expect(await claimSource(rule, changed, claims, parts)).toBe('done');
    expect(ledger.find('rule', 'b')).toMatchObject({ state: 'skipped', identity: 'another' });
  });
});
