import { z } from 'zod';
import type { HistoryEntry } from '../../../../shared/job.ts';
import { saidRecord } from '../../../jobs/stored-errors.ts';
import { ledgerStates, receiptRecord } from '../../model/records.ts';

/** Schemas of rows, because a damaged disk may return anything. */

export const countRow = z.object({ state: z.enum(ledgerStates), rows: z.number() });
export const takenRow = z.object({ sources: z.number(), last_at: z.number() });

const sentences = z.array(saidRecord);

/** A line of the activity log, translated on display. `text`: in English, if a phrase no longer exists. */
export const activityRow = z.object({ at: z.number(), said: z.string(), text: z.string() }).transform(
  ({ at, said, text }): HistoryEntry => ({
    at,
    said: sentences.safeParse(JSON.parse(said)).data ?? [text],
  }),
);

export const receiptRow = z
  .object({ seq: z.number(), job_id: z.string(), ended_at: z.number(), receipt: z.string() })
  .transform((row) => ({
    seq: row.seq,
    jobId: row.job_id,
    endedAt: row.ended_at,
    receipt: receiptRecord.parse(JSON.parse(row.receipt)),
  }));
