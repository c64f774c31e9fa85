import { abandon } from '../abandoned-work.ts';
import { TileliftError } from '../errors.ts';

/** A drive without an answer for this long counts as gone, ms. */
export const defaultReadStallMs = 30_000;

/**
 * Returns a drive's answer, or abandons the call, which stays pending in the system.
 *
 * @throws TileliftError `source-stalled` with the path after `stallMs`
 * @throws the signal's reason at once when it aborts
 */
export async function withoutStall<T>(
  readPromise: Promise<T>,
  path: string,
  stallMs: number,
  signal?: AbortSignal,
): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal?.reason);
  const timer = setTimeout(() => reject(new TileliftError('source-stalled', { subject: path })), stallMs);
  let hasAnswered = false;
  const answer = readPromise.finally(() => {
    hasAnswered = true;
  });
  try {
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    return await Promise.race([answer, givenUp]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    if (!hasAnswered) abandon(answer);
  }
}

/** Whether a drive was abandoned; its call may still be pending. */
export function isStalled(error: unknown): boolean {
  return error instanceof TileliftError && error.code === 'source-stalled';
}
