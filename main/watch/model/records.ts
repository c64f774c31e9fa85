import { z } from 'zod';
import { holdReasons } from '../../../shared/watch.ts';
import { errorRecord } from '../../jobs/stored-errors.ts';
import { degreesRecord, notedRecord } from './noted-findings.ts';

/** Stored records. Times are ms since the epoch, sizes are bytes. */

/** The outcome of a source in its ledger row. */
export const ledgerStates = [
  /** No asset yet; the user is asked about it. */
  'seen',
  /** Present when the rule was created, or unwanted. */
  'skipped',
  'taken',
  'complete',
  /** The source has to change first. */
  'waits-for-change',
  /** External failure: retried at `retryAt`. */
  'waits-for-retry',
  /** Cancelled, expired or held: only the user can resume it. */
  'waits-for-person',
] as const;
export type LedgerState = (typeof ledgerStates)[number];

/** Reads the newest row of a rule and path. Its columns have the names of the fields in snake case. */
export const ledgerRow = z
  .object({
    ruleId: z.string(),
    path: z.string(),
    identity: z.string(),
    newestMs: z.number(),
    /** The `digest` when this row was last updated; null if unknown. */
    marks: z.string().nullable(),
    /** Null until computed (`scan/content.ts`). */
    content: z.string().nullable(),
    state: z.enum(ledgerStates),
    /** Null when `skipped`. */
    jobId: z.string().nullable(),
    assetId: z.number().nullable(),
    takenAt: z.number(),
    /** Null while the newest job is under way. */
    endedAt: z.number().nullable(),
    // The journal's rescue removes damaged rows; an unreadable error only loses its words.
    error: z
      .string()
      .nullable()
      .transform((text) => (text === null ? null : (errorRecord.safeParse(JSON.parse(text)).data ?? null))),
    retries: z.number(),
    retryAt: z.number().nullable(),
    /** Assets after the first one without a user decision. */
    restarts: z.number(),
    /**
     * When all bytes of the newest job were in storage. Afterwards only the user, or a change, creates
     * another asset.
     */
    uploadedAt: z.number().nullable(),
    /** When storage refused it, which pauses its rule. 0: storage has accepted another source since. */
    refusedAt: z.number().nullable(),
    /**
     * The open question about it; `upload`: the user wants an asset of it as it is; `gone`: its path no
     * longer exists. Null: as its state says.
     */
    standing: z.enum([...holdReasons, 'upload', 'gone']).nullable(),
    standingSince: z.number().nullable(),
    /** Set after a move. */
    movedTo: z.string().nullable(),
    files: z.number(),
    bytes: z.number(),
  })
  .transform(({ standing: why, standingSince, ...fields }) => {
    return { ...fields, standing: why === null ? null : { why, startedAt: standingSince ?? 0 } };
  });

export type LedgerEntry = Readonly<z.output<typeof ledgerRow>>;
export type Standing = Readonly<NonNullable<LedgerEntry['standing']>>;

const receiptFile = z.object({
  key: z.string(),
  size: z.number(),
  /**
   * From storage: the MD5; for several parts, the MD5 of their MD5s, `-` and their count. Null if never
   * complete.
   */
  etag: z.string().nullable(),
  /** Used by storage to verify its bytes; absent if unknown. */
  comparedBy: z.enum(['crc32', 'md5']).nullish().catch(undefined),
  /** Needed to recompute such an ETag. */
  partSize: z.number(),
});

/** The permanent record of a finished source. */
export const receiptRecord = z.object({
  ruleId: z.string(),
  ruleName: z.string(),
  source: z.string(),
  accountId: z.string(),
  /** API address of the account's service; absent if the account is gone. */
  service: z.string().optional(),
  assetId: z.number().nullable(),
  assetName: z.string(),
  assetType: z.string(),
  takenAt: z.number(),
  uploadedAt: z.number().nullable(),
  endedAt: z.number(),
  /** The job's last state: `complete`, `data-error`, `failed`, … */
  outcome: z.string(),
  error: errorRecord.nullable(),
  /** Links that weren't followed; absent for none. */
  links: z.number().optional(),
  /** Absent for none. */
  findings: notedRecord.optional(),
  /** How thoroughly the files were checked; absent if they weren't. */
  degrees: degreesRecord.optional(),
  files: z.array(receiptFile).readonly(),
});

export type ReceiptFile = Readonly<z.infer<typeof receiptFile>>;
export type Receipt = Readonly<z.infer<typeof receiptRecord>>;
