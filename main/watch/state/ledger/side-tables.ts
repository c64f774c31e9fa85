import { resolve } from 'node:path';
import { z } from 'zod';
import type { Queries } from '../../../jobs/journal/database.ts';
import type { WatchRule } from '../../model/rule.ts';
import type { Content } from '../../scan/content.ts';
import type { SeenPause } from '../../settle/settle-time.ts';

type Place = Pick<WatchRule, 'id' | 'folder' | 'unit'>;

/** The ledger's further tables, with the same guarantees. */
export interface SideTables {
  longestPause(ruleId: string): SeenPause | null;
  keepPause(ruleId: string, pause: SeenPause): void;
  /** Keyed by `digest`, so that the hourly scan reads nothing again. Undefined if unread. */
  contentSeen(ruleId: string, path: string, digest: string): Content | undefined;
  seeContent(ruleId: string, path: string, digest: string, content: Content): void;
  /** Keeps the rows of a removed rule for its replacement. */
  leaveRule(rule: Place, removedAt: number): void;
  /** Removed rules with the same folder and unit, newest first. */
  rulesBefore(rule: Place): readonly string[];
  /** Moves rows to this rule, whose own take precedence. */
  adopt(ruleId: string, earlierRuleIds: readonly string[]): void;
}

const pauseRow = z.object({ ms: z.number().nonnegative(), at: z.number() });
const contentRow = z.object({ content: z.string() });
const ruleRow = z.object({ rule_id: z.string() });

export function createSideTables({ read, run, transaction }: Queries): SideTables {
  return {
    longestPause: (ruleId) =>
      read(pauseRow, 'SELECT ms, at FROM pauses WHERE rule_id = ?', ruleId)[0] ?? null,
    keepPause: (ruleId, { ms, at: timestamp }) =>
      transaction(() =>
        run(
          `INSERT INTO pauses (rule_id, ms, at) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET ms = excluded.ms, at = excluded.at`,
          ...[ruleId, ms, timestamp],
        ),
      ),
    contentSeen: (ruleId, path, digest) =>
      read(
        contentRow,
        'SELECT content FROM contents_seen WHERE rule_id = ? AND path = ? AND digest = ?',
        ...[ruleId, path, digest],
      )[0]?.content,
    seeContent: (ruleId, path, digest, content) =>
      transaction(() =>
        run(
          `INSERT INTO contents_seen (rule_id, path, digest, content) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET digest = excluded.digest, content = excluded.content`,
          ...[ruleId, path, digest, content],
        ),
      ),
    leaveRule: ({ id, folder, unit }, removedAt) =>
      transaction(() =>
        run(
          `INSERT INTO removed_rules (rule_id, folder, unit, removed_at) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET folder = excluded.folder, unit = excluded.unit, removed_at = excluded.removed_at`,
          ...[id, resolve(folder), unit.kind, removedAt],
        ),
      ),
    rulesBefore: ({ id, folder, unit }) =>
      read(
        ruleRow,
        `SELECT rule_id FROM removed_rules WHERE folder = ? AND unit = ? AND rule_id <> ? ORDER BY removed_at DESC`,
        ...[resolve(folder), unit.kind, id],
      ).map(({ rule_id }) => rule_id),
    adopt: (ruleId, earlierRuleIds) =>
      transaction(() => {
        run('DELETE FROM removed_rules WHERE rule_id = ?', ruleId);
        for (const removed of earlierRuleIds) {
          for (const table of ['ledger', 'batches'])
            run(`UPDATE OR IGNORE ${table} SET rule_id = ? WHERE rule_id = ?`, ruleId, removed);
          run('DELETE FROM removed_rules WHERE rule_id = ?', removed);
        }
      }),
  };
}
