/** Problems that block saving a watched folder, and their fields. */

import type { ErrorRecord } from '../../../preload/contract.ts';
import { fitsAssetType } from '../../../shared/kinds.ts';
import { say } from '../../say.ts';
import { type OptionsField, optionsProblems } from '../options/options-draft.ts';
import { isCount, maxDays, maxHours } from './alerts-draft.ts';
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

const maxSettleSeconds = 86_400;

/** Problems detectable without the disk, by field, in the order of the form. */
export function watchProblems(draft: WatchDraft): ReadonlyMap<WatchField, string> {
  const problems = new Map<WatchField, string>();
  const folder = folderProblem(folderOf(draft));
  if (folder) problems.set('folder', folder);
  // A missing folder also lacks its default name: report it once.
  if (nameOfDraft(draft).trim() === '' && (draft.name !== null || !folder))
    problems.set('name', say('watchEditor.problem.name'));
  kindProblems(draft, problems);
  for (const [field, problem] of optionsProblems(draft, optionsInRule(draft))) problems.set(field, problem);
  if (draft.unit === 'files' && linesOf(draft.patterns).length === 0)
    problems.set('patterns', say('watchEditor.problem.patterns'));
  if (draft.unit === 'folders' && !/^([1-9]|1[0-2])$/.test(draft.depth.trim()))
    problems.set('depth', say('watchEditor.problem.depth'));
  if (mayHaveMarker(draft.unit) && draft.ready === 'marker' && !isMarkerName(draft))
    problems.set(
      'marker',
      draft.unit === 'whole-folder'
        ? say('watchEditor.problem.markerInside')
        : say('watchEditor.problem.marker'),
    );
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
  if (alerts.waiting && !isCount(alerts.hours, maxHours))
    problems.set('hours', say('watchEditor.problem.hours'));
  if (alerts.silent && !isCount(alerts.days, maxDays)) problems.set('days', say('watchEditor.problem.days'));
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

export function isWholePath(path: string): boolean {
  return /^(\/|[a-z]:[\\/]|\\\\)/i.test(path);
}

/** A plain name that differs from the source's. A whole folder contains its marker. */
function isMarkerName({ unit, marker }: WatchDraft): boolean {
  const name = marker.trim();
  const remainder = unit === 'whole-folder' ? name : name.replace('{name}', '');
  return remainder.trim() !== '' && !/[\\/{}]/.test(remainder) && !/^\.{1,2}$/.test(name);
}

function isSettle(text: string): boolean {
  const figure = text.trim();
  return figure === '' || (/^[1-9]\d{0,4}$/.test(figure) && Number(figure) <= maxSettleSeconds);
}

/** The field of main's error; null if it concerns none, or all. */
export function fieldOfError({ code, field }: ErrorRecord, draft: WatchDraft): WatchField | null {
  if (field === 'unit.patterns') return draft.unit === 'folders' ? 'folderPatterns' : 'patterns';
  return (field === undefined ? undefined : ruleFields[field]) ?? fieldsByCode[code] ?? null;
}

const ruleFields: Readonly<Record<string, WatchField>> = {
  folder: 'folder',
  'afterSuccess.folder': 'success',
  'afterFailure.folder': 'failure',
  'receiptFile.folder': 'receipt',
  'readyWhen.name': 'marker',
  ignore: 'ignore',
  namePattern: 'namePattern',
  description: 'description',
};

/** Errors about one field only don't name it. */
const fieldsByCode: Readonly<Record<string, WatchField>> = {
  'watch-folder-missing': 'folder',
  'watch-folder-unreadable': 'folder',
  'watch-folder-nested': 'folder',
  'path-not-given': 'folder',
  'watch-patterns-overlap': 'patterns',
  'watch-marker-missing': 'mountMarker',
  'watch-lease-unwritable': 'shared',
  'source-type-mismatch': 'assetType',
  'asset-type-unknown': 'assetType',
  'source-type-empty': 'sourceType',
};
