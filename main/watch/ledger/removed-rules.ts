import { resolve } from 'node:path';
import { z } from 'zod';
import type { Queries } from '../../jobs/journal/database.ts';
import type { WatchRule } from '../rule.ts';

type Place = Pick<WatchRule, 'id' | 'folder' | 'unit'>;

/** What rules that are gone have taken, for those that are made again in their place. Every call throws `journal-full` or `journal-unusable`. */
export interface RemovedRules {
  leaveRule(rule: Place, at: number): void;
  /** Rules that were removed from this folder and made their assets of the same, newest first. */
  rulesBefore(rule: Place): readonly string[];
  /** The rows of these become this rule's own, its own coming first. */
  adopt(ruleId: string, before: readonly string[]): void;
}

export function createRemovedRules({ read, run, transaction }: Queries): RemovedRules {
  return {
    leaveRule: ({ id, folder, unit }, at) =>
      transaction(() =>
        run(
          `INSERT INTO removed_rules (rule_id, folder, unit, removed_at) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET folder = excluded.folder, unit = excluded.unit, removed_at = excluded.removed_at`,
          id,
          resolve(folder),
          unit.kind,
          at,
        ),
      ),
    rulesBefore: ({ id, folder, unit }) =>
      read(
        z.object({ rule_id: z.string() }),
        `SELECT rule_id FROM removed_rules WHERE folder = ? AND unit = ? AND rule_id <> ? ORDER BY removed_at DESC`,
        resolve(folder),
        unit.kind,
        id,
      ).map(({ rule_id }) => rule_id),
    adopt: (ruleId, before) =>
      transaction(() => {
        run('DELETE FROM removed_rules WHERE rule_id = ?', ruleId);
        for (const removed of before) {
          for (const table of ['ledger', 'batches'])
            run(`UPDATE OR IGNORE ${table} SET rule_id = ? WHERE rule_id = ?`, ruleId, removed);
          run('DELETE FROM removed_rules WHERE rule_id = ?', removed);
        }
      }),
  };
}
