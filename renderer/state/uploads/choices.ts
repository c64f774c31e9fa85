/**
 * Everything that can be chosen for uploads, in one place: the menus list it, and so does the palette. What
 * is to be in one of them belongs here.
 */

import type { JobView } from '../../../preload/contract.ts';
import { hasEnded } from '../../../shared/job-status.ts';
import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';
import { menuWord, type RowAction, rowActions } from './job-actions.ts';
import { type Sweep, sweptBy } from './queue-actions.ts';
import { stepOf } from './queue-rows.ts';

/** For all uploads, in the order of their menu. */
const queueKeys = {
  pause: 'queue.pauseAll',
  resume: 'queue.resumeAll',
  'try-again': 'queue.retryAll',
  remove: 'queue.removeAll',
  'copy-list': 'queue.copyEnded',
  'bring-back': 'queue.bringBack',
  compact: 'queue.compact',
} as const satisfies Record<Sweep, Key> & Record<string, Key>;

export type QueueChoice = keyof typeof queueKeys;
export const queueChoices = Object.keys(queueKeys) as readonly QueueChoice[];

export function queueChoiceWord(choice: QueueChoice): string {
  return say(queueKeys[choice]);
}

/** The uploads that a choice is about; none where it can't be chosen now. */
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

/** Places in the queue that an upload can be given. */
const ways = ['next', 'up', 'down'] as const;
type Way = (typeof ways)[number];

/** For one upload. */
export type RowChoice = RowAction | Way | 'show-in-folder';

/** What can be chosen for one upload now, in groups, as its context menu has them. */
export function rowChoices(
  job: JobView,
  queue: readonly JobView[],
): {
  readonly moves: readonly Way[];
  readonly actions: readonly RowAction[];
  readonly looks: readonly ['show-in-folder'];
} {
  const ids = new Set([job.id]);
  const { first, rest } = rowActions(job);
  return {
    moves: job.isQueued ? ways.filter((way) => stepOf(queue, ids, way)) : [],
    actions: first ? [first, ...rest] : rest,
    looks: ['show-in-folder'],
  };
}

export function rowChoiceWord(choice: RowChoice): string {
  if (choice === 'show-in-folder') return say('queue.showInFolder');
  const way = ways.find((one) => one === choice);
  return way ? say(`queue.${way}`) : menuWord(choice as RowAction);
}

/** What was chosen away from the list, for the list to do. */
export type QueueRequest =
  | { readonly about: 'all'; readonly choice: QueueChoice }
  | { readonly about: JobView; readonly choice: RowChoice };
