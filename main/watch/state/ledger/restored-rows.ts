import { z } from 'zod';
import type { Queries } from '../../../jobs/journal/database.ts';

/** The journal's age, and its possible gaps. Throws `journal-full` or `journal-unusable`. */
export interface RestoredRows {
  /** Uploaded sources of all rules; only decreases if an older journal replaces this one. */
  journalAge(): number;
  /** Raises the age to `recordedAge`. Sources unknown to these rules may have been uploaded since. */
  beginRestored(ruleIds: readonly string[], recordedAge: number, timestamp: number): void;
  /** The rule hasn't scanned its whole folder since. */
  isRestored(ruleId: string): boolean;
  endRestored(ruleId: string): void;
}

const ageRow = z.object({ found: z.number() });
const ruleRow = z.object({ rule_id: z.string() });

/** Stands for a rule: uploads of a lost journal. */
const nobody = '';

export function createRestoredRows({ read, run, transaction }: Queries): RestoredRows {
  const journalAge = () =>
    read(ageRow, 'SELECT coalesce(sum(sources), 0) AS found FROM taken_so_far')[0]?.found ?? 0;
  /** Cached, because it is queried for each source; null until read. */
  let restored: ReadonlySet<string> | null = null;
  const restoredRules = () => {
    restored ??= new Set(read(ruleRow, 'SELECT rule_id FROM restored_rules').map(({ rule_id }) => rule_id));
    return restored;
  };
  return {
    journalAge,
    beginRestored: (ruleIds, recordedAge, timestamp) => {
      restored = null;
      transaction(() => {
        run(
          `INSERT INTO taken_so_far (rule_id, sources, last_at) VALUES (?, ?, 0)
           ON CONFLICT DO UPDATE SET sources = sources + excluded.sources`,
          nobody,
          Math.max(0, recordedAge - journalAge()),
        );
        for (const id of ruleIds) {
          run('INSERT OR IGNORE INTO restored_rules (rule_id) VALUES (?)', id);
          // Jobs under way or waiting at that time have probably finished since.
          run(
            `UPDATE ledger SET standing = 'restored', standing_since = ?, standing_together = 1
             WHERE rule_id = ? AND state IN ('taken', 'waits-for-retry') AND standing IS NOT 'upload'`,
            ...[timestamp, id],
          );
        }
      });
    },
    isRestored: (ruleId) => restoredRules().has(ruleId),
    endRestored: (ruleId) => {
      transaction(() => run('DELETE FROM restored_rules WHERE rule_id = ?', ruleId));
      restored = null;
    },
  };
}
