import { awaitsFiles, isContractStatus } from '../../shared/assets.ts';
import type { JobAction } from '../../shared/job-status.ts';
import { awaitsConfirmation, isRetryable, type JobState } from './state.ts';

/** `nextTryAt`: null if nothing will be retried. */
export function actionsOf({
  state,
  nextTryAt,
}: {
  readonly state: JobState;
  readonly nextTryAt: number | null;
}): readonly JobAction[] {
  return nextTryAt === null ? actionsFor(state) : ['try-now', ...actionsFor(state)];
}

/** The actions that a state allows. Pure. */
export function actionsFor(state: JobState): readonly JobAction[] {
  switch (state.kind) {
    case 'queued':
    case 'creating':
    case 'uploading':
      return awaitsConfirmation(state) ? ['confirm', 'cancel'] : ['pause', 'cancel'];
    case 'completing':
      return ['cancel'];
    case 'tiling':
      return mayNeverEnd(state.assetStatus) ? ['stop-following', 'cancel'] : ['cancel'];
    case 'paused':
      return ['resume', 'cancel'];
    case 'failed':
      return isRetryable(state) ? ['try-again', 'start-again', 'remove'] : ['start-again', 'remove'];
    case 'data-error':
    case 'error':
    case 'expired':
    case 'cancelled':
      return ['start-again', 'remove'];
    case 'complete':
      return ['remove'];
  }
}

function mayNeverEnd(status: string | null): boolean {
  return status !== null && (status === awaitsFiles || !isContractStatus(status));
}
