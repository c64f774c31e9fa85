import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { assetTypes } from '../../shared/assets.ts';
import { maxOptionsLength } from '../../shared/creation-options.ts';
import { jobActions, jobStatuses } from '../../shared/job-status.ts';
import { maxWkt } from '../../shared/source-changes.ts';
import { type SourceAction, type SourceSnapshot, sourceActions, sourceStates } from '../../shared/watch.ts';
import type { SignedInAccount } from '../account/model.ts';
import type { ChosenChanges } from '../inspect/changes/chosen-changes.ts';
import { errorRecord, saidRecord } from '../jobs/kept-words.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import { assetAnswer } from '../service/answers.ts';
import type { CreationBody } from '../service/model.ts';
import { statusSchema, watchedFolderSchema } from './status.ts';

/**
 * What a command and the running Tilelift say to each other: lines of JSON in UTF-8, each checked by whoever
 * reads it. The command speaks first: `{"tilelift": 2, "nonce": "…"}`, answered by a challenge or an error.
 * It sends nothing else before the challenge has proved that the other side knows the key, and gets the
 * greeting for a proof of its own (`proof.ts`). Each request has a number, and each answer, event and error
 * names it.
 */

/** Grows when one of the two would misunderstand the other. */
export const protocolVersion = 2;

/** Of one line, bytes. What is asked for never needs more: longer lists are cut. */
export const maxLineBytes = 8 * 1024 * 1024;
/** Of the lines before both sides have proved themselves, bytes. */
export const maxHelloBytes = 1_000;
/** Jobs in one list, and paths of one job on the wire. */
export const maxJobsListed = 1_000;
export const maxPathsTold = 100;

/** A program that holds the journal. */
const owners = ['desktop', 'watch'] as const;
export type Owner = (typeof owners)[number];

const hexOf256Bits = z.string().regex(/^[0-9a-f]{64}$/);

/** Of another version it may be anything. */
export const versionSchema = z.object({ tilelift: z.number() });
export const helloSchema = z.object({ nonce: hexOf256Bits });
export const challengeSchema = z.object({ nonce: hexOf256Bits, proof: hexOf256Bits });
export const proofSchema = z.object({ proof: hexOf256Bits });
/** All that is believed of a side that has proved nothing: why it ends the conversation. */
export const refusalSchema = z.object({
  id: z.null(),
  error: errorRecord.and(z.object({ code: z.enum(['socket-version', 'socket-misunderstood']) })),
});

const greetingSchema = z.object({
  tilelift: z.literal(protocolVersion),
  owner: z.enum(owners),
  /** Of the program. */
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

/** What a person at a terminal does with a job. `retry`: again, in the way that its state allows. */
export const commandActions = ['pause', 'resume', 'cancel', 'stop-following', 'retry'] as const;
export type CommandAction = (typeof commandActions)[number];

/** What a person at a terminal decides about a source of a watched folder. */
export const sourceDecisions = ['upload', 'leave', 'retry', 'dismiss'] as const;
export type SourceDecision = (typeof sourceDecisions)[number];

/** What a decision means for a source, by what its state allows. */
const decided: Readonly<Record<SourceDecision, readonly SourceAction[]>> = {
  upload: ['make-asset', 'take-anyway', 'take-now', 'try-again'],
  leave: ['leave-it'],
  retry: ['try-again'],
  dismiss: ['dismiss'],
};

/** Undefined where its state does not allow it. */
export function actionFor(
  { actions }: Pick<SourceSnapshot, 'actions'>,
  decision: SourceDecision,
): SourceAction | undefined {
  return decided[decision].find((one) => actions.includes(one));
}

/** Decisions about files: one of them may name every file of a source. */
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

/**
 * What tilings know by a field of its own is checked; all else the service reads, as far as it is bounded.
 */
const options = z
  .object({
    sourceType: text.min(1),
    clampToTerrain: z.boolean().exactOptional(),
    baseTerrainId: assetId.exactOptional(),
  })
  .loose()
  .refine((given) => given.baseTerrainId === undefined || given.clampToTerrain === true)
  .refine((given) => JSON.stringify(given).length <= maxOptionsLength + maxText);

const body: z.ZodType<CreationBody> = z.strictObject({
  name: text.min(1),
  description: z.string().max(1_000_000).exactOptional(),
  type: z.enum(assetTypes),
  options,
});

/** An upload that is handed over. */
const submitted = z.strictObject({
  /** Null: the current one's. */
  accountId: accountId.nullable(),
  paths: z.array(path).min(1).max(10_000),
  body,
  isKindDetected: z.literal(true).exactOptional(),
  acceptForecast: z.boolean(),
  changes: changes.exactOptional(),
  expected: z.strictObject({ files: count, bytes: count }).exactOptional(),
});
export type Submitted = z.infer<typeof submitted>;

/** Which assets are meant; absent: whatever it is. */
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
  /** `again`: also what is an asset already. */
  z.strictObject({ id, ask: z.literal('submit'), job: submitted, again: z.boolean() }),
  /** Tells of the job as it changes, and answers when it has ended. */
  z.strictObject({ id, ask: z.literal('follow'), jobId }),
  /** Of one rule, or of all (null). */
  z.strictObject({ id, ask: z.literal('sources'), ruleId: ruleId.nullable() }),
  z.strictObject({
    ...{ id, ask: z.literal('decide'), ruleId, path: text.min(1) },
    decision: z.enum(sourceDecisions),
  }),
  z.strictObject({ id, ask: z.literal('accounts') }),
  z.strictObject({ id, ask: z.literal('assets'), accountId, only: assetFilter }),
  z.strictObject({ id, ask: z.literal('asset'), accountId, assetId }),
]);
export type Request = z.infer<typeof requestSchema>;
export type Ask = Request['ask'];

