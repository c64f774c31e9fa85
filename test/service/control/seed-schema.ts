import { z } from 'zod';

const assetId = z.int().positive().max(999_999_999_999_999);
const seconds = z.int().positive();

/** Record fields that are validated if given (contract 2.1); all others pass unchecked. */
const recordFields = {
  description: z.string().optional(),
  attribution: z.string().optional(),
  bytes: z.int().nonnegative().optional(),
  dateAdded: z.string().optional(),
  status: z.string().min(1).optional(),
  percentComplete: z.number().optional(),
  error: z.string().optional(),
  progressMessage: z.string().optional(),
};

/** Argument of `seedAsset`, and each of `assets` in a seed. */
export const seedAssetSchema = z.looseObject({
  ...recordFields,
  id: assetId.optional(),
  name: z.string().min(1),
  type: z.string().min(1),
  options: z.record(z.string(), z.unknown()).optional(),
});

/** Argument of `changeAsset`. */
export const changeSchema = z.looseObject({
  ...recordFields,
  id: assetId,
  name: z.string().min(1).optional(),
  type: z.string().min(1).optional(),
});

/** An application of the dashboard (contract 5.1). */
export const clientSchema = z.strictObject({
  id: z.int().positive(),
  name: z.string().min(1),
  redirectUris: z.array(z.string()).min(1),
});

/** A seed file, and the argument of `seed`. Unknown members are rejected as misspelled. */
export const seedSchema = z.strictObject({
  assets: z.array(seedAssetSchema).optional(),
  clients: z.array(clientSchema).optional(),
  tokens: z
    .array(
      z.strictObject({
        name: z.string().optional(),
        scopes: z.array(z.string()),
        token: z
          .string()
          .regex(/^[A-Za-z0-9\-._~+/]+=*$/, 'is no bearer token (RFC 6750)')
          .optional(),
      }),
    )
    .optional(),
  accessTokenSeconds: seconds.optional(),
  refreshTokenSeconds: seconds.optional(),
  flow: z.enum(['current', 'earlier']).optional(),
  expiryNames: z.enum(['expires_in', 'expiresIn']).optional(),
  signInPath: z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._~-]+)*$/, 'begins with a slash and ends without one')
    .optional(),
  checksums: z.enum(['verify', 'ignore', 'refuse']).optional(),
});
