import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TileliftError, toErrorRecord } from '../../../../../main/errors.ts';
import { openDatabase } from '../../../../../main/jobs/journal/database.ts';
import { createJournal } from '../../../../../main/jobs/journal/journal.ts';
import type { Receipt } from '../../../../../main/watch/model/model.ts';
import {
  createLedger,
  type Ledger,
  type LedgerChange,
} from '../../../../../main/watch/state/ledger/ledger.ts';
import { refusedAlone } from '../../../../../main/watch/state/source-state.ts';
import { foundSource, requested, rowOf } from '../../found-sources.ts';

let folder: string;
let database: DatabaseSync;
let ledger: Ledger;

function open(): void {
  database = openDatabase(join(folder, 'journal.db'));
  ledger = createLedger(database, 'journal.db');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tilelift-ledger-'));
  open();
});
afterEach(() => {
  if (database.isOpen) database.close();
  rmSync(folder, { recursive: true, force: true });
});

const fresh = { state: 'taken', assetId: null, endedAt: null } as const;
const paths = (rows: readonly { readonly path: string }[]) => rows.map(({ path }) => path);

describe('Ledger', () => {
  it('returns taken sources after it is reopened', () => {
    ledger.take('rule', foundSource('ümläut/scan'), 'job-1', 5, false);
    database.close();
    open();
    const row = rowOf(foundSource('ümläut/scan'), { ...fresh, jobId: 'job-1', takenAt: 5 });
    expect(ledger.find('rule', 'ümläut/scan')).toEqual(row);
    expect(ledger.ofJob('job-1')).toEqual(row);
    expect(ledger.takenEntries()).toEqual([row]);
    expect(ledger.find('other', 'ümläut/scan')).toBeUndefined();
    expect(ledger.ofJob('job-2')).toBeUndefined();
  });

  it('keeps only the newest row per rule and path', () => {
    const newer = foundSource('a', { identity: 'newer', newestMs: 9, bytes: 7 });
    ledger.take('rule', foundSource('a'), 'job-1', 1, false);
    ledger.take('rule', newer, 'job-2', 2, false);
    ledger.take('other', foundSource('a'), 'job-3', 3, false);
    expect(ledger.list('rule', 10)).toEqual([rowOf(newer, { ...fresh, jobId: 'job-2', takenAt: 2 })]);
    expect(ledger.ofJob('job-1')).toBeUndefined();
  });

  it('keeps failure counts for a retry and resets them for a changed source', () => {
    ledger.take('rule', foundSource('a'), 'job-1', 1, false);
    const error = toErrorRecord(new TileliftError('storage-failed', { remote: { status: 500 } }));
    const change = { state: 'waits-for-retry', retries: 3, restarts: 1, retryAt: 99, error } as const;
    ledger.change('rule', 'a', { ...change, endedAt: 2, movedTo: '/done/a' });
    expect(ledger.find('rule', 'a')).toMatchObject({ ...change, endedAt: 2, movedTo: '/done/a' });

    ledger.take('rule', foundSource('a'), 'job-2', 3, true);
    expect(ledger.find('rule', 'a')).toEqual(
      rowOf(foundSource('a'), { ...fresh, jobId: 'job-2', takenAt: 3, retries: 3, restarts: 1 }),
    );
    ledger.take('rule', foundSource('a', { identity: 'changed' }), 'job-3', 4, false);
    expect(ledger.find('rule', 'a')).toMatchObject({ retries: 0, restarts: 0 });
  });

  it('keeps a refusal that pauses the rule while its source is retried, and forgets it after a change', () => {
    ledger.take('rule', foundSource('a'), 'job-1', 1, false);
    const error = toErrorRecord(new TileliftError('storage-denied'));
    ledger.change('rule', 'a', { state: 'waits-for-retry', error, refusedAt: 7 });
    ledger.take('rule', foundSource('a'), 'job-2', 3, true);
    expect(ledger.refused('rule')).toMatchObject([{ path: 'a', state: 'taken', error, refusedAt: 7 }]);
    ledger.change('rule', 'a', { refusedAt: refusedAlone });
    expect(ledger.refused('rule')).toEqual([]);
    ledger.change('rule', 'a', { refusedAt: 8, state: 'waits-for-person' });
    expect(ledger.refused('rule')).toEqual([]);
    ledger.take('rule', foundSource('a', { identity: 'changed' }), 'job-3', 4, false);
    expect(ledger.find('rule', 'a')).toMatchObject({ error: null, refusedAt: null });
  });

  it('counts each further asset as a restart, unless the user requests it', () => {
    ledger.take('rule', foundSource('a'), 'job-1', 1, false);
    const restartsAfter = (change: LedgerChange, jobId: string) => {
      ledger.change('rule', 'a', { state: 'waits-for-retry', ...change });
      ledger.take('rule', foundSource('a'), jobId, 3, true);
      return ledger.find('rule', 'a')?.restarts;
    };
    expect(restartsAfter({ assetId: null }, 'job-2')).toBe(0);
    expect(restartsAfter({ assetId: 7 }, 'job-3')).toBe(1);
    expect(restartsAfter({ assetId: 8, standing: requested }, 'job-4')).toBe(0);
  });

  it('changes only the given fields, also to null', () => {
    ledger.take('rule', foundSource('a'), 'job-1', 1, false);
    const before = ledger.find('rule', 'a');
    ledger.change('rule', 'a', {});
    expect(ledger.find('rule', 'a')).toEqual(before);
    ledger.change('rule', 'a', { state: 'complete', retryAt: 5, assetId: 3 });
    ledger.change('rule', 'a', { retryAt: null, path: 'b' });
    expect(ledger.find('rule', 'a')).toBeUndefined();
    expect(ledger.find('rule', 'b')).toEqual({ ...before, path: 'b', state: 'complete', assetId: 3 });
  });

  it('skips unknown sources and leaves known ones unchanged', () => {
    ledger.take('rule', foundSource('a'), 'job-1', 1, false);
    ledger.markSkipped('rule', [foundSource('a'), foundSource('b')], 2);
    expect(ledger.find('rule', 'a')?.state).toBe('taken');
    expect(ledger.find('rule', 'b')).toEqual(
      rowOf(foundSource('b'), { state: 'skipped', jobId: null, assetId: null, takenAt: 2, endedAt: null }),
    );
  });

  it('finds sources by identity under any path', () => {
    const same = { identity: 'same' };
    ledger.markSkipped('rule', [foundSource('a', same), foundSource('b', same), foundSource('c')], 1);
    ledger.markSkipped('other', [foundSource('d', same)], 1);
    expect(paths(ledger.withIdentity('rule', 'same'))).toEqual(['a', 'b']);
  });

  it('lists the newest sources first, and pending retries by time', () => {
    for (const [index, path] of ['a', 'b', 'c', 'd'].entries()) {
      ledger.take('rule', foundSource(path), `job-${path}`, index, false);
    }
    expect(paths(ledger.list('rule', 3))).toEqual(['d', 'c', 'b']);
    ledger.change('rule', 'b', { state: 'waits-for-retry', retryAt: 20 });
    ledger.change('rule', 'c', { state: 'waits-for-retry', retryAt: 10 });
    expect(paths(ledger.waitingForRetry('rule'))).toEqual(['c', 'b']);
    expect(ledger.waitingForRetry('other')).toEqual([]);
    expect(paths(ledger.takenEntries())).toEqual(['a', 'd']);
  });

  it('counts ledger rows by state', () => {
    ledger.markSkipped('rule', [foundSource('a'), foundSource('b')], 1);
    ledger.take('rule', foundSource('c'), 'job', 1, false);
    const none = { seen: 0, complete: 0, 'waits-for-change': 0, 'waits-for-retry': 0, 'waits-for-person': 0 };
    expect(ledger.counts('rule')).toMatchObject({ ...none, skipped: 2, taken: 1 });
    expect(ledger.counts('other')).toMatchObject({ ...none, skipped: 0, taken: 0 });
  });

  it('stores questions next to the state, and deletes rows that only held one', () => {
    const standing = { why: 'changed', startedAt: 7 } as const;
    ledger.markSkipped('rule', [foundSource('a')], 1);
    ledger.stand('rule', [foundSource('a'), foundSource('b')], standing);
    expect(ledger.find('rule', 'a')).toMatchObject({ state: 'skipped', standing });
    expect(ledger.find('rule', 'b')).toMatchObject({ state: 'seen', standing });
    expect(ledger.withIdentity('rule', 'identity of b')).toEqual([]);
    ledger.endStandings('rule', ['a', 'b']);
    expect(ledger.find('rule', 'a')).toMatchObject({ state: 'skipped', standing: null });
    expect(ledger.find('rule', 'b')).toBeUndefined();
  });

  it('hides a failed source that is gone, but still finds it', () => {
    ledger.take('rule', foundSource('a'), 'job', 1, false);
    ledger.change('rule', 'a', { state: 'waits-for-change' });
    expect(ledger.failed('rule')).toHaveLength(1);
    ledger.change('rule', 'a', { standing: { why: 'gone', startedAt: 2 } });
    expect(ledger.counts('rule')['waits-for-change']).toBe(0);
    expect(ledger.list('rule', 5)).toEqual([]);
    expect(ledger.find('rule', 'a')?.state).toBe('waits-for-change');
  });

  it('counts every source that a rule takes, including retries', () => {
    expect(ledger.takenSoFar('rule')).toBe(0);
    expect(ledger.lastTakenAt('rule')).toBeNull();
    ledger.markSkipped('rule', [foundSource('a')], 1);
    ledger.take('rule', foundSource('a'), 'job-1', 10, false);
    ledger.change('rule', 'a', { state: 'waits-for-retry' });
    ledger.take('rule', foundSource('a'), 'job-2', 20, true);
    expect(ledger.takenSoFar('rule')).toBe(2);
    expect(ledger.lastTakenAt('rule')).toBe(20);
    expect(ledger.takenSoFar('other')).toBe(0);
  });

  it('keeps the newest thousand lines of activity of each rule', () => {
    database.exec('PRAGMA synchronous = OFF');
    ledger.addActivity('other', 1, ['stays'], 'stays');
    for (let at = 1; at <= 1_005; at++) ledger.addActivity('rule', at, [`line ${at}`], '');
    expect(ledger.activity('rule', 2)).toEqual([
      { at: 1_005, said: ['line 1005'] },
      { at: 1_004, said: ['line 1004'] },
    ]);
    expect(ledger.activity('rule', 5_000)).toHaveLength(1_000);
    expect(ledger.activity('other', 10)).toHaveLength(1);
  });
});

