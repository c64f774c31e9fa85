import { z } from 'zod';
import { maxAccountName } from '../accounts.ts';

export const accountName = z.string().trim().min(1).max(maxAccountName);

/** An account in the settings, signed in or not. */
export const knownAccountSchema = z.object({
  id: z.string().min(1).max(100),
  /** Address of its service. */
  baseUrl: z.string().min(1),
  name: accountName.nullable(),
  /** Number among the accounts of its service, from 1; distinguishes unnamed ones. */
  number: z.int().min(1),
  /** The user signed out. Without this, a signed-out account has lost its sign-in. */
  signedOut: z.boolean(),
});
export type KnownAccount = Readonly<z.infer<typeof knownAccountSchema>>;
