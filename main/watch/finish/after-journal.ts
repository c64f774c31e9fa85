import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { createQueries } from '../../jobs/journal/database.ts';
import type { Receipt, WatchEnd } from '../model/model.ts';
import { receiptRow } from '../state/ledger/ledger-rows.ts';

/** A pending task of an ended source. */
export interface AfterTask {
  readonly seq: number;
  readonly kind: 'receipt' | 'program';
  readonly ruleId: string;
  readonly jobId: string;
  readonly source: string;
  readonly outcome: WatchEnd['outcome'];
  readonly tries: number;
}

/** Tasks of ended sources, kept across kills until done. Throws `journal-full`, `journal-unusable`. */
interface AfterJournal {
  /** Ignores known ends. */
  add(end: WatchEnd, kinds: readonly AfterTask['kind'][]): void;
  /** Oldest first. */
  due(): readonly AfterTask[];
  /** Called before the start, so that the try also counts after a kill. */
  began(task: AfterTask): void;
  done(task: AfterTask): void;
  receiptOf(jobId: string): Receipt | undefined;
}

const row = z
  .object({
    ...{ seq: z.number(), kind: z.enum(['receipt', 'program']), rule_id: z.string(), job_id: z.string() },
    ...{ source: z.string(), outcome: z.enum(['complete', 'failed']), tries: z.number() },
  })
  .transform(({ rule_id: ruleId, job_id: jobId, ...fields }): AfterTask => ({ ...fields, ruleId, jobId }));

/** A kill between a task and the ledger row repeats an end, which is ignored for this long. */
const rememberMs = 90 * 24 * 3_600_000;

export function createAfterJournal(database: DatabaseSync, path: string): AfterJournal {
  const { read, run, transaction } = createQueries(database, path);
  return {
    add: ({ jobId, ruleId, source, outcome, endedAt }, kinds) =>
      transaction(() => {
        if (jobId === null) return;
        for (const kind of kinds)
          run(
            `INSERT INTO after_ends (kind, rule_id, job_id, source, outcome, ended_at, tries, done)
             VALUES (?, ?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING`,
            ...[kind, ruleId, jobId, source, outcome, endedAt],
          );
        run('DELETE FROM after_ends WHERE done = 1 AND ended_at < ?', endedAt - rememberMs);
      }),
    due: () =>
      read(
        row,
        'SELECT seq, kind, rule_id, job_id, source, outcome, tries FROM after_ends WHERE done = 0 ORDER BY seq',
      ),
    began: ({ seq }) => transaction(() => run('UPDATE after_ends SET tries = tries + 1 WHERE seq = ?', seq)),
    done: ({ seq }) => transaction(() => run('UPDATE after_ends SET done = 1 WHERE seq = ?', seq)),
    receiptOf: (jobId) => read(receiptRow, 'SELECT * FROM receipts WHERE job_id = ?', jobId)[0]?.receipt,
  };
}