describe('Ledger receipts', () => {
  const receipt = (ruleId: string, endedAt: number): Receipt => ({
    ruleId,
    ruleName: 'Scans',
    source: `scan ${endedAt}`,
    accountId: 'me',
    assetId: null,
    assetName: 'Scan',
    assetType: 'TERRAIN',
    takenAt: 1,
    uploadedAt: null,
    endedAt,
    outcome: 'failed',
    error: { code: 'data-error', retryable: false },
    files: [{ key: 'ä.tif', size: 5, etag: null, partSize: 8 }],
  });

  it('returns receipts newest first, for one rule or all', () => {
    const all = [receipt('b', 1), receipt('a', 3), receipt('a', 2), receipt('a', 3)];
    for (const [index, one] of all.entries()) ledger.addReceipt(one, `job ${index}`);
    expect([...ledger.receipts('a')]).toEqual([receipt('a', 3), receipt('a', 3), receipt('a', 2)]);
    expect([...ledger.receipts(null)].map(({ endedAt }) => endedAt)).toEqual([3, 3, 2, 1]);
    expect([...ledger.receipts('c')]).toEqual([]);
  });

  it('keeps only the latest receipt of a job', () => {
    ledger.addReceipt(receipt('a', 1), 'job');
    ledger.addReceipt(receipt('a', 2), 'job');
    expect([...ledger.receipts('a')]).toEqual([receipt('a', 2)]);
  });

  it('reads receipts while others are written', () => {
    ledger.addReceipt(receipt('a', 2), 'one');
    ledger.addReceipt(receipt('a', 1), 'two');
    const seen: number[] = [];
    for (const { endedAt } of ledger.receipts('a')) {
      seen.push(endedAt);
      ledger.addReceipt(receipt('a', 10 + endedAt), `later ${endedAt}`);
    }
    expect(seen).toEqual([2, 1]);
  });
});

