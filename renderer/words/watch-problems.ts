/** What keeps a watched folder from being kept, and where in the form it is put right. */

import type { ErrorView } from '../../preload/contract.ts';
import { folderOf, linesOf, nameOfDraft, type WatchDraft } from './watch-draft.ts';
import { unknownToken } from './watch-name.ts';

export type WatchField =
  | 'folder'
  | 'kind'
  | 'assetType'
  | 'sourceType'
  | 'name'
  | 'patterns'
  | 'trigger'
  | 'namePattern'
  | 'description'
  | 'success'
  | 'failure'
  | 'ignore'
  | 'settle'
  | 'shared'
  | 'account';

/** Those under "More". */
export const moreFields: readonly WatchField[] = ['ignore', 'settle', 'shared', 'account'];

export const longestSettleSeconds = 86_400;

/** Only what can be told here, by field, in the order of the form. Main looks at the disk. */
export function watchProblems(draft: WatchDraft): ReadonlyMap<WatchField, string> {
  const problems = new Map<WatchField, string>();
  const folder = folderProblem(folderOf(draft));
  if (folder) problems.set('folder', folder);
  // Until there is a folder, the name that follows from it is not missing.
  if (nameOfDraft(draft).trim() === '' && (draft.name !== null || !folder))
    problems.set('name', 'Give it a name.');
  kindProblems(draft, problems);
  if (draft.unit === 'files' && linesOf(draft.patterns).length === 0)
    problems.set('patterns', 'Give at least one pattern, for example *.laz');
  if (draft.unit === 'trigger' && !/^[^\\/]+$/.test(draft.trigger.trim()))
    problems.set('trigger', 'Give the plain name of a file, for example _ready');
  if (draft.namePattern.trim() === '') problems.set('namePattern', 'Say what its assets are called.');
  for (const field of ['namePattern', 'description'] as const) {
    const unknown = unknownToken(draft[field]);
    if (unknown) problems.set(field, `${unknown} is not a token. Use {name}, {parent}, {date} or {counter}.`);
  }
  for (const field of ['success', 'failure'] as const) {
    if (draft[field].kind === 'move' && draft[field].folder.trim() === '')
      problems.set(field, 'Name a folder, or leave sources where they are.');
  }
  if (!isSettle(draft.settle))
    problems.set('settle', 'Give whole seconds, a day (86400) at most, or leave it empty.');
  if (draft.accountId === '') problems.set('account', 'Choose the account that gets its assets.');
  return problems;
}

function kindProblems({ assetType, sourceType }: WatchDraft, problems: Map<WatchField, string>): void {
  if (assetType === null && sourceType.trim() === '') {
    problems.set('kind', 'Choose what kind of data arrives.');
    return;
  }
  if (assetType === null) problems.set('assetType', 'Choose what the service makes of it.');
  else if (sourceType.trim() === 'CITYGML' && assetType !== '3DTILES')
    problems.set('assetType', 'CityGML can only become 3D Tiles.');
  if (sourceType.trim() === '') problems.set('sourceType', 'Say what kind of data it is.');
}

function folderProblem(folder: string): string | null {
  if (folder.trim() === '') return 'Choose the folder to watch.';
  if (/^(\/|[a-z]:[\\/]|\\\\)/i.test(folder)) return null;
  return 'Give the whole path, from its drive or / on.';
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
    case 'watch-folder-nested':
      // A folder to move to may lie in another watched one; then the watched folder's own path leads up to it.
      return targetIn(message, draft) ?? 'folder';
    case 'watch-target-unusable':
      return targetIn(message, draft) ?? (draft.success.kind === 'move' ? 'success' : 'failure');
    case 'watch-pattern-invalid':
      return patternField(message, draft);
    case 'watch-name-invalid':
      return unknownToken(draft.namePattern) === null && unknownToken(draft.description) !== null
        ? 'description'
        : 'namePattern';
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

/** The messages name the target by its whole path. */
function targetIn(message: string, draft: WatchDraft): 'success' | 'failure' | null {
  const slashed = (path: string) => path.replaceAll('\\', '/').replace(/\/+$/, '');
  const plain = slashed(message);
  const named = (['success', 'failure'] as const).find((field) => {
    const typed = slashed(draft[field].folder.trim()).replace(/^\.\//, '');
    const whole = folderProblem(typed) === null ? typed : `${slashed(folderOf(draft))}/${typed}`;
    return (
      draft[field].kind === 'move' && [`${whole}.`, `${whole} and`].some((words) => plain.includes(words))
    );
  });
  return named ?? null;
}

function patternField(message: string, draft: WatchDraft): WatchField {
  if (draft.unit === 'trigger' && message.includes(`“${draft.trigger.trim()}”`)) return 'trigger';
  if (linesOf(draft.ignore).some((line) => message.includes(`“${line}”`))) return 'ignore';
  return draft.unit === 'files' ? 'patterns' : 'ignore';
}
