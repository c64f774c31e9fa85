import { z } from 'zod';

/**
 * Each `--json` line by event (docs/cli.md); tests check every printed line. Increase `version` when a
 * field changes its meaning or is removed.
 */

const time = z.iso.datetime();
const error = z.looseObject({ code: z.string(), message: z.string().optional() }).nullable();
const line = { version: z.literal(1), at: time };

const jobResult = z.object({
  jobId: z.string(),
  name: z.string(),
  paths: z.array(z.string()),
  status: z.string(),
  assetId: z.number().nullable(),
  assetStatus: z.string().nullable(),
  files: z.number().nullable(),
  bytes: z.number().nullable(),
  bytesDone: z.number(),
  /** Running the command again continues it. */
  resumable: z.boolean(),
  /** Null if a signal stopped it. */
  exitCode: z.number().nullable(),
  error,
});

const problem = z.object({ line: z.number(), column: z.number(), field: z.string(), message: z.string() });

const listedFields = {
  /** Uploaded files that weren't given. */
  along: z.array(z.string()).optional(),
  /** `named-only`: a given file refers to it. */
  leftOut: z
    .array(z.object({ path: z.string(), reason: z.enum(['name-not-utf8', 'named-only']) }))
    .optional(),
};

const lines = {
  /** Always last. */
  result: z.looseObject({
    exitCode: z.number(),
    jobs: z.array(jobResult).optional(),
    error: error.optional(),
    accountId: z.string().optional(),
    service: z.string().optional(),
    assetId: z.number().optional(),
    assets: z.number().optional(),
    rules: z.number().optional(),
    problems: z.number().optional(),
    receipts: z.number().optional(),
  }),
  'sign-in-link': z.object({ link: z.string() }),
  account: z.object({
    accountId: z.string(),
    /** The user's name for it, or null. */
    name: z.string().nullable(),
    service: z.string(),
    signInPage: z.string(),
    signedInBy: z.enum(['browser', 'access-token']),
    current: z.boolean(),
    endsSoonAt: time.nullable(),
  }),
  upload: z.object({
    jobId: z.string(),
    name: z.string(),
    continued: z.boolean(),
    /** Absent if this process uploads. */
    handedOverTo: z.object({ owner: z.string(), version: z.string(), pid: z.number() }).optional(),
    paths: z.array(z.string()),
    ...listedFields,
    files: z.number().optional(),
    bytes: z.number().optional(),
    type: z.string().optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    forecast: z.object({ seconds: z.number(), shareOfLife: z.number() }).nullable().optional(),
  }),
  /** From `upload --dry-run`. */
  'upload-plan': z.object({
    name: z.string(),
    paths: z.array(z.string()),
    files: z.number(),
    bytes: z.number(),
    type: z.string(),
    options: z.record(z.string(), z.unknown()),
    ...listedFields,
  }),
  state: z.object({
    jobId: z.string(),
    status: z.string(),
    waitingFor: z.string().nullable(),
    assetId: z.number().nullable(),
    assetStatus: z.string().nullable(),
    error,
  }),
  /** At most once a second. */
  progress: z.object({
    jobId: z.string(),
    bytesDone: z.number(),
    bytesTotal: z.number().nullable(),
    bytesPerSecond: z.number().nullable(),
    secondsLeft: z.number().nullable(),
    percentComplete: z.number().nullable(),
    credentialsEndAt: time.nullable(),
  }),
  /** See docs/check.md. */
  check: z.object({ report: z.looseObject({ result: z.string() }) }),
  asset: z.object({ asset: z.looseObject({ id: z.number(), status: z.string(), name: z.string() }) }),
  'asset-progress': z.object({ assetId: z.number(), status: z.string(), percentComplete: z.number() }),
  /** `path`: only if the service reads the file. */
  problem: problem.extend({ path: z.string().optional() }),
  rules: z.object({ rules: z.array(z.looseObject({ id: z.string() })) }),
  receipt: z.object({
    receipt: z.looseObject({
      ruleId: z.string(),
      source: z.string(),
      takenAt: time,
      uploadedAt: time.nullable(),
      endedAt: time,
    }),
  }),
  /** Sent by the running service or desktop. */
  status: z.looseObject({
    owner: z.string(),
    startedAt: time,
    lastSuccessAt: time.nullable(),
    outageSince: time.nullable(),
    accounts: z.array(z.object({ accountId: z.string(), service: z.string(), endsSoonAt: time.nullable() })),
    folders: z.array(
      z.looseObject({
        ruleId: z.string(),
        name: z.string(),
        folder: z.string(),
        lastTakenAt: time.nullable(),
        waitingSince: time.nullable(),
        lastLookAt: time.nullable(),
      }),
    ),
  }),
  source: z.looseObject({
    ruleId: z.string(),
    rule: z.string(),
    path: z.string(),
    state: z.string(),
    since: time,
    takenAt: time.nullable(),
  }),
  job: z.looseObject({
    jobId: z.string(),
    name: z.string(),
    status: z.string(),
    createdAt: time,
    uploadedAt: time.nullable(),
    endedAt: time.nullable(),
    credentialsEndAt: time.nullable(),
    nextTryAt: time.nullable(),
  }),
  /** From `tilelift watch`. */
  watching: z.looseObject({ home: z.string(), folders: z.unknown() }),
  metrics: z.looseObject({}),
  'dry-run': z.looseObject({ rule: z.string(), folder: z.string() }),
  'rules-changed': z.looseObject({ path: z.string(), rules: z.number() }),
  'rules-refused': z.looseObject({ path: z.string(), problems: z.array(problem) }),
  health: z.object({
    health: z.string(),
    concerns: z.array(z.object({ kind: z.string(), count: z.number() })),
  }),
  'source-ended': z.looseObject({ rule: z.string(), source: z.string(), outcome: z.string(), endedAt: time }),
};

const events = Object.entries(lines).map(([event, shape]) =>
  shape.extend({ ...line, event: z.literal(event) }),
);

export const jsonLineSchema = z.union(events);
