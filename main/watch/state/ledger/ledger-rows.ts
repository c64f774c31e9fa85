import { z } from 'zod';
import type { HistoryEntry } from '../../../../shared/job.ts';
import { holdReasons } from '../../../../shared/watch.ts';
import type { Said } from '../../../../strings/phrase.ts';
import { inEnglish } from '../../../../strings/sayer.ts';
import { TileliftError, toErrorRecord } from '../../../errors.ts';
import { errorRecord, saidRecord } from '../../../jobs/stored-errors.ts';
import { type LedgerEntry, ledgerStates, type Receipt, type Standing } from '../../model/model.ts';
import { notedRecord } from '../../model/noted-findings.ts';

/** Schemas of rows, because a damaged disk may return anything. */

const standingFields = {
  // A later version may know more reasons.
  standing: z
    .enum([...holdReasons, 'upload', 'gone'])
    .nullable()
    .catch('changed'),
  standing_since: z.number().nullable().catch(null),
  standing_together: z.number().nullable().catch(null),
};

type StandingRow = Readonly<z.infer<z.ZodObject<typeof standingFields>>>;

function withStanding<Row extends StandingRow>(row: Row) {
  const { standing: why, standing_since: startedAt, standing_together: groupFlag, ...fields } = row;
  const standing: Standing | null =
    why === null ? null : { why, startedAt: startedAt ?? 0, isGrouped: groupFlag === 1 };
  return { ...fields, standing };
}

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

const readableRow = z
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
      .transform((text) => (text === null ? null : errorRecord.parse(JSON.parse(text)))),
    retries: z.number(),
    retryAt: z.number().nullable(),
    restarts: z.number(),
    uploadedAt: z.number().nullable(),
    refusedAt: z.number().nullable(),
    ...standingFields,
    movedTo: z.string().nullable(),
    files: z.number(),
    bytes: z.number(),
  })
  .transform((row): LedgerEntry => withStanding(row));

/** Even a damaged row needs the first two fields. */
const leastOfRow = z
  .object({
    ruleId: z.string(),
    path: z.string(),
    identity: z.string().catch(''),
    newestMs: z.number().catch(0),
    jobId: z.string().nullable().catch(null),
    assetId: z.number().nullable().catch(null),
    takenAt: z.number().catch(0),
    ...standingFields,
    movedTo: z.string().nullable().catch(null),
    files: z.number().catch(0),
    bytes: z.number().catch(0),
  })
  .transform(
    (row): LedgerEntry => ({
      ...withStanding(row),
      ...{ marks: null, content: null, state: 'waits-for-person', endedAt: null, retries: 0 },
      ...{ retryAt: null, restarts: 0, uploadedAt: null, refusedAt: null },
      error: toErrorRecord(new TileliftError('watch-row-unreadable', { subject: row.path })),
    }),
  );

/** An unreadable row (newer state, damage) only blocks its own source, which needs a user decision. */
export const ledgerRow = z.unknown().transform((row): LedgerEntry => {
  try {
    return readableRow.parse(row);
  } catch {
    return leastOfRow.parse(row);
  }
});

/** States of later versions count as waiting for the user. */
export const countRow = z.object({
  state: z.enum(ledgerStates).catch('waits-for-person'),
  rows: z.number(),
});
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
  .object({ seq: z.number(), ended_at: z.number(), receipt: z.string() })
  .transform((row) => ({
    seq: row.seq,
    endedAt: row.ended_at,
    receipt: receipt.parse(JSON.parse(row.receipt)),
  }));
