import { z } from 'zod';
import type { Queries } from '../../jobs/journal/database.ts';

/**
 * What the journal knows of its own age, and of what it may have forgotten. Every call throws `journal-full`
 * or `journal-unusable`.
 */
export interface RestoredRows {
  /** How many sources all rules have taken so far; only grows, unless an older journal replaces this one. */
  journalAge(): number;
  /**
   * The journal was found to be older than it was when it had taken `before` sources, and counts from there:
   * what these rules don't know may have been taken since.
   */
  beginRestored(ruleIds: readonly string[], before: number, at: number): void;
  /** The rule has not scanned its whole folder since then. */
  isRestored(ruleId: string): boolean;
  /** The rule has scanned its folder: what comes from now on is new. */
  endRestored(ruleId: string): void;
}

const one = z.object({ found: z.number() });
const ruleRow = z.object({ rule_id: z.string() });

/** In the place of a rule: what was taken by a journal that is lost. */
const nobody = '';

export function createRestoredRows({ read, run, transaction }: Queries): RestoredRows {
  const journalAge = () =>
    read(one, 'SELECT coalesce(sum(sources), 0) AS found FROM taken_so_far')[0]?.found ?? 0;
  /** Asked about each source, and hardly ever any; null until it is read. */
  let restored: ReadonlySet<string> | null = null;
  const restoredRules = () => {
    restored ??= new Set(read(ruleRow, 'SELECT rule_id FROM restored_rules').map(({ rule_id }) => rule_id));
    return restored;
  };
  return {
    journalAge,
    beginRestored: (ruleIds, before, at) => {
      restored = null;
      transaction(() => {
        run(
          `INSERT INTO taken_so_far (rule_id, sources, last_at) VALUES (?, ?, 0)
           ON CONFLICT DO UPDATE SET sources = sources + excluded.sources`,
          nobody,
          Math.max(0, before - journalAge()),
        );
        for (const id of ruleIds) {
          run('INSERT OR IGNORE INTO restored_rules (rule_id) VALUES (?)', id);
          // What was under way or waited by then has been finished since, as likely as not.
          run(
            `UPDATE ledger SET standing = 'restored', standing_since = ?, standing_together = 1
             WHERE rule_id = ? AND state IN ('taken', 'waits-for-retry') AND standing IS NOT 'upload'`,
            ...[at, id],
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
