import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { assetTypeShape } from '../../shared/assets.ts';
import { maxOptionsLength } from '../../shared/creation-options.ts';
import { jobActions, jobStatuses } from '../../shared/job-status.ts';
import { assetChangeSchema } from '../../shared/schemas/asset-change.ts';
import { maxWkt } from '../../shared/source-changes.ts';
import { mayHaveBaseTerrain } from '../../shared/tiling-options.ts';
import { type SourceAction, type SourceSnapshot, sourceActions, sourceStates } from '../../shared/watch.ts';
import type { SignedInAccount } from '../account/model/model.ts';
import type { ChosenChanges } from '../inspect/changes/chosen-changes.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import { errorRecord, saidRecord } from '../jobs/stored-errors.ts';
import { assetAnswer } from '../service/answers.ts';
import type { CreationBody } from '../service/model.ts';
import { statusSchema, watchedFolderSchema } from './status.ts';

/**
 * Lines of JSON in UTF-8, validated by the receiver. The command sends `{"tilelift": 2, "nonce": "…"}`; the
 * answering challenge proves knowledge of the key; the command's own proof gets the greeting (`proof.ts`).
 * Answers, events and errors repeat the request's number.
 */

/** Increase for incompatible changes. */
export const protocolVersion = 2;

/** In bytes; longer lists are truncated. */
export const maxLineBytes = 8 * 1024 * 1024;
/** Before both sides are proven, bytes. */
export const maxHelloBytes = 1_000;
export const maxJobsListed = 1_000;
export const maxPathsListed = 100;

const owners = ['desktop', 'watch', 'upload'] as const;
export type OwnerKind = (typeof owners)[number];

const hexOf256Bits = z.string().regex(/^[0-9a-f]{64}$/);

export const versionSchema = z.object({ tilelift: z.number() });
export const helloSchema = z.object({ nonce: hexOf256Bits });
export const challengeSchema = z.object({ nonce: hexOf256Bits, proof: hexOf256Bits });
export const proofSchema = z.object({ proof: hexOf256Bits });
/** All that is accepted from an unproven side. */
export const refusalSchema = z.object({
  id: z.null(),
  error: errorRecord.and(z.object({ code: z.enum(['socket-version', 'socket-misunderstood']) })),
});

const greetingSchema = z.object({
  tilelift: z.literal(protocolVersion),
  owner: z.enum(owners),
  /** The program's version. */
  version: z.string().max(100),
  pid: z.int().positive(),
});
export type Greeting = z.infer<typeof greetingSchema>;

const maxText = 10_000;
const text = z.string().max(maxText);
const jobId = z.string().min(1).max(100);
const ruleId = z.string().min(1).max(200);
const path = z.string().min(1).max(4_096).refine(isAbsolute);
const count = z.number().nonnegative();
const time = z.number();

/** `retry`: in the way that the state allows. */
export const commandActions = ['pause', 'resume', 'cancel', 'stop-following', 'retry'] as const;
export type CommandAction = (typeof commandActions)[number];

export const sourceDecisions = ['upload', 'leave', 'retry', 'dismiss'] as const;
export type SourceDecision = (typeof sourceDecisions)[number];

/** The source's state selects one. */
const decisionActions: Readonly<Record<SourceDecision, readonly SourceAction[]>> = {
  upload: ['make-asset', 'take-anyway', 'take-now', 'try-again'],
  leave: ['leave-it'],
  retry: ['try-again'],
  dismiss: ['dismiss'],
};

/** Undefined if the source's state allows none. */
export function actionFor(
  { actions }: Pick<SourceSnapshot, 'actions'>,
  decision: SourceDecision,
): SourceAction | undefined {
  return decisionActions[decision].find((action) => actions.includes(action));
}

