import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../../main/jobs/journal/database.ts';
import type { Receipt } from '../../../../../main/watch/model/model.ts';
import { createLedger, type Ledger } from '../../../../../main/watch/state/ledger/ledger.ts';
import { ruleAssetsOf, ruleUploadsOf } from '../../../../../main/watch/state/ledger/receipts.ts';
import { foundSource } from '../../found-sources.ts';

let database: DatabaseSync;
let ledger: Ledger;
beforeEach(() => {
  database = openDatabase(':memory:');
  ledger = createLedger(database, 'journal.db');
});
afterEach(() => database.close());

const receipt = (part: Partial<Receipt>): Receipt => ({
  ...{
    ruleId: 'rule',
    ruleName: 'Scans',
    accountId: 'me',
    source: 'scan 7',
    assetId: 42,
    assetName: 'Scan 7',
  },
  ...{ assetType: 'TERRAIN', takenAt: 1, uploadedAt: 2, endedAt: 3, outcome: 'complete', error: null },
  files: [
    { key: 'a.tif', size: 9, etag: null, partSize: 8 },
    { key: 'b.tif', size: 4, etag: null, partSize: 8 },
  ],
  ...part,
});
const rules = [
  { id: 'rule', folder: '/in' },
  { id: 'other', folder: '/theirs' },
];
const uploads = (assetId: number, account = 'me') => ruleUploadsOf(ledger, rules, account, assetId);

describe('ruleUploadsOf()', () => {
  it('returns the sources of an asset, newest first, with their sizes', () => {
    ledger.addReceipt(receipt({}), 'job-1');
    ledger.addReceipt(receipt({ source: './batch-7', endedAt: 9 }), 'job-2');
    ledger.addReceipt(receipt({ assetId: 43 }), 'job-3');
    ledger.addReceipt(receipt({ assetId: null }), 'job-4');
    expect(uploads(42)).toMatchObject([
      // A batch has the path of the watched folder.
      { jobId: 'job-2', path: join('/in'), files: 2, bytes: 13 },
      { jobId: 'job-1', path: join('/in', 'scan 7'), ruleName: 'Scans', takenAt: 1, uploadedAt: 2 },
    ]);
    expect(uploads(44)).toEqual([]);
    expect(ruleAssetsOf(ledger, 'me').toSorted()).toEqual([42, 43]);
  });

  it('returns the path that a source was moved to', () => {
    ledger.take('rule', foundSource('scan 7'), 'job-1', 1, false);
    ledger.change('rule', 'scan 7', { state: 'complete', movedTo: '/done/scan 7' });
    ledger.addReceipt(receipt({}), 'job-1');
    expect(uploads(42)).toMatchObject([{ path: '/done/scan 7' }]);
  });

  it('uses the account of the receipt, not the current one of the rule', () => {
    ledger.addReceipt(receipt({ accountId: 'you' }), 'job-1');
    ledger.addReceipt(receipt({ ruleId: 'gone', accountId: 'you' }), 'job-2');
    expect(uploads(42)).toEqual([]);
    expect(ruleAssetsOf(ledger, 'me')).toEqual([]);
    expect(uploads(42, 'you')).toMatchObject([{ jobId: 'job-2' }, { jobId: 'job-1', ruleName: 'Scans' }]);
    expect(ruleAssetsOf(ledger, 'you')).toEqual([42]);
  });

  it('finds receipts of an asset with an index', () => {
    const plan = database
      .prepare(
        "EXPLAIN QUERY PLAN SELECT * FROM receipts WHERE CASE WHEN json_valid(receipt) THEN receipt ->> '$.assetId' END = ?",
      )
      .all(42);
    expect(JSON.stringify(plan)).toContain('receipts_of_asset');
  });
});
