/** What can be done with a job from its row: the one action that fits, and the rest. */

import type { JobAction, JobView } from '../../../../preload/contract.ts';
import type { Key } from '../../../../strings/say.ts';
import { say } from '../../../say.ts';

/** What the button of a row does: an action of the job, or a look at the asset. */
export type RowAction = JobAction | 'correct' | 'copy-id' | 'open-asset';

const actionKeys = {
  'try-now': 'job.action.tryNow',
  confirm: 'job.action.confirm',
  pause: 'general.pause',
  resume: 'general.resume',
  cancel: 'job.action.cancel',
  correct: 'job.action.correct',
  'try-again': 'job.action.tryAgain',
  'start-again': 'job.action.startAgain',
  remove: 'job.action.remove',
  'copy-id': 'general.copyId',
  'open-asset': 'general.open',
} as const satisfies Record<RowAction, Key>;

/** On the button of a row. */
export function actionWord(action: RowAction): string {
  return say(actionKeys[action]);
}

const menuKeys = {
  ...actionKeys,
  confirm: 'job.menu.confirm',
  cancel: 'job.menu.cancel',
  correct: 'job.menu.correct',
  'try-again': 'job.menu.tryAgain',
  'start-again': 'job.menu.startAgain',
  'copy-id': 'job.menu.copyId',
  'open-asset': 'general.openOnService',
} as const satisfies Record<RowAction, Key>;

/** In the menu of a row, where there is room to be exact. */
export function menuWord(action: RowAction): string {
  return say(menuKeys[action]);
}

/** Which action a row offers first, by state; what the state does not allow is passed over. */
const preferred: readonly RowAction[] = [
  'confirm',
  'try-now',
  'resume',
  'correct',
  'try-again',
  'start-again',
  'pause',
  'copy-id',
  'open-asset',
  'remove',
  'cancel',
];

/** Tiling came to nothing, and a person chose what it was made of. */
function isToCorrect({ status, byRule }: JobView): boolean {
  return (status === 'data-error' || status === 'error') && !byRule;
}

/** The action that fits, for the row itself, and the rest, for its menu. Never more than main allows. */
export function rowActions(job: JobView): {
  readonly first: RowAction | null;
  readonly rest: readonly RowAction[];
} {
  const looks: readonly RowAction[] = job.assetId === null ? [] : ['copy-id', 'open-asset'];
  const all: readonly RowAction[] = [
    ...looks,
    ...(isToCorrect(job) ? ['correct' as const] : []),
    ...job.actions,
  ];
  const order =
    job.status === 'complete'
      ? (['copy-id'] as const)
      : job.status === 'tiling' && job.nextTryAt === null
        ? (['open-asset'] as const)
        : preferred;
  const first = [...order, ...preferred].find((action) => all.includes(action)) ?? null;
  return { first, rest: all.filter((action) => action !== first) };
}
