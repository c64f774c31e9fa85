/** A job's actions: the one on its row, and the others in its menu. */

import type { JobAction, JobView, SnippetTool } from '../../../preload/contract.ts';
import { snippetToolsFor } from '../../../shared/asset-snippets.ts';
import type { Key } from '../../../strings/say.ts';
import { say } from '../../say.ts';

/** A row's action: one of the job, or a view of its asset. */
export type RowAction = JobAction | 'correct' | 'copy-id' | 'copy-link' | 'open-asset' | CodeAction;
type CodeAction = `code:${SnippetTool}`;
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

export const plainActions = Object.keys(actionKeys) as readonly PlainAction[];

/** Label of a row's button; code actions have none. */
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

export function menuWord(action: RowAction): string {
  const tool = snippetOf(action);
  return tool === null ? say(menuKeys[action as PlainAction]) : say(`general.copySnippet.${tool}`);
}

/** Preference for the row's button; unavailable actions are skipped. */
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

/** The data is wrong, and a person chose it. */
function isToCorrect({ status, byRule }: JobView): boolean {
  return status === 'data-error' && !byRule;
}

export function rowActions(job: JobView): {
  readonly primary: PlainAction | null;
  readonly menu: readonly RowAction[];
} {
  const looks: readonly RowAction[] = job.assetId === null ? [] : ['open-asset', 'copy-id', 'copy-link'];
  const available: readonly RowAction[] = [
    ...looks,
    ...(job.status === 'complete' && job.assetId !== null
      ? snippetToolsFor(job.assetType).map((tool) => `code:${tool}` as const)
      : []),
    ...(isToCorrect(job) ? ['correct' as const] : []),
    ...job.actions,
  ];
  const order =
    job.status === 'complete' || (job.status === 'tiling' && job.nextTryAt === null)
      ? (['open-asset'] as const)
      : preferred;
  const primary = [...order, ...preferred].find((action) => available.includes(action)) ?? null;
  return { primary, menu: available.filter((action) => action !== primary) };
}

export function snippetOf(action: RowAction): SnippetTool | null {
  return action.startsWith('code:') ? (action.slice('code:'.length) as SnippetTool) : null;
}
