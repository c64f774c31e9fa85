import { z } from 'zod';
import type { HistoryEntry } from '../../../../shared/job.ts';
import { holdReasons } from '../../../../shared/watch.ts';
import type { Said } from '../../../../strings/phrase.ts';
import { inEnglish } from '../../../../strings/sayer.ts';
import { errorRecord, saidRecord } from '../../../jobs/stored-errors.ts';
import { type LedgerEntry, ledgerStates, type Receipt } from '../../model/model.ts';
import { notedRecord } from '../../model/noted-findings.ts';

/** Schemas of rows, because a damaged disk may return anything. */

/** The column of each field. */
export const columnOf: Readonly<Record<keyof LedgerEntry, string>> = {
  ruleId: 'rule_id',
  path: 'path',
  identity: 'identity',
  newestMs: 'newest_ms',
  marks: 'marks',
  content: 'content',
  state: 'state',
  jobId: 'job_id',
  assetId: 'asset_id',
  takenAt: 'taken_at',
  endedAt: 'ended_at',
  error: 'error',
  retries: 'retries',
  retryAt: 'retry_at',
  restarts: 'restarts',
  uploadedAt: 'uploaded_at',
  refusedAt: 'refused_at',
  standing: 'standing',
  movedTo: 'moved_to',
  files: 'files',
  bytes: 'bytes',
};

/** The columns for `ledgerRow`. */
export const ledgerColumns = Object.entries(columnOf)
  .map(([field, column]) => `${column} AS ${field}`)
  .concat('standing_since', 'standing_together')
  .join(', ');

/** The journal's rescue removes damaged rows; an unreadable error only loses its words. */
export const ledgerRow = z
  .object({
    ruleId: z.string(),
    path: z.string(),
    identity: z.string(),
    newestMs: z.number(),
    marks: z.string().nullable(),
    content: z.string().nullable(),
    state: z.enum(ledgerStates),
    jobId: z.string().nullable(),
    assetId: z.number().nullable(),
    takenAt: z.number(),
    endedAt: z.number().nullable(),
    error: z
      .string()
      .nullable()
      .transform((text) => (text === null ? null : (errorRecord.safeParse(JSON.parse(text)).data ?? null))),
    retries: z.number(),
    retryAt: z.number().nullable(),
    restarts: z.number(),
    uploadedAt: z.number().nullable(),
    refusedAt: z.number().nullable(),
    standing: z.enum([...holdReasons, 'upload', 'gone']).nullable(),
    standing_since: z.number().nullable(),
    standing_together: z.number().nullable(),
    movedTo: z.string().nullable(),
    files: z.number(),
    bytes: z.number(),
  })
  .transform(({ standing: why, standing_since: startedAt, standing_together, ...fields }): LedgerEntry => {
    const isGrouped = standing_together === 1;
    return { ...fields, standing: why === null ? null : { why, startedAt: startedAt ?? 0, isGrouped } };
  });

export const countRow = z.object({ state: z.enum(ledgerStates), rows: z.number() });
export const takenRow = z.object({ sources: z.number(), last_at: z.number() });

const sentences = z.array(saidRecord);

/** A line of the activity log, translated on display. `text`: in English, if a phrase no longer exists. */
export const activityRow = z
  .object({ at: z.number(), said: z.string(), text: z.string() })
  .transform(({ at, said, text }): HistoryEntry => ({ at, said: sayable(said) ?? [text] }));

function sayable(storedPhrases: string): readonly Said[] | null {
  try {
    const phrases = sentences.parse(JSON.parse(storedPhrases));
    inEnglish.sayAll(phrases);
    return phrases;
  } catch {
    return null;
  }
}

const receipt = z
  .object({
    ruleId: z.string(),
    ruleName: z.string(),
    source: z.string(),
    accountId: z.string(),
    service: z.string().optional(),
    assetId: z.number().nullable(),
    assetName: z.string(),
    assetType: z.string(),
    takenAt: z.number(),
    uploadedAt: z.number().nullable(),
    endedAt: z.number(),
    outcome: z.string(),
    error: errorRecord.nullable(),
    links: z.number().optional(),
    findings: notedRecord.optional(),
    files: z.array(
      z.object({
        key: z.string(),
        size: z.number(),
        etag: z.string().nullable(),
        comparedBy: z.enum(['crc32', 'md5']).optional().catch(undefined),
        partSize: z.number(),
      }),
    ),
  })
  .transform((value): Receipt => value);

export const receiptRow = z
  .object({ seq: z.number(), job_id: z.string(), ended_at: z.number(), receipt: z.string() })
  .transform((row) => ({
    seq: row.seq,
    jobId: row.job_id,
    endedAt: row.ended_at,
    receipt: receipt.parse(JSON.parse(row.receipt)),
  }));
