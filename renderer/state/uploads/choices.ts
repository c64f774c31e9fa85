/** All choices for uploads, for the menus and the palette. Add new ones here. */

import type { JobView } from '../../../preload/contract.ts';
import { hasEnded, type JobStatus } from '../../../shared/job-status.ts';
import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';
import { menuWord, type RowAction, rowActions } from './job-actions.ts';
import { type SweepAction, sweptBy } from './queue-actions.ts';
import { stepOf } from './queue-rows.ts';

const queueKeys = {
  pause: 'queue.pauseAll',
  resume: 'queue.resumeAll',
  'try-again': 'queue.retryAll',
  remove: 'queue.removeAll',
  'copy-list': 'queue.copyEnded',
  'bring-back': 'queue.bringBack',
  compact: 'queue.compact',
} as const satisfies Record<SweepAction, Key> & Record<string, Key>;

export type QueueChoice = keyof typeof queueKeys;
export const queueChoices = Object.keys(queueKeys) as readonly QueueChoice[];

export function queueChoiceWord(choice: QueueChoice): string {
  return say(queueKeys[choice]);
}

/** The uploads that a choice affects; empty if it isn't available. */
export function meantBy(choice: QueueChoice, jobs: readonly JobView[]): readonly JobView[] {
  switch (choice) {
    case 'copy-list':
      return jobs.filter(({ status }) => hasEnded(status));
    case 'bring-back':
    case 'compact':
      return jobs;
    default:
      return sweptBy(choice, jobs);
  }
}

const moveWays = ['next', 'up', 'down'] as const;
type Way = (typeof moveWays)[number];

const lookKeys = { rename: 'queue.rename', 'show-in-folder': 'queue.showInFolder' } as const;
type LookChoice = keyof typeof lookKeys;

export type RowChoice = RowAction | Way | LookChoice;

export function rowChoices(
  job: JobView,
  queue: readonly JobView[],
): {
  readonly moves: readonly Way[];
  readonly actions: readonly RowAction[];
  readonly looks: readonly LookChoice[];
} {
  const ids = new Set([job.id]);
  const { primary, menu: menuActions } = rowActions(job);
  return {
    moves: job.isQueued ? moveWays.filter((way) => stepOf(queue, ids, way)) : [],
    actions: primary ? [primary, ...menuActions] : menuActions,
    looks: [...(job.isQueued && renamable.has(job.status) ? ['rename' as const] : []), 'show-in-folder'],
  };
}

export function rowChoiceWord(choice: RowChoice): string {
  if (choice in lookKeys) return say(lookKeys[choice as LookChoice]);
  const way = moveWays.find((candidate) => candidate === choice);
  return way ? say(`queue.${way}`) : menuWord(choice as RowAction);
}

const renamable: ReadonlySet<JobStatus> = new Set(['queued', 'paused']);

/** A choice made outside the list, which the list executes. */
export type QueueRequest =
  | { readonly about: 'all'; readonly choice: QueueChoice }
  | { readonly about: JobView; readonly choice: RowChoice };