describe('Ledger with the journal', () => {
  const job = {
    id: 'job',
    accountId: 'me',
    paths: ['/in/a'],
    createdAt: 1,
    acceptForecast: false,
    body: { name: 'A', type: 'TERRAIN', options: { sourceType: 'RASTER_TERRAIN' } },
  } as const;

  it('takes a source and adds its job in one transaction', () => {
    const journal = createJournal(database, 'journal.db');
    const fail = () => {
      ledger.take('rule', foundSource('a'), 'job', 1, false);
      throw new TileliftError('internal');
    };
    expect(() => journal.addJob(job, fail)).toThrow(expect.objectContaining({ code: 'internal' }));
    expect(journal.jobs()).toEqual([]);
    expect(ledger.find('rule', 'a')).toBeUndefined();
    expect(ledger.takenSoFar('rule')).toBe(0);

    journal.addJob(job, () => ledger.take('rule', foundSource('a'), 'job', 1, false));
    expect(journal.jobs()).toHaveLength(1);
    expect(ledger.ofJob('job')?.path).toBe('a');
  });

  it('takes no source if its job can’t be written', () => {
    const journal = createJournal(database, 'journal.db');
    journal.addJob(job);
    const take = () => ledger.take('rule', foundSource('a'), 'job', 1, false);
    expect(() => journal.addJob(job, take)).toThrow(expect.objectContaining({ code: 'journal-unusable' }));
    expect(ledger.find('rule', 'a')).toBeUndefined();
  });
});

