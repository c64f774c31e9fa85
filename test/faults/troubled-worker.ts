import { existsSync } from 'node:fs';
import type { LookupFunction } from 'node:net';

/** Troubles that last while a file lies at the path, so that several threads see them at once. */
export interface Troubles {
  /** No name can be looked up. */
  readonly away?: string;
  /** The disk fails in the middle of whatever is read. */
  readonly diskFails?: string;
}

/** The upload worker with these troubles, as an address for the storage client. */
export function troubledWorker(troubles: Troubles): URL {
  const address = new URL('./troubled-upload-worker.ts', import.meta.url);
  for (const [name, path] of Object.entries(troubles)) address.searchParams.set(name, path);
  return address;
}

/** The only name there is in these tests: this machine's. */
export const hostName = 'storage.test';

/** Answers for `hostName` alone: with this machine, or as a resolver without a network does. No name ever leaves the process. */
export function answerLookups(usual: LookupFunction, away: string): LookupFunction {
  return (name, options, callback) => {
    if (name !== hostName) return usual(name, options, callback);
    if (!existsSync(away)) return usual('127.0.0.1', options, callback);
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    setImmediate(() => callback(error, '', 4));
  };
}
