/** What keeps a watched folder from being kept, and where in the form it is put right. */

import type { ErrorView } from '../../../../preload/contract.ts';
import { fitsAssetType } from '../../../../shared/kinds.ts';
import { say } from '../../../../strings/say.ts';
import { type OptionsField, optionsProblems } from '../../../components/options/options-draft.ts';
import { isCount, mostDays, mostHours } from './alerts-draft.ts';
import {
  folderOf,
  linesOf,
  mayHaveMarker,
  nameOfDraft,
  optionsInRule,
  type WatchDraft,
} from './watch-draft.ts';
import { unknownToken } from './watch-name.ts';

export type WatchField =
  | 'folder'
  | 'kind'
  | 'assetType'
  | 'sourceType'
  | OptionsField
  | 'name'
  | 'patterns'
  | 'depth'
  | 'folderPatterns'
  | 'trigger'
  | 'marker'
  | 'namePattern'
  | 'description'
  | 'success'
  | 'failure'
  | 'receipt'
  | 'hours'
  | 'days'
  | 'ignore'
  | 'settle'
  | 'mountMarker'
  | 'shared'
  | 'account';

/** Those under "More". */
export const moreFields: readonly WatchField[] = ['ignore', 'settle', 'mountMarker', 'shared', 'account'];

export const longestSettleSeconds = 86_400;

/** Only what can be told here, by field, in the order of the form. Main looks at the disk. */
export function watchProblems(draft: WatchDraft): ReadonlyMap<WatchField, string> {
  const problems = new Map<WatchField, string>();
  const folder = folderProblem(folderOf(draft));
  if (folder) problems.set('folder', folder);
  // Until there is a folder, the name that follows from it is not missing.
  if (nameOfDraft(draft).trim() === '' && (draft.name !== null || !folder))
    problems.set('name', say('watchEditor.problem.name'));
  kindProblems(draft, problems);
  for (const [field, problem] of optionsProblems(draft, optionsInRule(draft))) problems.set(field, problem);
  if (draft.unit === 'files' && linesOf(draft.patterns).length === 0)
    problems.set('patterns', say('watchEditor.problem.patterns'));
  if (draft.unit === 'folders' && !/^([1-9]|1[0-2])$/.test(draft.depth.trim()))
    problems.set('depth', say('watchEditor.problem.depth'));
  if (draft.unit === 'trigger' && !/^[^\\/]+$/.test(draft.trigger.trim()))
    problems.set('trigger', say('watchEditor.problem.trigger'));
  if (mayHaveMarker(draft.unit) && draft.ready === 'marker' && !isMarkerName(draft.marker.trim()))
    problems.set('marker', say('watchEditor.problem.marker'));
  if (draft.namePattern.trim() === '') problems.set('namePattern', say('watchEditor.problem.namePattern'));
  for (const field of ['namePattern', 'description'] as const) {
    const token = unknownToken(draft[field]);
    if (token) problems.set(field, say('watchEditor.problem.token', { token }));
  }
  for (const field of ['success', 'failure'] as const) {
    if (draft[field].kind === 'move' && draft[field].folder.trim() === '')
      problems.set(field, say('watchEditor.problem.target'));
  }
  const { alerts, receipt } = draft;
  if (receipt.kind === 'folder' && receipt.folder.trim() === '')
    problems.set('receipt', say('watchEditor.problem.receipt'));
  if (alerts.waiting && !isCount(alerts.hours, mostHours))
    problems.set('hours', say('watchEditor.problem.hours'));
  if (alerts.silent && !isCount(alerts.days, mostDays)) problems.set('days', say('watchEditor.problem.days'));
  if (!isSettle(draft.settle)) problems.set('settle', say('watchEditor.problem.settle'));
  if (/[\\/]|^\.{1,2}$/.test(draft.mountMarker.trim()))
    problems.set('mountMarker', say('watchEditor.problem.mountMarker'));
  if (draft.accountId === '') problems.set('account', say('watchEditor.problem.account'));
  return problems;
}

