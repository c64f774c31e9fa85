import { z } from 'zod';
import type { Control } from '../model.ts';
import { changeSchema, seedAssetSchema, seedSchema } from './seed-schema.ts';

const room = z.enum(['api', 'auth', 'storage']);
const count = z.int().nonnegative();

const fault = z.strictObject({
  name: z.string().optional(),
  match: z.strictObject({
    room,
    method: z.string().optional(),
    path: z.string().optional(),
    after: count.optional(),
    times: count.optional(),
  }),
  action: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('status'),
      status: z.int().min(200).max(599),
      body: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    }),
    z.strictObject({ kind: z.literal('cut-request'), afterBytes: count }),
    z.strictObject({ kind: z.literal('cut-answer'), afterBytes: count }),
    z.strictObject({ kind: z.literal('hold') }),
    z.strictObject({ kind: z.literal('delay'), ms: z.number().nonnegative() }),
    z.strictObject({ kind: z.literal('throttle'), bytesPerSecond: z.number().positive() }),
    z.strictObject({ kind: z.literal('stall'), afterBytes: count.optional() }),
    z.strictObject({ kind: z.literal('corrupt-request'), atByte: count }),
    z.strictObject({ kind: z.literal('interim-answers'), statuses: z.array(count) }),
    z.strictObject({
      kind: z.literal('edit-answer'),
      headers: z.record(z.string(), z.string().nullable()).optional(),
      body: z.tuple([z.string(), z.string()]).optional(),
    }),
    z.strictObject({ kind: z.literal('raw'), base64: z.base64(), ending: z.enum(['close', 'reset']) }),
    z.strictObject({ kind: z.literal('impostor'), connections: z.int().positive() }),
  ]),
});

const course = z.strictObject({
  end: z.enum(['COMPLETE', 'DATA_ERROR', 'ERROR']),
  through: z.array(z.string()).optional(),
  error: z.string().optional(),
  ms: z.number().nonnegative().optional(),
});

const lostParts = z.strictObject({ key: z.string(), numbers: z.array(z.int().positive()) });

const noArgument = z.null().optional();
const accountName = z
  .string()
  .nullish()
  .transform((name) => name ?? undefined);

/** Validates a call's argument and returns its result. Throws ZodError. */
type Call = (control: Control, argument: unknown) => unknown;

/** All calls of Control except `readObject`, which returns bytes. A missing call doesn't compile. */
export const controlCalls: Readonly<Record<Exclude<keyof Control, 'readObject'>, Call>> = {
  addFault: (control, argument) => control.addFault(fault.parse(argument)),
  clearFaults: (control, argument) => noArgument.parse(argument) ?? control.clearFaults(),
  setTiling: (control, argument) => control.setTiling(course.parse(argument)),
  expireUploadCredentials: (control, argument) =>
    control.expireUploadCredentials(z.int().nullish().parse(argument) ?? undefined),
  expireAccessTokens: (control, argument) => control.expireAccessTokens(accountName.parse(argument)),
  revokeRefreshTokens: (control, argument) => control.revokeRefreshTokens(accountName.parse(argument)),
  skewClock: (control, argument) => control.skewClock(z.number().parse(argument)),
  seed: (control, argument) => control.seed(seedSchema.parse(argument)),
  seedAsset: (control, argument) => control.seedAsset(seedAssetSchema.parse(argument)),
  changeAsset: (control, argument) => control.changeAsset(changeSchema.parse(argument)),
  makeAccessToken: (control, argument) => control.makeAccessToken(z.array(z.string()).parse(argument)),
  assets: (control, argument) => noArgument.parse(argument) ?? control.assets(),
  ownerOf: (control, argument) => control.ownerOf(z.int().parse(argument)),
  optionsOf: (control, argument) => control.optionsOf(z.int().parse(argument)),
  objects: (control, argument) => control.objects(z.string().nullish().parse(argument) ?? undefined),
  compared: (control, argument) => control.compared(z.string().parse(argument)),
  openUploads: (control, argument) => noArgument.parse(argument) ?? control.openUploads(),
  loseParts: (control, argument) => control.loseParts(lostParts.parse(argument)),
  removeObjects: (control, argument) => control.removeObjects(z.string().parse(argument)),
  closeStorage: (control, argument) => noArgument.parse(argument) ?? control.closeStorage(),
  openStorage: (control, argument) => noArgument.parse(argument) ?? control.openStorage(),
  requests: (control, argument) => noArgument.parse(argument) ?? control.requests(),
  issuedSecrets: (control, argument) => noArgument.parse(argument) ?? control.issuedSecrets(),
};
