/** A job's actions: the one on its row, and the others in its menu. */

import type { JobAction, JobView } from '../../../preload/contract.ts';
import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';

/** A row's action: one of the job, or a view of its asset. */
export type RowAction =
  | JobAction
  | ('split' | 'correct' | 'copy-id' | 'share' | 'supplier-message' | 'open-asset' | 'view-asset');

const actionKeys = {
  'try-now': 'job.action.tryNow',
  confirm: 'job.action.confirm',
  pause: 'general.pause',
  resume: 'general.resume',
  cancel: 'job.action.cancel',
  'stop-following': 'job.action.stopFollowing',
  split: 'job.action.split',
  correct: 'job.action.correct',
  'try-again': 'job.action.tryAgain',
  'start-again': 'job.action.startAgain',
  remove: 'job.action.remove',
  'copy-id': 'general.copyId',
  share: 'general.share',
  'supplier-message': 'job.action.supplierMessage',
  'open-asset': 'general.open',
  'view-asset': 'general.view',
} as const satisfies Record<RowAction, Key>;

export const rowActionNames = Object.keys(actionKeys) as readonly RowAction[];

/** Label of a row's button. */
export function actionWord(action: RowAction): string {
  return say(actionKeys[action]);
}

const menuKeys = {
  ...actionKeys,
  'try-now': 'job.menu.tryNow',
  confirm: 'job.menu.confirm',
  cancel: 'job.menu.cancel',
  correct: 'job.menu.correct',
  'try-again': 'job.menu.tryAgain',
  'start-again': 'job.menu.startAgain',
  'copy-id': 'job.menu.copyId',
  'open-asset': 'general.openOnService',
} as const satisfies Record<RowAction, Key>;

export function menuWord(action: RowAction): string {
  return say(menuKeys[action]);
}

/** Preference for the row's button; unavailable actions are skipped. */
const preferredActions: readonly RowAction[] = [
  'confirm',
  'try-now',
  'resume',
  'correct',
  'try-again',
  'start-again',
  'pause',
  'stop-following',
  'copy-id',
  'open-asset',
  'remove',
  'cancel',
];

/** The upload would outlive its credentials. It has no asset yet, so that nothing is lost without it. */
function exceedsForecast({ waitingFor, byRule }: JobView): boolean {
  return waitingFor === 'confirmation' && !byRule;
}

export function rowActions(job: JobView): {
  readonly primary: RowAction | null;
  readonly menu: readonly RowAction[];
} {
  const { assetId, status } = job;
  const lookActions: readonly RowAction[] = assetId === null ? [] : ['open-asset', 'copy-id'];
  const isReady = assetId !== null && status === 'complete';
  const available: readonly RowAction[] = [
    ...(isReady ? ['view-asset' as const] : []),
    ...lookActions,
    ...(isReady ? ['share' as const] : []),
    ...(exceedsForecast(job) ? ['split' as const] : []),
    ...(status === 'data-error' ? (['correct', 'supplier-message'] as const) : []),
    ...job.actions,
  ];
  const order =
    status === 'complete' || (status === 'tiling' && job.nextTryAt === null)
      ? (['view-asset', 'open-asset'] as const)
      : preferredActions;
  const primary = [...order, ...preferredActions].find((action) => available.includes(action)) ?? null;
  return { primary, menu: available.filter((action) => action !== primary) };
}
