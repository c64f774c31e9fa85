import { StorageError, type StorageFault } from '../storage-error.ts';

/**
 * What a request that got no whole answer ran into. With several addresses for one host Node throws an `AggregateError`, whose first error says what
 * happened.
 */
export function networkFault(thrown: unknown): StorageFault {
  if (thrown instanceof StorageError) return thrown.fault;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return networkFault(thrown.errors[0]);
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  return { ...(code ? { code } : {}), ...(thrown.message ? { message: thrown.message } : {}) };
}
