import { createHash } from 'node:crypto';

/** The id of the account at a service: the same after every sign-in to the same API address, and fit for a file name. */
export function accountIdOf(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}
