import type { JobSnapshot } from '../../jobs/model.ts';
import { createListeners } from '../../listeners.ts';

/**
 * Limits the jobs ahead of the uploads. Otherwise a burst of 500 folders would fill the list, and sources
 * that change while their job waits would have been picked up too early.
 */
export interface Turns {
  /** Per account: jobs of a signed-out one don't block others. */
  free(accountId: string): boolean;
  /** Returns an unsubscribe function. */
  onFree(listener: () => void): () => void;
}

/** Unsent jobs per account. */
const maxAhead = 20;

/**
 * Whether a job blocks others. One that waits for the user, its drive or a terrain doesn't: it uses no
 * bandwidth and may wait for long.
 */
export function isAhead({ status, waitingFor }: Pick<JobSnapshot, 'status' | 'waitingFor'>): boolean {
  return (
    (status === 'queued' || status === 'creating' || status === 'uploading') &&
    waitingFor !== 'confirmation' &&
    waitingFor !== 'source' &&
    waitingFor !== 'terrain'
  );
}

/** `ahead` counts an account's jobs that are ahead now. */
export function createTurns(ahead: (accountId: string) => number): Turns & { tell(): void } {
  const listeners = createListeners<[]>();
  return {
    free: (accountId) => ahead(accountId) < maxAhead,
    onFree: listeners.add,
    tell: () => {
      listeners.emit();
    },
  };
}