/** It may list every file of a source. */
const paths = z.array(path).max(100_000);
const changes: z.ZodType<ChosenChanges> = z.strictObject({
  only: paths.exactOptional(),
  leftOut: paths,
  assigned: z.array(z.strictObject({ epsg: z.int().positive(), files: paths })).max(1_000),
  worded: z
    .array(z.strictObject({ wkt: z.string().max(maxWkt), files: paths }))
    .max(1_000)
    .exactOptional(),
  takenAlong: z
    .array(z.strictObject({ folder: path, paths }))
    .max(1_000)
    .exactOptional(),
});

const assetId = z.int().positive();
const accountId = z.string().min(1).max(100);

/** The service reads unknown options. */
const options = z
  .object({
    sourceType: text.min(1),
    clampToTerrain: z.boolean().exactOptional(),
    baseTerrainId: assetId.exactOptional(),
  })
  .loose()
  .refine(
    ({ baseTerrainId, clampToTerrain, sourceType }) =>
      baseTerrainId === undefined || clampToTerrain === true || mayHaveBaseTerrain(sourceType),
  )
  .refine((value) => JSON.stringify(value).length <= maxOptionsLength + maxText);

const body: z.ZodType<CreationBody> = z.strictObject({
  name: text.min(1),
  description: z.string().max(1_000_000).exactOptional(),
  type: z.string().regex(assetTypeShape),
  options,
});

const submittedSchema = z.strictObject({
  /** Null: the current account. */
  accountId: accountId.nullable(),
  paths: z.array(path).min(1).max(10_000),
  body,
  isKindDetected: z.literal(true).exactOptional(),
  acceptForecast: z.boolean(),
  changes: changes.exactOptional(),
  expected: z.strictObject({ files: count, bytes: count }).exactOptional(),
});
export type SubmittedJob = z.infer<typeof submittedSchema>;

/** Absent fields match everything. */
const assetFilter = z.strictObject({
  status: z.string().max(100).exactOptional(),
  type: z.string().max(100).exactOptional(),
  name: text.exactOptional(),
});
export type AssetFilter = z.infer<typeof assetFilter>;

const id = z.int().nonnegative();
export const requestSchema = z.discriminatedUnion('ask', [
  z.strictObject({ id, ask: z.literal('status') }),
  z.strictObject({ id, ask: z.literal('jobs') }),
  z.strictObject({ id, ask: z.literal('rules') }),
  z.strictObject({ id, ask: z.literal('act'), jobId, action: z.enum(commandActions) }),
  /** `again`: even if it is already an asset. */
  z.strictObject({ id, ask: z.literal('submit'), job: submittedSchema, again: z.boolean() }),
  /** Answers when the job has ended. */
  z.strictObject({ id, ask: z.literal('follow'), jobId }),
  /** Null: all rules. */
  z.strictObject({ id, ask: z.literal('sources'), ruleId: ruleId.nullable() }),
  z.strictObject({
    ...{ id, ask: z.literal('decide'), ruleId, path: text.min(1) },
    decision: z.enum(sourceDecisions),
  }),
  z.strictObject({ id, ask: z.literal('accounts') }),
  z.strictObject({ id, ask: z.literal('assets'), accountId, only: assetFilter }),
  z.strictObject({ id, ask: z.literal('asset'), accountId, assetId }),
  z.strictObject({ id, ask: z.literal('editAsset'), accountId, assetId, change: assetChangeSchema }),
  z.strictObject({ id, ask: z.literal('deleteAsset'), accountId, assetId }),
]);
export type Request = z.infer<typeof requestSchema>;
export type Ask = Request['ask'];

