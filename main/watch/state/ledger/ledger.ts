import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import type { HistoryEntry } from '../../../../shared/job.ts';
import type { Said } from '../../../../strings/phrase.ts';
import { TileliftError } from '../../../errors.ts';
import { createQueries, type Queries } from '../../../jobs/journal/database.ts';
import { saidRecord } from '../../../jobs/stored-errors.ts';
import type { FoundSource, LedgerEntry, LedgerState, Standing } from '../../model/model.ts';
import { ledgerRow, ledgerStates } from '../../model/records.ts';
import { unverifiable } from '../../scan/content.ts';
import { isRequested, rowAgainst } from './asset-rules.ts';
import { createReceipts } from './receipts.ts';
import {
  createBatchRows,
  createMoveJournal,
  createNotedRows,
  createRestoredRows,
  createSideTables,
} from './side-tables.ts';

const keptActivity = 1_000;

/** Schemas of rows, because a damaged disk may return anything. */

const countRow = z.object({ state: z.enum(ledgerStates), rows: z.number(), taken_at: z.number() });
const takenRow = z.object({ sources: z.number(), last_at: z.number() });

const sentences = z.array(saidRecord);

/** A line of the activity log, translated on display. `text`: in English, if a phrase no longer exists. */
export const activityRow = z
  .object({ at: z.number(), said: z.string(), text: z.string() })
  .transform(
    ({ at, said, text }): HistoryEntry => ({
      at,
      said: sentences.safeParse(JSON.parse(said)).data ?? [text],
    }),
  );

/** The columns that may change. */
export type LedgerChange = Partial<Omit<LedgerEntry, 'ruleId' | 'takenAt' | 'files' | 'bytes'>>;

/**
 * The newest row for each rule and path, in the journal's database. Every call is durable when it returns,
 * and throws `journal-full` or `journal-unusable`.
 */
export type Ledger = ReturnType<typeof createLedger>;

/** The ledger in the journal's database; `path` is its name in messages. */
export function createLedger(database: DatabaseSync, path: string) {
  const queries = createQueries(database, path);
  const sides = { ...createSideTables(queries), ...createBatchRows(queries) };
  return Object.assign(new LedgerRows(queries, sides), {
    ...createMoveJournal(queries),
    ...createRestoredRows(queries),
    ...createNotedRows(queries),
    ...createReceipts(queries),
    ...sides,
  });
}

type SideRows = ReturnType<typeof createSideTables> & ReturnType<typeof createBatchRows>;

class LedgerRows {
  readonly #queries: Queries;
  readonly #sides: SideRows;

  constructor(queries: Queries, sides: SideRows) {
    this.#queries = queries;
    this.#sides = sides;
  }

  find(ruleId: string, path: string): LedgerEntry | undefined {
    return this.#read('rule_id = ? AND path = ?', ruleId, path)[0];
  }

  withIdentity(ruleId: string, identity: string): readonly LedgerEntry[] {
    return this.#read("rule_id = ? AND identity = ? AND state <> 'seen' ORDER BY seq", ruleId, identity);
  }

  ofJob(jobId: string): LedgerEntry | undefined {
    return this.#read('job_id = ?', jobId)[0];
  }

