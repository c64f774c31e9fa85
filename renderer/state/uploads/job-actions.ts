/** What can be done with a job from its row: the one action that fits, and the rest. */

import type { JobAction, JobView, SnippetTool } from '../../../preload/contract.ts';
import { snippetTools } from '../../../shared/assets.ts';
import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';

/** What the button of a row does: an action of the job, or a look at the asset. */
export type RowAction = JobAction | 'correct' | 'copy-id' | 'copy-link' | 'open-asset' | CodeAction;
/** Copies the code that shows the asset in a tool. */
type CodeAction = `code:${SnippetTool}`;
/** All others. */
export type PlainAction = Exclude<RowAction, CodeAction>;

const actionKeys = {
  'try-now': 'job.action.tryNow',
  confirm: 'job.action.confirm',
  pause: 'general.pause',
  resume: 'general.resume',
  cancel: 'job.action.cancel',
  'stop-following': 'job.action.stopFollowing',
  correct: 'job.action.correct',
  'try-again': 'job.action.tryAgain',
  'start-again': 'job.action.startAgain',
  remove: 'job.action.remove',
  'copy-id': 'general.copyId',
  'copy-link': 'general.copyLink',
  'open-asset': 'general.open',
} as const satisfies Record<PlainAction, Key>;

/** All of them. */
export const plainActions = Object.keys(actionKeys) as readonly PlainAction[];

/** On the button of a row: never code, of which there is more than one. */
export function actionWord(action: PlainAction): string {
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
} as const satisfies Record<PlainAction, Key>;

/** In the menu of a row, where there is room to be exact. */
export function menuWord(action: RowAction): string {
  const tool = snippetOf(action);
  return tool === null ? say(menuKeys[action as PlainAction]) : say(`general.copySnippet.${tool}`);
}

/** Which action a row offers first, by state; what the state does not allow is passed over. */
const preferred: readonly PlainAction[] = [
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

/** Tiling came to nothing, and a person chose what it was made of. */
function isToCorrect({ status, byRule }: JobView): boolean {
  return (status === 'data-error' || status === 'error') && !byRule;
}

/** The action that fits, for the row itself, and the rest, for its menu. Never more than main allows. */
export function rowActions(job: JobView): {
  readonly first: PlainAction | null;
  readonly rest: readonly RowAction[];
} {
  const looks: readonly RowAction[] = job.assetId === null ? [] : ['open-asset', 'copy-id', 'copy-link'];
  const all: readonly RowAction[] = [
    ...looks,
    ...(job.status === 'complete' && job.assetId !== null
      ? snippetTools.map((tool) => `code:${tool}` as const)
      : []),
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

/** For which tool an action copies code; null where it copies none. */
export function snippetOf(action: RowAction): SnippetTool | null {
  return action.startsWith('code:') ? (action.slice('code:'.length) as SnippetTool) : null;
}