/** A job with at most the first hundred paths. */
export const wireJobSchema: z.ZodType<JobSnapshot> = z.object({
  id: jobId,
  accountId: z.string().max(100),
  status: z.enum(jobStatuses),
  name: text,
  assetType: z.string().regex(assetTypeShape),
  sourceType: text,
  paths: z.array(z.string()).max(maxPathsListed).readonly(),
  createdAt: time,
  uploadedAt: time.nullable(),
  endedAt: time.nullable(),
  fileCount: count.nullable(),
  bytesTotal: count.nullable(),
  bytesDone: count,
  bytesOnWire: count,
  bytesPerSecond: count.nullable(),
  secondsLeft: z.number().nullable(),
  partsTotal: count.nullable(),
  partsDone: count,
  partsOnWire: count,
  credentialsEndAt: time.nullable(),
  partsSentAgain: count,
  concurrency: count.nullable(),
  waitingFor: z.enum(['turn', 'network', 'sign-in', 'confirmation', 'source', 'terrain']).nullable(),
  terrain: z.object({ id: z.number(), name: text, percentComplete: z.number() }).exactOptional(),
  assetId: z.number().nullable(),
  assetStatus: text.nullable(),
  percentComplete: z.number().nullable(),
  progressMessage: text.nullable(),
  error: errorRecord.nullable(),
  nextTryAt: time.nullable(),
  byRule: z.boolean(),
  predecessor: jobId.exactOptional(),
  actions: z.array(z.enum(jobActions)).readonly(),
  place: z.number(),
  isQueued: z.boolean(),
  expected: z.object({ files: count, bytes: count }).nullable(),
  links: count.exactOptional(),
});

const wireSource: z.ZodType<SourceSnapshot> = z.object({
  ruleId,
  path: text,
  files: count,
  bytes: count,
  state: z.enum(sourceStates),
  why: z.array(saidRecord).readonly(),
  movedTo: text.exactOptional(),
  at: time,
  takenAt: time.exactOptional(),
  jobId: jobId.nullable(),
  assetId: z.number().nullable(),
  error: errorRecord.nullable(),
  links: count.exactOptional(),
  otherKind: z.literal(true).exactOptional(),
  actions: z.array(z.enum(sourceActions)).readonly(),
});

/** Without tokens. */
const wireAccount: z.ZodType<SignedInAccount> = z.object({
  id: accountId,
  address: z.object({ baseUrl: text, authUrl: text }),
  name: z.string().max(1_000).nullable(),
  number: z.int().positive(),
  signedInBy: z.enum(['browser', 'access-token']),
  endsSoonAt: time.nullable(),
});

export const answerSchemas = {
  status: statusSchema,
  /** Newest first. `more`: not listed. */
  jobs: z.object({ jobs: z.array(wireJobSchema).max(maxJobsListed).readonly(), more: count }),
  rules: z.array(watchedFolderSchema).max(10_000),
  /** Null: not allowed. */
  act: z.object({ done: z.enum(jobActions).nullable(), job: wireJobSchema.nullable() }),
  /** `made`: already an asset; nothing was added. */
  submit: z.object({
    kind: z.enum(['new', 'continued', 'failed', 'made']),
    job: wireJobSchema,
    forecast: z
      .object({
        ...{ seconds: count, bytesPerSecond: count, filesPerSecond: count.nullable() },
        shareOfLife: count,
      })
      .nullable(),
  }),
  /** Null if removed. */
  follow: wireJobSchema.nullable(),
  /** `isCut`: a rule has more. */
  sources: z.object({ sources: z.array(wireSource).readonly(), isCut: z.boolean() }),
  /** Null: missing or not allowed. */
  decide: z.object({ done: z.enum(sourceActions).nullable() }),
  /** `current`: null if signed out. */
  accounts: z.object({ accounts: z.array(wireAccount).max(1_000).readonly(), current: accountId.nullable() }),
  /** `more`: not listed. */
  assets: z.object({ assets: z.array(assetAnswer).readonly(), more: count }),
  asset: assetAnswer,
  editAsset: assetAnswer,
  deleteAsset: z.object({ assetId }),
} as const satisfies Record<Ask, z.ZodType>;
export type Answers = { readonly [Name in Ask]: z.infer<(typeof answerSchemas)[Name]> };

/** The answer is yet to be validated. */
export const replySchema = z.union([
  greetingSchema,
  z.object({ id, answer: z.unknown().nonoptional() }),
  z.object({ id, event: z.unknown().nonoptional() }),
  z.object({ id, error: errorRecord }),
  /** The connection ends. */
  z.object({ id: z.null(), error: errorRecord }),
]);
