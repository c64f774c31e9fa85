import type { JobSnapshot } from '../jobs/model.ts';
import { createListeners } from '../listeners.ts';

/**
 * How many sources may become jobs ahead of the line. A burst of 500 folders would otherwise fill the list of
 * uploads, and a source that changes while its job waits would have been taken too early.
 */
export interface Turns {
  /** True while one more may be taken for this account: jobs of a signed-out one don't block others. */
  free(accountId: string): boolean;
  /** Called when that may have changed. Returns an unsubscribe function. */
  onFree(listener: () => void): () => void;
}

/** Jobs of watched folders and one account that have not sent all they have. */
const maxAhead = 20;

/**
 * True when a job is in the way of others. One that waits for a person, for its drive or for a terrain, is
 * not: it holds no line, and may wait for long.
 */
export function isAhead({ status, waitingFor }: Pick<JobSnapshot, 'status' | 'waitingFor'>): boolean {
  return (
    (status === 'queued' || status === 'creating' || status === 'uploading') &&
    waitingFor !== 'confirmation' &&
    waitingFor !== 'source' &&
    waitingFor !== 'terrain'
  );
}

/** `ahead`: how many jobs of an account are ahead now. */
export function createTurns(ahead: (accountId: string) => number): Turns & { tell(): void } {
  const listeners = createListeners<[]>();
  return {
    free: (accountId) => ahead(accountId) < maxAhead,
    onFree: listeners.add,
    tell: () => {
      listeners.tell();
    },
  };
}
