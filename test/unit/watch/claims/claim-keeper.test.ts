import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { silentLog } from '../../../../main/log.ts';
import {
  claimSource,
  confirmClaims,
  leaveClaims,
  renewClaims,
} from '../../../../main/watch/claims/claim-keeper.ts';
import type { Claim } from '../../../../main/watch/claims/claim-model.ts';
import type { Claims } from '../../../../main/watch/claims/claims.ts';
import { createLedger } from '../../../../main/watch/ledger/ledger.ts';
import type { LedgerEntry } from '../../../../main/watch/model.ts';
import { leaveSources } from '../../../../main/watch/state/choices.ts';
import { decide } from '../../../../main/watch/state/decide.ts';
import { defaultTiming } from '../../../../main/watch/timing.ts';
import type { WatchParts } from '../../../../main/watch/watch-parts.ts';
import { ruleOn } from '../../../integration/watch/house.ts';
import { foundSource, requested } from '../found-sources.ts';

const rule = ruleOn('/in', { id: 'rule', shared: true });
const database = openDatabase(':memory:');
const ledger = createLedger(database, 'journal.db');
const act = vi.fn();
const readAsset = vi.fn();
const timing = defaultTiming;
const parts = {
  ledger,
  jobs: { get: () => ({ id: 'job' }), act },
  clock: { now: () => 5 },
  timing,
  accounts: { isReady: () => true, serviceOf: () => 'https://service', readAsset },
  claimsOf: () => null,
  contents: { ofSource: async () => 'what it holds' },
  log: silentLog,
  onChange: () => {},
  ruleOf: () => undefined,
} as unknown as WatchParts;

/** As a claim says of content that can be compared: the same as what is here. */
const told = { fingerprint: '', newestMs: 0, digest: '', word: 'what it holds', files: null };

beforeEach(() => {
  database.exec('DELETE FROM ledger');
  act.mockClear();
  for (const path of ['a', 'b']) ledger.take('rule', foundSource(path), `job of ${path}`, 1, false);
  ledger.take('another', foundSource('a'), 'job of another', 1, false);
});

const stateOf = (path: string) => ledger.find('rule', path)?.state;

function claimOf(host: string, change: Partial<Claim> = {}): Claim {
  return {
    ...{ version: 2, id: 'one', source: 'c', identity: 'identity of c', since: 0, outcome: null, beat: 0 },
    owner: { instance: host, machine: null, host, pid: 1 },
    ...{ state: 'held', asset: null, content: null, ...change },
  };
}

function claimsThat(change: Partial<Claims>): Claims {
  return {
    claim: vi.fn(async () => 'ours' as const),
    met: () => undefined,
    name: async () => {},
    rest: () => {},
    renew: async () => [],
    finish: vi.fn(async () => {}),
    release: async () => {},
    mine: () => [],
    ...change,
  };
}

describe('claims of sources whose jobs continue', () => {
  it('are made again where they are not held, each once', async () => {
    const claims = claimsThat({ mine: () => ['b'] });
    await renewClaims(rule, claims, parts);
    expect(claims.claim).toHaveBeenCalledExactlyOnceWith('a', 'identity of a', 'confirm');
    expect(stateOf('a')).toBe('taken');
  });

  it('that another computer holds by now end the job here', async () => {
    const claims = claimsThat({ claim: async (path) => (path === 'a' ? 'theirs' : 'ours') });
    await confirmClaims(rule, claims, parts);
    expect(act).toHaveBeenCalledExactlyOnceWith('job of a', 'cancel');
    expect(ledger.find('rule', 'a')).toMatchObject({
      state: 'waits-for-retry',
      error: { code: 'watch-taken-over' },
      retryAt: 5 + timing.staleClaimMs,
    });
    expect(stateOf('b')).toBe('taken');
    expect(ledger.find('another', 'a')?.state).toBe('taken');
  });

  it('that are lost while they are renewed end the job too', async () => {
    await renewClaims(rule, claimsThat({ mine: () => ['a', 'b'], renew: async () => ['b'] }), parts);
    expect(stateOf('a')).toBe('taken');
    expect(stateOf('b')).toBe('waits-for-retry');
  });

  it('are asked for three times and no further where the folder gives no answer: the job continues', async () => {
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
    expect(claims.finish).toHaveBeenCalledWith(
      'a',
      'identity of a',
      expect.objectContaining({ outcome: 'taken' }),
    );
  });
});

describe('a source that became an asset on another computer', () => {
  it('is not taken here, and is known from then on', async () => {
    const claims = claimsThat({ claim: async () => 'done', met: () => claimOf('pool-1', { content: told }) });
    expect(await claimSource(rule, foundSource('c'), claims, parts)).toBe('done');
    expect(ledger.find('rule', 'c')).toMatchObject({ state: 'skipped', error: null });
    ledger.change('rule', 'b', { state: 'complete' });
    const changed = foundSource('b', { identity: 'another' });
    expect(await claimSource(rule, changed, claims, parts)).toBe('done');
    expect(ledger.find('rule', 'b')).toMatchObject({ state: 'skipped', identity: 'another' });
  });

  it('is taken where it holds something else by now', async () => {
    const other = claimOf('pool-1', { content: { ...told, word: 'something else' } });
    const claim = vi.fn<Claims['claim']>().mockResolvedValueOnce('done').mockResolvedValueOnce('ours');
    expect(await claimSource(rule, foundSource('c'), claimsThat({ claim, met: () => other }), parts)).toBe(
      'ours',
    );
  });

  it.each([
    ['says nothing of its content', null],
    ['says nothing that could be compared', { ...told, word: undefined }],
  ])(
    'is asked about where that computer %s, until a person wants it or it is another',
    async (_, content) => {
      const claim = vi.fn<Claims['claim']>().mockResolvedValueOnce('done').mockResolvedValueOnce('ours');
      const done = claimOf('pool-1', {
        state: 'done',
        content,
        asset: { id: 7, service: null, uploaded: true },
      });
      const claims = claimsThat({ claim, met: () => done });
      expect(await claimSource(rule, foundSource('c'), claims, parts)).toBe('done');
      const known = ledger.find('rule', 'c');
      expect(known).toMatchObject({ state: 'skipped', assetId: 7, error: { code: 'watch-done-untold' } });
      const decision = (more: Partial<LedgerEntry> = {}, found = foundSource('c')) =>
        decide({
          ...{ found, known: known && { ...known, ...more }, sameIdentity: [], rule, now: 5 },
          ...{ isThere: () => true, content: 'whatever' },
        });
      expect(decision()).toEqual({ kind: 'hold', why: 'cannot-compare' });
      expect(decision({ standing: requested })).toEqual({ kind: 'take', again: false });
      // Of another size it is not what the claim is about, and goes the way of its rule.
      const other = foundSource('c', { identity: 'another', bytes: 101 });
      expect(decision({}, other)).toEqual({ kind: 'take', again: false });

      ledger.stand('rule', [foundSource('c')], requested);
      expect(await claimSource(rule, foundSource('c'), claims, parts)).toBe('ours');
      expect(claim).toHaveBeenLastCalledWith('c', 'identity of c', 'whatever');
      leaveSources(ledger, 'rule', [foundSource('c')], 5);
      expect(ledger.find('rule', 'c')).toMatchObject({ state: 'skipped', error: null, standing: null });
    },
  );
});
