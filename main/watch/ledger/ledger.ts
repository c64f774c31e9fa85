import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { TileliftError } from '../../errors.ts';
import { createQueries, type Queries } from '../../jobs/journal/database.ts';
import { createBatchRows } from '../batches/batch-rows.ts';
import { createNotedRows } from '../findings/noted-rows.ts';
import { createHeldRows } from '../held/held-rows.ts';
import { type FoundSource, type LedgerState, ledgerStates, type Receipt } from '../model.ts';
import { createMoveJournal } from '../moves/move-journal.ts';
import { createRestoredRows } from '../restored/restored-rows.ts';
import { untold } from '../verify/content.ts';
import { createAssetReceipts } from './asset-receipts.ts';
import type { Ledger, LedgerChange } from './ledger-model.ts';
import { activityRow, countRow, ledgerRow, receiptRow, takenRow } from './ledger-rows.ts';
import { rowAgainst } from './second-asset.ts';
import { createSideTables } from './side-tables.ts';

/** Lines of activity kept for each rule. */
const keptActivity = 1_000;

/** The ledger over the journal's database, `path` being its name for people. */
export function createLedger(database: DatabaseSync, path: string): Ledger {
  const queries = createQueries(database, path);
  const { read, run, transaction } = queries;
  const takenSoFar = (ruleId: string) =>
    read(takenRow, 'SELECT sources, last_at FROM taken_so_far WHERE rule_id = ?', ruleId)[0];

  const find: Ledger['find'] = (ruleId, path) =>
    read(ledgerRow, 'SELECT * FROM ledger WHERE rule_id = ? AND path = ?', ruleId, path)[0];
  const withIdentity: Ledger['withIdentity'] = (ruleId, identity) =>
    read(ledgerRow, 'SELECT * FROM ledger WHERE rule_id = ? AND identity = ? ORDER BY seq', ruleId, identity);

  const sideTables = createSideTables(queries);
  const restoredRows = createRestoredRows(queries);
  const batches = createBatchRows(queries);

  return {
    ...createMoveJournal(queries),
    ...restoredRows,
    ...sideTables,
    ...createHeldRows(queries),
    ...createNotedRows(queries),
    ...createAssetReceipts(queries),
    ...batches.rows,

    find,
    withIdentity,

    ofJob: (jobId) => read(ledgerRow, 'SELECT * FROM ledger WHERE job_id = ?', jobId)[0],

    take: (ruleId, source, jobId, at, again, isThere = () => false) =>
      transaction(() => {
        const known = find(ruleId, source.path);
        const rows = [...(known ? [known] : []), ...withIdentity(ruleId, source.identity)];
        const content = sideTables.contentSeen(ruleId, source.path, source.digest);
        if (known?.wantedAt == null && rowAgainst(source, rows, isThere, content))
          throw new TileliftError('watch-already-taken', { subject: source.path });
        run(
          `INSERT INTO ledger (${sourceColumns}, state, job_id, taken_at, retries, restarts)
           VALUES (${sourceMarks}, 'taken', ?, ?, 0, 0)
           ON CONFLICT (rule_id, path) DO UPDATE SET
             identity = excluded.identity, fingerprint = excluded.fingerprint,
             newest_ms = excluded.newest_ms, files = excluded.files, bytes = excluded.bytes, marks = excluded.marks, content = NULL,
             state = 'taken', job_id = excluded.job_id, taken_at = excluded.taken_at,
             asset_id = NULL, ended_at = NULL, error = NULL, retry_at = NULL, moved_to = NULL, uploaded_at = NULL, wanted_at = NULL,
             retries = iif(?, retries, 0),
             restarts = iif(? AND wanted_at IS NULL, restarts + (asset_id IS NOT NULL), 0)`,
          ...valuesOf(ruleId, source),
          jobId,
          at,
          Number(again),
          Number(again),
        );
        run(
          `INSERT INTO taken_so_far (rule_id, sources, last_at) VALUES (?, 1, ?)
           ON CONFLICT DO UPDATE SET sources = sources + 1, last_at = excluded.last_at`,
          ruleId,
          at,
        );
        restoredRows.forgetRestored(ruleId, source.path);
        batches.writes.put(ruleId, source);
      }),

    skip: (ruleId, sources, at) =>
      transaction(() => {
        for (const source of sources) {
          run(
            `INSERT INTO ledger (${sourceColumns}, state, taken_at, retries, restarts)
             VALUES (${sourceMarks}, 'skipped', ?, 0, 0) ON CONFLICT DO NOTHING`,
            ...valuesOf(ruleId, source),
            at,
          );
          batches.rows.keepBatch(ruleId, source);
        }
      }),

    learn: (ruleId, sources, which = 'ended') =>
      transaction(() => {
        for (const source of sources) {
          const { path, identity, fingerprint, newestMs, files, bytes, digest } = source;
          if (find(ruleId, path)?.state !== 'taken') batches.writes.put(ruleId, source);
          run(
            `UPDATE ledger SET identity = ?, fingerprint = ?, newest_ms = ?, files = ?, bytes = ?, marks = ?, content = ?, wanted_at = NULL
             WHERE rule_id = ? AND path = ? AND (state = 'taken') = ?`,
            ...[
              identity,
              fingerprint,
              newestMs,
              files.length,
              bytes,
              digest,
              untold,
              ruleId,
              path,
              Number(which === 'under-way'),
            ],
          );
        }
      }),

    want: (ruleId, paths, at) =>
      transaction(() => {
        for (const path of paths)
          run('UPDATE ledger SET wanted_at = ? WHERE rule_id = ? AND path = ?', at, ruleId, path);
      }),

    change: (ruleId, path, change) => {
      const columns = columnsOf(withFacts(change));
      if (columns.length === 0) return;
      const set = columns.map(([column]) => `${column} = ?`).join(', ');
      const values = columns.map(([, value]) => value);
      transaction(() => {
        run(`UPDATE ledger SET ${set} WHERE rule_id = ? AND path = ?`, ...values, ruleId, path);
        if (change.movedTo) batches.writes.drop(ruleId, path);
        else if (change.path !== undefined) batches.writes.touch(ruleId);
      });
    },

    list: (ruleId, limit) =>
      read(
        ledgerRow,
        'SELECT * FROM ledger WHERE rule_id = ? ORDER BY taken_at DESC, seq DESC LIMIT ?',
        ruleId,
        limit,
      ),

    taken: () =>
      read(ledgerRow, "SELECT * FROM ledger WHERE state = 'taken' ORDER BY seq").filter(
        ({ state }) => state === 'taken',
      ),

    waitingForRetry: (ruleId) =>
      read(
        ledgerRow,
        "SELECT * FROM ledger WHERE rule_id = ? AND state = 'waits-for-retry' ORDER BY retry_at, seq",
        ruleId,
      ).filter(({ state }) => state === 'waits-for-retry'),

    counts: (ruleId) => {
      const rows = read(
        countRow,
        'SELECT state, count(*) AS rows FROM ledger WHERE rule_id = ? GROUP BY state',
        ruleId,
      );
      const none = Object.fromEntries(ledgerStates.map((state) => [state, 0])) as Record<LedgerState, number>;
      for (const { state, rows: count } of rows) none[state] += count;
      return none;
    },

    takenSoFar: (ruleId) => takenSoFar(ruleId)?.sources ?? 0,
    lastTakenAt: (ruleId) => takenSoFar(ruleId)?.last_at ?? null,

    addActivity: (ruleId, { at, said, text }) =>
      transaction(() => {
        run(
          'INSERT INTO activity (rule_id, at, said, text) VALUES (?, ?, ?, ?)',
          ruleId,
          at,
          JSON.stringify(said),
          text,
        );
        run(
          `DELETE FROM activity WHERE rule_id = ?1 AND seq <=
             (SELECT seq FROM activity WHERE rule_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
          ruleId,
          keptActivity,
        );
      }),

    activity: (ruleId, limit) =>
      read(
        activityRow,
        'SELECT at, said, text FROM activity WHERE rule_id = ? ORDER BY seq DESC LIMIT ?',
        ruleId,
        limit,
      ),

    addReceipt: (receipt, jobId) =>
      transaction(() =>
        run(
          `INSERT INTO receipts (job_id, rule_id, ended_at, receipt) VALUES (?, ?, ?, ?)
           ON CONFLICT (job_id) DO UPDATE SET ended_at = excluded.ended_at, receipt = excluded.receipt`,
          jobId,
          receipt.ruleId,
          receipt.endedAt,
          JSON.stringify(receipt),
        ),
      ),

    receiptOf: (jobId) => read(receiptRow, 'SELECT * FROM receipts WHERE job_id = ?', jobId)[0]?.receipt,

    likePath: (ruleId, path) =>
      read(ledgerRow, 'SELECT * FROM ledger WHERE rule_id = ? AND path = ? COLLATE NOCASE', ruleId, path),

    receipts: (ruleId) => receiptsOf(queries, ruleId),
  };
}

const sourceColumns = 'rule_id, path, identity, fingerprint, newest_ms, files, bytes, marks';
const sourceMarks = '?, ?, ?, ?, ?, ?, ?, ?';

function valuesOf(ruleId: string, source: FoundSource): SQLInputValue[] {
  const { path, identity, fingerprint, newestMs, files, bytes, digest } = source;
  return [ruleId, path, identity, fingerprint, newestMs, files.length, bytes, digest];
}

/** Exactly what `LedgerChange` may hold: a field left out does not compile. */
const columnOf: Readonly<Record<keyof LedgerChange, string>> = {
  path: 'path',
  identity: 'identity',
  fingerprint: 'fingerprint',
  newestMs: 'newest_ms',
  marks: 'marks',
  content: 'content',
  state: 'state',
  assetId: 'asset_id',
  endedAt: 'ended_at',
  error: 'error',
  retries: 'retries',
  retryAt: 'retry_at',
  restarts: 'restarts',
  wantedAt: 'wanted_at',
  movedTo: 'moved_to',
};

/** Learning what a source looks like now, without its content, forgets what was uploaded of it. */
function withFacts(change: LedgerChange): LedgerChange {
  return change.identity === undefined ? change : { marks: null, content: untold, ...change };
}

function columnsOf(change: LedgerChange): (readonly [string, SQLInputValue])[] {
  const columns: (readonly [string, SQLInputValue])[] = [];
  for (const field of Object.keys(columnOf) as (keyof LedgerChange)[]) {
    const value = change[field];
    if (value === undefined) continue;
    const plain = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    columns.push([columnOf[field], plain]);
  }
  return columns;
}

/** The receipts of a journal that is open to read, as `Ledger.receipts`. */
export function receiptsIn(database: DatabaseSync, path: string, ruleId: string | null): Iterable<Receipt> {
  return receiptsOf(createQueries(database, path), ruleId);
}

/** One at a time: a receipt of 100,000 files is 10 MB, and reading slowly must not delay the journal. */
function* receiptsOf({ read }: Queries, ruleId: string | null): Iterable<Receipt> {
  let before: readonly [endedAt: number, seq: number] = [Number.MAX_VALUE, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const [row] =
      ruleId === null
        ? read(
            receiptRow,
            `SELECT * FROM receipts WHERE (ended_at, seq) < (?, ?) ORDER BY ended_at DESC, seq DESC LIMIT 1`,
            ...before,
          )
        : read(
            receiptRow,
            `SELECT * FROM receipts WHERE rule_id = ? AND (ended_at, seq) < (?, ?)
             ORDER BY ended_at DESC, seq DESC LIMIT 1`,
            ruleId,
            ...before,
          );
    if (!row) return;
    yield row.receipt;
    before = [row.endedAt, row.seq];
  }
}