describe('invalid Ledger rows', () => {
  it('refuses invalid values by table constraints', () => {
    ledger.take('rule', foundSource('a'), 'job', 1, false);
    expect(() => database.exec("UPDATE ledger SET state = 'nonsense'")).toThrow('CHECK');
    expect(() => database.exec("UPDATE ledger SET error = '{'")).toThrow('CHECK');
  });

  it('reads a row whose error is unreadable without it', () => {
    ledger.take('rule', foundSource('a'), 'job', 1, false);
    database.exec(`UPDATE ledger SET error = '{"code": 5}', state = 'waits-for-person'`);
    expect(ledger.find('rule', 'a')).toMatchObject({ state: 'waits-for-person', error: null });
  });
});

describe('Ledger queries', () => {
  it('answers each ledger query with an index', () => {
    const asked = [
      "SELECT * FROM ledger WHERE rule_id = 'r' AND path = 'p'",
      "SELECT * FROM ledger WHERE rule_id = 'r' AND identity = 'i' ORDER BY seq",
      "SELECT * FROM ledger WHERE job_id = 'j'",
      "SELECT * FROM ledger WHERE rule_id = 'r' ORDER BY taken_at DESC, seq DESC LIMIT 5",
      "SELECT * FROM ledger WHERE state = 'taken' ORDER BY seq",
      "SELECT * FROM ledger WHERE rule_id = 'r' AND state = 'waits-for-retry' ORDER BY retry_at, seq",
      "SELECT state, count(*) FROM ledger WHERE rule_id = 'r' GROUP BY state",
      "SELECT * FROM receipts WHERE rule_id = 'r' AND (ended_at, seq) < (1, 1) ORDER BY ended_at DESC, seq DESC LIMIT 1",
      'SELECT * FROM receipts WHERE (ended_at, seq) < (1, 1) ORDER BY ended_at DESC, seq DESC LIMIT 1',
      "SELECT at, said, text FROM activity WHERE rule_id = 'r' ORDER BY seq DESC LIMIT 5",
    ];
    for (const question of asked) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${question}`).all();
      const words = plan.map(({ detail }) => String(detail)).join('; ');
      expect(words, question).toMatch(/USING (COVERING )?INDEX/);
      expect(words, question).not.toContain('TEMP B-TREE');
    }
  });
});