  /**
   * Records that this job uploads the source. Call it inside the transaction that adds the job. `isRetry`
   * keeps `retries` and `restarts`; an asset that the user didn't request counts as a restart.
   *
   * @param isThere whether a path of the watched folder exists. Default: none does, the stricter answer.
   * @throws TileliftError `watch-already-taken` if the content has an asset or a job (`asset-rules.ts`)
   */
  take(
    ruleId: string,
    source: FoundSource,
    jobId: string,
    timestamp: number,
    isRetry: boolean,
    isThere: (path: string) => boolean = () => false,
  ): void {
    this.#queries.transaction(() => {
      const entry = this.find(ruleId, source.path);
      const rows = [...(entry ? [entry] : []), ...this.withIdentity(ruleId, source.identity)];
      const content = this.#sides.contentSeen(ruleId, source.path, source.digest);
      if (!(entry && isRequested(entry)) && rowAgainst(source, rows, isThere, content))
        throw new TileliftError('watch-already-taken', { subject: source.path });
      this.#queries.run(
        `INSERT INTO ledger (${sourceColumns}, state, job_id, taken_at, retries, restarts)
         VALUES (${sourceMarks}, 'taken', ?, ?, 0, 0)
         ON CONFLICT (rule_id, path) DO UPDATE SET
           identity = excluded.identity, newest_ms = excluded.newest_ms, files = excluded.files,
           bytes = excluded.bytes, marks = excluded.marks, content = NULL,
           state = 'taken', job_id = excluded.job_id, taken_at = excluded.taken_at,
           error = iif(? AND refused_at > 0, error, NULL), refused_at = iif(?, refused_at, NULL),
           asset_id = NULL, ended_at = NULL, retry_at = NULL, moved_to = NULL, uploaded_at = NULL,
           standing = NULL,
           retries = iif(?, retries, 0),
           restarts = iif(? AND standing IS NOT 'upload', restarts + (asset_id IS NOT NULL), 0)`,
        ...valuesOf(ruleId, source),
        ...[jobId, timestamp, Number(isRetry), Number(isRetry), Number(isRetry), Number(isRetry)],
      );
      this.#queries.run(
        `INSERT INTO taken_so_far (rule_id, sources, last_at) VALUES (?, 1, ?)
         ON CONFLICT DO UPDATE SET sources = sources + 1, last_at = excluded.last_at`,
        ruleId,
        timestamp,
      );
      this.#sides.keepBatch(ruleId, source, true);
    });
  }

  /** Existing rows stay unchanged. Runs in one transaction. */
  markSkipped(ruleId: string, sources: readonly FoundSource[], timestamp: number): void {
    this.#queries.transaction(() => {
      for (const source of sources) {
        this.#queries.run(
          `INSERT INTO ledger (${sourceColumns}, state, taken_at, retries, restarts)
           VALUES (${sourceMarks}, 'skipped', ?, 0, 0)
           ON CONFLICT (rule_id, path) DO UPDATE SET state = 'skipped', standing = NULL WHERE state = 'seen'`,
          ...valuesOf(ruleId, source),
          timestamp,
        );
        this.#sides.keepBatch(ruleId, source);
      }
    });
  }

  /** Updates ended rows to the sources' current facts. Runs in one transaction. */
  learn(ruleId: string, sources: readonly FoundSource[]): void {
    this.#queries.transaction(() => {
      for (const source of sources) {
        const { path, identity, newestMs, files, bytes, digest } = source;
        if (this.find(ruleId, path)?.state === 'taken') continue;
        this.#sides.keepBatch(ruleId, source, true);
        this.#queries.run(
          `UPDATE ledger SET identity = ?, newest_ms = ?, files = ?, bytes = ?, marks = ?, content = ?,
             standing = NULL WHERE rule_id = ? AND path = ?`,
          ...[identity, newestMs, files.length, bytes, digest, unverifiable, ruleId, path],
        );
      }
    });
  }

  stand(ruleId: string, sources: readonly FoundSource[], { why, startedAt }: Standing): void {
    this.#queries.transaction(() => {
      for (const source of sources)
        this.#queries.run(
          `INSERT INTO ledger (${sourceColumns}, state, taken_at, retries, restarts, standing, standing_since)
           VALUES (${sourceMarks}, 'seen', ?, 0, 0, ?, ?)
           ON CONFLICT (rule_id, path) DO UPDATE SET standing = excluded.standing,
             standing_since = excluded.standing_since`,
          ...valuesOf(ruleId, source),
          ...[startedAt, why, startedAt],
        );
    });
  }

  /** Also deletes rows without a state. */
  endStandings(ruleId: string, paths: readonly string[]): void {
    this.#queries.transaction(() => {
      for (const path of paths) {
        const place = [ruleId, path];
        this.#queries.run("DELETE FROM ledger WHERE rule_id = ? AND path = ? AND state = 'seen'", ...place);
        this.#queries.run('UPDATE ledger SET standing = NULL WHERE rule_id = ? AND path = ?', ...place);
      }
    });
  }

  change(ruleId: string, path: string, change: LedgerChange): void {
    const columns = columnsOf(withFacts(change));
    if (columns.length === 0) return;
    const set = columns.map(([column]) => `${column} = ?`).join(', ');
    const values = columns.map(([, value]) => value);
    this.#queries.transaction(() => {
      this.#queries.run(`UPDATE ledger SET ${set} WHERE rule_id = ? AND path = ?`, ...values, ruleId, path);
      if (change.movedTo) this.#sides.dropBatch(ruleId, path);
    });
  }

  /** Newest first. */
  list(ruleId: string, limit: number): readonly LedgerEntry[] {
    const present = "rule_id = ? AND state <> 'seen' AND standing IS NOT 'gone'";
    return this.#read(`${present} ORDER BY taken_at DESC, seq DESC LIMIT ?`, ruleId, limit);
  }

  takenEntries(): readonly LedgerEntry[] {
    return this.#read("state = 'taken' ORDER BY seq");
  }

  /** Soonest first, then in order of arrival. */
  waitingForRetry(ruleId: string): readonly LedgerEntry[] {
    const condition = "rule_id = ? AND state = 'waits-for-retry' AND standing IS NOT 'gone'";
    return this.#read(`${condition} ORDER BY retry_at, seq`, ruleId);
  }

  /** The sources that pause the rule, see `refusedAt`. */
  refused(ruleId: string): readonly LedgerEntry[] {
    const refused = "rule_id = ? AND refused_at > 0 AND state IN ('taken', 'waits-for-retry')";
    return this.#read(`${refused} AND standing IS NOT 'gone' ORDER BY seq`, ruleId);
  }

  /** Only a source that isn't in storage yet needs its files for a retry. */
  failed(ruleId: string): readonly LedgerEntry[] {
    const failed = `state IN ('waits-for-change', 'waits-for-person')
      OR (state = 'waits-for-retry' AND uploaded_at IS NULL)`;
    return this.#read(`rule_id = ? AND (${failed})`, ruleId);
  }

  /** Without rows that are gone. `retryingSince`: the earliest upload of a waiting source, or infinite. */
  counts(ruleId: string): Readonly<Record<LedgerState | 'retryingSince', number>> {
    const counts = Object.fromEntries(ledgerStates.map((state) => [state, 0])) as Record<LedgerState, number>;
    let retryingSince = Number.POSITIVE_INFINITY;
    const present = "rule_id = ? AND standing IS NOT 'gone' GROUP BY state";
    const query = `SELECT state, count(*) AS rows, min(taken_at) AS taken_at FROM ledger WHERE ${present}`;
    for (const { state, rows, taken_at } of this.#queries.read(countRow, query, ruleId)) {
      counts[state] = rows;
      if (state === 'waits-for-retry') retryingSince = taken_at;
    }
    return { ...counts, retryingSince };
  }

  /** For `{counter}`; never decreases. */
  takenSoFar(ruleId: string): number {
    return this.#countTaken(ruleId)?.sources ?? 0;
  }

  lastTakenAt(ruleId: string): number | null {
    return this.#countTaken(ruleId)?.last_at ?? null;
  }

  addActivity(ruleId: string, timestamp: number, phrases: readonly Said[], text: string): void {
    this.#queries.transaction(() => {
      this.#queries.run(
        'INSERT INTO activity (rule_id, at, said, text) VALUES (?, ?, ?, ?)',
        ruleId,
        timestamp,
        JSON.stringify(phrases),
        text,
      );
      this.#queries.run(
        `DELETE FROM activity WHERE rule_id = ?1 AND seq <=
           (SELECT seq FROM activity WHERE rule_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
        ruleId,
        keptActivity,
      );
    });
  }

  activity(ruleId: string, limit: number): readonly HistoryEntry[] {
    return this.#queries.read(
      activityRow,
      'SELECT at, said, text FROM activity WHERE rule_id = ? ORDER BY seq DESC LIMIT ?',
      ruleId,
      limit,
    );
  }

  /** Ignores the case of Latin letters. */
  likePath(ruleId: string, path: string): readonly LedgerEntry[] {
    return this.#read("rule_id = ? AND path = ? COLLATE NOCASE AND state <> 'seen'", ruleId, path);
  }

  #read(condition: string, ...values: readonly SQLInputValue[]): readonly LedgerEntry[] {
    return this.#queries.read(ledgerRow, `SELECT ${ledgerColumns} FROM ledger WHERE ${condition}`, ...values);
  }

  #countTaken(ruleId: string) {
    const query = 'SELECT sources, last_at FROM taken_so_far WHERE rule_id = ?';
    return this.#queries.read(takenRow, query, ruleId)[0];
  }
}

const sourceColumns = 'rule_id, path, identity, newest_ms, files, bytes, marks';
const sourceMarks = '?, ?, ?, ?, ?, ?, ?';

function valuesOf(ruleId: string, source: FoundSource): SQLInputValue[] {
  const { path, identity, newestMs, files, bytes, digest } = source;
  return [ruleId, path, identity, newestMs, files.length, bytes, digest];
}

/** New facts without a new content clear the content. */
function withFacts(change: LedgerChange): LedgerChange {
  return change.identity === undefined ? change : { marks: null, content: unverifiable, ...change };
}

/** `newestMs` is in the column `newest_ms`. */
const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const ledgerColumns = Object.keys(ledgerRow.in.shape)
  .map((field) => `${columnOf(field)} AS ${field}`)
  .join(', ');

function columnsOf(change: LedgerChange): (readonly [string, SQLInputValue])[] {
  return Object.entries(change).flatMap(([field, value]): (readonly [string, SQLInputValue])[] => {
    if (value === undefined) return [];
    if (field === 'standing') return standingColumns(change.standing ?? null);
    return [[columnOf(field), typeof value === 'object' && value !== null ? JSON.stringify(value) : value]];
  });
}

function standingColumns(standing: Standing | null): (readonly [string, SQLInputValue])[] {
  return [
    ['standing', standing?.why ?? null],
    ['standing_since', standing?.startedAt ?? null],
  ];
}