/** A job on the wire: all that is known of it, but for paths beyond the first hundred. */
export const wireJobSchema: z.ZodType<JobSnapshot> = z.object({
  id: jobId,
  accountId: z.string().max(100),
  status: z.enum(jobStatuses),
  name: text,
  assetType: z.enum(assetTypes),
  sourceType: text,
  paths: z.array(z.string()).max(maxPathsTold).readonly(),
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

/** A signed-in account on the wire: nothing of its sign-in itself. */
const wireAccount: z.ZodType<SignedInAccount> = z.object({
  id: accountId,
  address: z.object({ baseUrl: text, authUrl: text }),
  name: z.string().max(1_000).nullable(),
  number: z.int().positive(),
  signedInBy: z.enum(['browser', 'access-token']),
  endsSoonAt: time.nullable(),
});

/** What each request is answered with. */
export const answerSchemas = {
  status: statusSchema,
  /** Newest first. `more`: how many there are besides. */
  jobs: z.object({ jobs: z.array(wireJobSchema).max(maxJobsListed).readonly(), more: count }),
  rules: z.array(watchedFolderSchema).max(10_000),
  /** Null: its state did not allow it. */
  act: z.object({ done: z.enum(jobActions).nullable(), job: wireJobSchema.nullable() }),
  /** The job is in the journal. `made`: the source is an asset already, and nothing was added. */
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
  /** As it was at its end; null where it is gone. */
  follow: wireJobSchema.nullable(),
  /** `isCut`: a rule has more. */
  sources: z.object({ sources: z.array(wireSource).readonly(), isCut: z.boolean() }),
  /** Null: its state did not allow it, or it is not there. */
  decide: z.object({ done: z.enum(sourceActions).nullable() }),
  /** `current`: the id of the one that is meant where none is named; null while nobody is signed in. */
  accounts: z.object({
    accounts: z.array(wireAccount).max(1_000).readonly(),
    current: accountId.nullable(),
  }),
  /** `more`: how many there are besides. */
  assets: z.object({ assets: z.array(assetAnswer).readonly(), more: count }),
  asset: assetAnswer,
} as const satisfies Record<Ask, z.ZodType>;
export type Answers = { readonly [Name in Ask]: z.infer<(typeof answerSchemas)[Name]> };

/** What comes back, before the answer itself is looked at. */
export const replySchema = z.union([
  greetingSchema,
  z.object({ id, answer: z.unknown().nonoptional() }),
  z.object({ id, event: z.unknown().nonoptional() }),
  z.object({ id, error: errorRecord }),
  /** Of the connection, which ends. */
  z.object({ id: z.null(), error: errorRecord }),
]);
