import { z } from 'zod';
import type { StorageFault } from './storage-error.ts';

/** The parts of what the SDK throws that are of use here; all of them may be missing. */
const thrownShape = z.object({
  name: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  Code: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  $metadata: z.object({ httpStatusCode: z.number().optional() }).optional().catch(undefined),
  $response: z
    .object({ statusCode: z.number().optional(), headers: z.record(z.string(), z.unknown()).optional() })
    .optional()
    .catch(undefined),
});

/** Names, and the SDK's messages for empty ones, that say only that something went wrong: the status says it better. */
const emptyNames: ReadonlySet<string> = new Set([
  'Error',
  'TypeError',
  'SyntaxError',
  'Unknown',
  'UnknownError',
]);

/**
 * Reads what the SDK threw. With several addresses for one host Node throws an `AggregateError`, whose first error
 * says what happened. `now`: ms since the epoch, for a `Retry-After` that is a date.
 */
export function readStorageFault(thrown: unknown, now: number): StorageFault {
  if (thrown instanceof AggregateError && thrown.errors.length > 0)
    return readStorageFault(thrown.errors[0], now);
  const error = thrownShape.safeParse(thrown).data ?? {};
  const status = error.$response?.statusCode ?? error.$metadata?.httpStatusCode;
  const code = [error.Code, error.code, error.name].find((name) => name && !emptyNames.has(name));
  const retryAfterMs = readRetryAfter(error.$response?.headers?.['retry-after'], now);
  return {
    ...(status === undefined ? {} : { status }),
    ...(code ? { code } : {}),
    ...(error.message && !emptyNames.has(error.message) ? { message: error.message } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** RFC 9110 10.2.3: seconds or a date. */
export function readRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
