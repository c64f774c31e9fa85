import { z } from 'zod';
import { holdReasons } from '../../../../shared/watch.ts';
import { TileliftError, toErrorRecord } from '../../../errors.ts';
import { errorRecord, saidRecord } from '../../../jobs/stored-errors.ts';
import type { ActivityLine } from '../../model/activity.ts';
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

function standingOf(row: {
  readonly standing: Standing['why'] | null;
  readonly standing_since: number | null;
  readonly standing_together: number | null;
}): Standing | null {
  const { standing: why, standing_since: startedAt, standing_together: groupFlag } = row;
  return why === null ? null : { why, startedAt: startedAt ?? 0, isGrouped: groupFlag === 1 };
}

const readableRow = z
  .object({
    rule_id: z.string(),
    path: z.string(),
    identity: z.string(),
    fingerprint: z.string(),
    newest_ms: z.number(),
    marks: z.string().nullable(),
    content: z.string().nullable(),
    state: z.enum(ledgerStates),
    job_id: z.string().nullable(),
    asset_id: z.number().nullable(),
    taken_at: z.number(),
    ended_at: z.number().nullable(),
    error: z.string().nullable(),
    retries: z.number(),
    retry_at: z.number().nullable(),
    restarts: z.number(),
    uploaded_at: z.number().nullable(),
    refused_at: z.number().nullable(),
    ...standingFields,
    moved_to: z.string().nullable(),
    files: z.number(),
    bytes: z.number(),
  })
  .transform(
    (row): LedgerEntry => ({
      ruleId: row.rule_id,
      path: row.path,
      identity: row.identity,
      fingerprint: row.fingerprint,
      newestMs: row.newest_ms,
      marks: row.marks,
      content: row.content,
      state: row.state,
      jobId: row.job_id,
      assetId: row.asset_id,
      takenAt: row.taken_at,
      endedAt: row.ended_at,
      error: row.error === null ? null : errorRecord.parse(JSON.parse(row.error)),
      retries: row.retries,
      retryAt: row.retry_at,
      restarts: row.restarts,
      uploadedAt: row.uploaded_at,
      refusedAt: row.refused_at,
      standing: standingOf(row),
      movedTo: row.moved_to,
      files: row.files,
      bytes: row.bytes,
    }),
  );

/** Even a damaged row needs the first two fields. */
const leastOfRow = z.object({
  rule_id: z.string(),
  path: z.string(),
  identity: z.string().catch(''),
  fingerprint: z.string().catch(''),
  newest_ms: z.number().catch(0),
  job_id: z.string().nullable().catch(null),
  asset_id: z.number().nullable().catch(null),
  taken_at: z.number().catch(0),
  ...standingFields,
  moved_to: z.string().nullable().catch(null),
  files: z.number().catch(0),
  bytes: z.number().catch(0),
});

/** An unreadable row (newer state, damage) only blocks its own source, which needs a user decision. */
export const ledgerRow = z.unknown().transform((row): LedgerEntry => {
  try {
    return readableRow.parse(row);
  } catch {
    return unreadable(leastOfRow.parse(row));
  }
});

function unreadable(row: z.infer<typeof leastOfRow>): LedgerEntry {
  return {
    ruleId: row.rule_id,
    path: row.path,
    identity: row.identity,
    fingerprint: row.fingerprint,
    newestMs: row.newest_ms,
    marks: null,
    content: null,
    state: 'waits-for-person',
    jobId: row.job_id,
    assetId: row.asset_id,
    takenAt: row.taken_at,
    endedAt: null,
    error: toErrorRecord(new TileliftError('watch-row-unreadable', { subject: row.path })),
    retries: 0,
    retryAt: null,
    restarts: 0,
    uploadedAt: null,
    refusedAt: null,
    standing: standingOf(row),
    movedTo: row.moved_to,
    files: row.files,
    bytes: row.bytes,
  };
}

/** States of later versions count as waiting for the user. */
export const countRow = z.object({
  state: z.enum(ledgerStates).catch('waits-for-person'),
  rows: z.number(),
});
export const takenRow = z.object({ sources: z.number(), last_at: z.number() });

const sentences = z.array(saidRecord);

export const activityRow = z.object({ at: z.number(), said: z.string(), text: z.string() }).transform(
  ({ at: timestamp, said: storedPhrases, text }): ActivityLine => ({
    timestamp,
    phrases: sentencesOf(storedPhrases),
    text,
  }),
);

/** Null if the catalogue has changed; then the stored text is shown. */
function sentencesOf(storedPhrases: string): ActivityLine['phrases'] {
  return sentences.safeParse(JSON.parse(storedPhrases)).data ?? null;
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
