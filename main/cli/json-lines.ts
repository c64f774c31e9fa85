import { z } from 'zod';

/**
 * What stands in each line of `--json`, by the name of its event: docs/automation.md explains them, and tests
 * hold every line that the command prints against this. Further fields may come; `version` grows where one
 * changes its meaning or goes.
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
  /** The same command would go on with it. */
  resumable: z.boolean(),
  /** Null where a signal stopped it. */
  exitCode: z.number().nullable(),
  error,
});

const lines = {
  /** Always the last one. */
  result: z.looseObject({
    exitCode: z.number(),
    jobs: z.array(jobResult).optional(),
    error: error.optional(),
    account: z.string().optional(),
    service: z.string().optional(),
    assetId: z.number().optional(),
    assets: z.number().optional(),
    rules: z.number().optional(),
    problems: z.number().optional(),
    receipts: z.number().optional(),
  }),
  'sign-in-link': z.object({ link: z.string() }),
  account: z.object({
    id: z.string(),
    /** As a person has called it; null for nothing. */
    name: z.string().nullable(),
    service: z.string(),
    signInPage: z.string(),
    signedInBy: z.enum(['browser', 'access-token']),
    current: z.boolean(),
    endsSoonAt: time.nullable(),
  }),
  /** An upload that is followed from now on. */
  upload: z.object({
    jobId: z.string(),
    name: z.string(),
    /** Begun by an earlier call, which this one continues. */
    continued: z.boolean(),
    /** The Tilelift that holds the journal and does the work; absent where this command does it. */
    handedOverTo: z.object({ owner: z.string(), version: z.string(), pid: z.number() }).optional(),
    paths: z.array(z.string()),
    /** Files that were not given and are uploaded with those that were; absent for none. */
    along: z.array(z.string()).optional(),
    /** Files that are not uploaded; absent for none. `named-only`: a file that was given names them. */
    leftOut: z
      .array(z.object({ path: z.string(), reason: z.enum(['name-not-utf8', 'named-only']) }))
      .optional(),
    files: z.number().optional(),
    bytes: z.number().optional(),
    type: z.string().optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    forecast: z.object({ seconds: z.number(), shareOfLife: z.number() }).nullable().optional(),
  }),
  /** A job is in another state, or waits for something else. */
  state: z.object({
    jobId: z.string(),
    status: z.string(),
    waitingFor: z.string().nullable(),
    assetId: z.number().nullable(),
    assetStatus: z.string().nullable(),
    error,
  }),
  /** How far a job is, once a second at most. */
  progress: z.object({
    jobId: z.string(),
    bytesDone: z.number(),
    bytesTotal: z.number().nullable(),
    bytesPerSecond: z.number().nullable(),
    secondsLeft: z.number().nullable(),
    percentComplete: z.number().nullable(),
    credentialsEndAt: time.nullable(),
  }),
  /** The report of docs/check.md. */
  check: z.object({ report: z.looseObject({ version: z.literal(3), result: z.string() }) }),
  /** An asset as the service describes it. */
  asset: z.object({ asset: z.looseObject({ id: z.number(), status: z.string(), name: z.string() }) }),
  'asset-progress': z.object({ assetId: z.number(), status: z.string(), percentComplete: z.number() }),
  /** What is wrong with a file of rules, whose `path` is told where the service reads it. */
  problem: z.object({
    path: z.string().optional(),
    line: z.number(),
    column: z.number(),
    field: z.string(),
    message: z.string().optional(),
  }),
  rules: z.object({ rules: z.array(z.looseObject({ id: z.string() })) }),
  receipt: z.object({ receipt: z.looseObject({ ruleId: z.string(), source: z.string() }) }),
  /** Of the running service or desktop, as its socket tells it. */
  status: z.looseObject({ owner: z.string() }),
  source: z.looseObject({ rule: z.string(), path: z.string(), state: z.string() }),
  job: z.looseObject({ id: z.string(), name: z.string(), status: z.string() }),
  /** Of `tilelift watch`. */
  watching: z.looseObject({ home: z.string(), folders: z.unknown() }),
  metrics: z.looseObject({}),
  'dry-run': z.looseObject({ rule: z.string(), folder: z.string() }),
  'rules-changed': z.looseObject({ path: z.string(), rules: z.number() }),
  'rules-refused': z.looseObject({ path: z.string(), problems: z.array(z.unknown()) }),
  health: z.object({
    health: z.string(),
    concerns: z.array(z.object({ kind: z.string(), count: z.number() })),
  }),
  'source-ended': z.looseObject({ rule: z.string(), source: z.string(), outcome: z.string() }),
};

const events = Object.entries(lines).map(([event, shape]) =>
  shape.extend({ ...line, event: z.literal(event) }),
);

/** Any line that the command prints with `--json`. */
export const jsonLineSchema = z.union(events);
