import { TileliftError } from '../errors.ts';
import { giveUp } from '../hanging-work.ts';

/** A drive that moves no byte for so long is taken for gone, ms. */
export const defaultReadStallMs = 30_000;

/**
 * What a drive answers. One that does not answer is given up: its call stays behind in the system.
 *
 * @throws TileliftError `source-stalled`, naming the file, after `stallMs`
 * @throws the signal's reason when it aborts, at once
 */
export async function withoutStall<T>(
  asked: Promise<T>,
  path: string,
  stallMs: number,
  signal?: AbortSignal,
): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal?.reason);
  const timer = setTimeout(() => reject(new TileliftError('source-stalled', { subject: path })), stallMs);
  let answered = false;
  const answer = asked.finally(() => {
    answered = true;
  });
  try {
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    return await Promise.race([answer, givenUp]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    if (!answered) giveUp(answer);
  }
}

/** A drive was given up: its call may still be under way. */
export function isStalled(thrown: unknown): boolean {
  return thrown instanceof TileliftError && thrown.code === 'source-stalled';
}
