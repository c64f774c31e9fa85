import { z } from 'zod';
import type { PhraseValue } from '../../../strings/phrase.ts';
import { isKey, type Key } from '../../../strings/say.ts';
import { errorRecord } from '../../jobs/error-record.ts';
import type { ActivityLine } from '../activity.ts';
import { type LedgerEntry, ledgerStates, type Receipt } from '../model.ts';

/** What the ledger's rows hold, checked: a disk may give back anything. */

export const ledgerRow = z
  .object({
    rule_id: z.string(),
    path: z.string(),
    identity: z.string(),
    fingerprint: z.string(),
    newest_ms: z.number(),
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
    wanted_at: z.number().nullable(),
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
      wantedAt: row.wanted_at,
      movedTo: row.moved_to,
      files: row.files,
      bytes: row.bytes,
    }),
  );

export const countRow = z.object({ state: z.enum(ledgerStates), rows: z.number() });
export const takenRow = z.object({ sources: z.number(), last_at: z.number() });

const phrase = z.object({
  key: z.custom<Key>(isKey),
  get values(): z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodType<PhraseValue>>> {
    return z
      .record(z.string(), z.union([z.string(), z.number(), z.object({ bytes: z.number() }), phrase]))
      .optional();
  },
});

const sentences = z.array(z.union([z.string(), phrase]));

export const activityRow = z
  .object({ at: z.number(), said: z.string().nullable(), text: z.string() })
  .transform(({ at, said, text }): ActivityLine => ({ at, said: sentencesOf(said), text }));

/** Null also where the catalogue has changed since: what can't be said any more is shown in the words that it was written with. */
function sentencesOf(said: string | null): ActivityLine['said'] {
  return said === null ? null : (sentences.safeParse(JSON.parse(said)).data ?? null);
}

const receipt = z
  .object({
    ruleId: z.string(),
    ruleName: z.string(),
    source: z.string(),
    assetId: z.number().nullable(),
    assetName: z.string(),
    assetType: z.string(),
    takenAt: z.number(),
    uploadedAt: z.number().nullable(),
    endedAt: z.number(),
    outcome: z.string(),
    error: z.string().nullable(),
    files: z.array(
      z.object({
        key: z.string(),
        size: z.number(),
        etag: z.string().nullable(),
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
