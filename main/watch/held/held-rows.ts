import { z } from 'zod';
import { type HoldReason, holdReasons } from '../../../shared/watch.ts';
import type { Queries } from '../../jobs/journal/database.ts';

/**
 * That a source is held, as the journal has it. It holds until it is decided otherwise, over restarts and
 * whatever becomes of the rule.
 */
export interface HeldRow {
  readonly path: string;
  readonly why: HoldReason;
  /** ms since the epoch. */
  readonly since: number;
  /** One question is asked about it and all others of which this is so. */
  readonly together: boolean;
}

/** Every call is on the disk when it returns, and throws `journal-full` or `journal-unusable`. */
export interface HeldRows {
  heldOf(ruleId: string): readonly HeldRow[];
  /** In the place of what was known of these paths. */
  hold(ruleId: string, rows: readonly HeldRow[]): void;
  release(ruleId: string, paths: readonly string[]): void;
  /** Each is asked about by itself from now on. */
  askSingly(ruleId: string): void;
}

const heldRow = z
  .object({
    path: z.string(),
    // A later version may know more reasons.
    why: z.enum(holdReasons).catch('changed'),
    since: z.number(),
    together: z.number(),
  })
  .transform((row): HeldRow => ({ ...row, together: row.together === 1 }));

export function createHeldRows({ read, run, transaction }: Queries): HeldRows {
  return {
    heldOf: (ruleId) =>
      read(
        heldRow,
        'SELECT path, why, since, together FROM held WHERE rule_id = ? ORDER BY since, path',
        ruleId,
      ),
    hold: (ruleId, rows) =>
      transaction(() => {
        for (const { path, why, since, together } of rows) {
          run(
            `INSERT INTO held (rule_id, path, why, since, together) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET why = excluded.why, since = excluded.since, together = excluded.together`,
            ...[ruleId, path, why, since, Number(together)],
          );
        }
      }),
    release: (ruleId, paths) =>
      transaction(() => {
        for (const path of paths) run('DELETE FROM held WHERE rule_id = ? AND path = ?', ruleId, path);
      }),
    askSingly: (ruleId) => transaction(() => run('UPDATE held SET together = 0 WHERE rule_id = ?', ruleId)),
  };
}
