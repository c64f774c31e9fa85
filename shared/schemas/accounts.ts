import { z } from 'zod';
import { maxAccountName } from '../accounts.ts';

/** The name that a person gives an account. */
export const accountName = z.string().trim().min(1).max(maxAccountName);

/** An account as the settings remember it, whether someone is signed in or not. */
export const knownAccountSchema = z.object({
  id: z.string().min(1).max(100),
  /** Of its service. */
  baseUrl: z.string().min(1),
  /** Null until the person gives one. */
  name: accountName.nullable(),
  /** Which of its service's accounts it is, from 1: tells apart those without a name of their own. */
  number: z.int().min(1),
  /** The person signed out of it; an account that is neither this nor signed in has lost its sign-in. */
  signedOut: z.boolean(),
});
export type KnownAccount = Readonly<z.infer<typeof knownAccountSchema>>;