function kindProblems({ assetType, sourceType }: WatchDraft, problems: Map<WatchField, string>): void {
  if (assetType === null && sourceType.trim() === '') {
    problems.set('kind', say('watchEditor.problem.kind'));
    return;
  }
  if (assetType === null) problems.set('assetType', say('watchEditor.problem.assetType'));
  else if (!fitsAssetType(sourceType, assetType))
    problems.set('assetType', say('watchEditor.problem.cityGml'));
  if (sourceType.trim() === '') problems.set('sourceType', say('watchEditor.problem.sourceType'));
}

function folderProblem(folder: string): string | null {
  if (folder.trim() === '') return say('watchEditor.problem.folder');
  return isWholePath(folder) ? null : say('watchEditor.problem.wholePath');
}

function isWholePath(path: string): boolean {
  return /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);
}

/** A plain name that is not the source's own. */
function isMarkerName(name: string): boolean {
  const rest = name.replace('{name}', '');
  return rest.trim() !== '' && !/[\\/{}]/.test(rest) && !/^\.{1,2}$/.test(name);
}

function isSettle(text: string): boolean {
  const figure = text.trim();
  return figure === '' || (/^[1-9]\d{0,4}$/.test(figure) && Number(figure) <= longestSettleSeconds);
}

/** The field that an error of main is about; null where it is about none, or about all. */
export function fieldOfError({ code, message }: ErrorView, draft: WatchDraft): WatchField | null {
  switch (code) {
    case 'watch-folder-missing':
    case 'watch-folder-unreadable':
      return 'folder';
    case 'path-not-given':
    case 'watch-folder-nested':
      // A folder to move to may lie in another watched one; then the watched folder's own path leads up to it.
      return targetIn(message, draft) ?? 'folder';
    case 'watch-target-unusable':
      return targetIn(message, draft) ?? (draft.success.kind === 'move' ? 'success' : 'failure');
    case 'watch-patterns-overlap':
      return 'patterns';
    case 'watch-pattern-invalid':
      return patternField(message, draft);
    case 'watch-name-invalid':
      return unknownToken(draft.namePattern) === null && unknownToken(draft.description) !== null
        ? 'description'
        : 'namePattern';
    case 'watch-marker-missing':
      return 'mountMarker';
    case 'watch-claims-unwritable':
      return 'shared';
    case 'source-type-mismatch':
    case 'asset-type-unknown':
      return 'assetType';
    case 'source-type-empty':
      return 'sourceType';
    default:
      return null;
  }
}

/** The messages name the target by its whole path, in whatever language they are. Of two that begin alike the longer one is meant. */
function targetIn(message: string, draft: WatchDraft): 'success' | 'failure' | null {
  const slashed = (path: string) => path.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
  const plain = slashed(message);
  const [named] = (['success', 'failure'] as const)
    .filter((field) => draft[field].kind === 'move')
    .map((field) => {
      const typed = slashed(draft[field].folder.trim()).replace(/^\.\//, '');
      const path = isWholePath(typed) ? typed : `${slashed(folderOf(draft))}/${typed}`;
      return { field, path };
    })
    .filter(({ path }) => isNamed(path, plain))
    .toSorted((a, b) => b.path.length - a.path.length);
  return named?.field ?? null;
}

/** The path itself, not one that only begins so. */
function isNamed(path: string, message: string): boolean {
  const parts = message.split(path);
  return parts.slice(1).some((rest) => !/^[\p{L}\p{N}/_-]/u.test(rest));
}

/** In the quotation marks of any language of the catalogue. */
function isQuoted(text: string, message: string): boolean {
  return [`“${text}”`, `„${text}“`].some((quoted) => message.includes(quoted));
}

function patternField(message: string, draft: WatchDraft): WatchField {
  if (draft.unit === 'trigger' && isQuoted(draft.trigger.trim(), message)) return 'trigger';
  if (draft.ready === 'marker' && isQuoted(draft.marker.trim(), message)) return 'marker';
  if (linesOf(draft.ignore).some((line) => isQuoted(line, message))) return 'ignore';
  if (draft.unit === 'folders') return 'folderPatterns';
  return draft.unit === 'files' ? 'patterns' : 'ignore';
}
