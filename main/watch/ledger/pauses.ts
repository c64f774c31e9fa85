import { z } from 'zod';
import type { Queries } from '../../jobs/journal/database.ts';
import type { SeenPause } from '../settle/settle-time.ts';

/** What is remembered of the pauses in a rule's folder. Every call is on the disk when it returns, and throws what the ledger's do. */
export interface PauseLedger {
  /** Null where none was seen. */
  longestPause(ruleId: string): SeenPause | null;
  keepPause(ruleId: string, pause: SeenPause): void;
}

const pauseRow = z.object({ ms: z.number().nonnegative(), at: z.number() });

export function createPauseLedger({ read, run, transaction }: Queries): PauseLedger {
  return {
    longestPause: (ruleId) =>
      read(pauseRow, 'SELECT ms, at FROM pauses WHERE rule_id = ?', ruleId)[0] ?? null,
    keepPause: (ruleId, { ms, at }) =>
      transaction(() =>
        run(
          `INSERT INTO pauses (rule_id, ms, at) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET ms = excluded.ms, at = excluded.at`,
          ruleId,
          ms,
          at,
        ),
      ),
  };
}
