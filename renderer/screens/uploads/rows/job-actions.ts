/** What can be done with a job from its row: the one action that fits, and the rest. */

import type { JobAction, JobView } from '../../../../preload/contract.ts';
import { type SnippetTool, snippetTools } from '../../../../shared/assets.ts';
import type { Key } from '../../../../strings/say.ts';
import { say } from '../../../say.ts';

/** What the button of a row does: an action of the job, or a look at the asset. */
export type RowAction =
  | JobAction
  | 'correct'
  | 'copy-id'
  | 'copy-link'
  | 'open-asset'
  | `copy-${SnippetTool}`;

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
  'copy-link': 'general.copyLink',
  'copy-cesiumjs': 'general.copySnippet.cesiumjs',
  'copy-unreal': 'general.copySnippet.unreal',
  'copy-unity': 'general.copySnippet.unity',
  'open-asset': 'general.open',
} as const satisfies Record<RowAction, Key>;

/** On the button of a row. */
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
  const looks: readonly RowAction[] = job.assetId === null ? [] : ['open-asset', 'copy-id', 'copy-link'];
  const code = snippetTools.map((tool) => `copy-${tool}` as const);
  const all: readonly RowAction[] = [
    ...looks,
    ...(job.status === 'complete' && job.assetId !== null ? code : []),
    ...(isToCorrect(job) ? ['correct' as const] : []),
    ...job.actions,
  ];
  const order =
    job.status === 'complete' || (job.status === 'tiling' && job.nextTryAt === null)
      ? (['open-asset'] as const)
      : preferred;
  const first = [...order, ...preferred].find((action) => all.includes(action)) ?? null;
  return { first, rest: all.filter((action) => action !== first) };
}

/** The tool whose code an action copies; null where it copies none. */
export function toolOf(action: RowAction): SnippetTool | null {
  return snippetTools.find((tool) => action === `copy-${tool}`) ?? null;
}
