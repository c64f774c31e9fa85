/** The rule that a draft becomes. */

import type { AfterEndView, WatchRuleView, WatchUnitView } from '../../preload/contract.ts';
import { blankOptions, optionsText } from './options-draft.ts';
import { type AfterDraft, folderOf, isShared, linesOf, nameOfDraft, type WatchDraft } from './watch-draft.ts';
import { watchProblems } from './watch-problems.ts';

/** Null while something is missing. */
export function ruleOf(draft: WatchDraft): WatchRuleView | null {
  if (draft.assetType === null || watchProblems(draft).size > 0) return null;
  const clampToTerrain = draft.assetType === '3DTILES' && draft.clampToTerrain;
  return {
    id: draft.id,
    name: nameOfDraft(draft).trim(),
    folder: folderOf(draft),
    accountId: draft.accountId,
    unit: unitOf(draft),
    assetType: draft.assetType,
    sourceType: draft.sourceType.trim(),
    clampToTerrain,
    baseTerrainId: clampToTerrain ? draft.baseTerrainId : null,
    options: optionsText(draft, draft.sourceType.trim()),
    namePattern: draft.namePattern.trim(),
    description: draft.description.trim(),
    ignore: linesOf(draft.ignore),
    settleSeconds: draft.settle.trim() === '' ? null : Number(draft.settle),
    whenChanged: draft.whenChanged,
    afterSuccess: afterOf(draft.success),
    afterFailure: afterOf(draft.failure),
    whenTooLong: draft.whenTooLong,
    whenExpired: draft.whenExpired,
    shared: isShared(draft),
    on: draft.on,
  };
}

/**
 * What a dry run is asked with: what it does not depend on is made up where it is not filled in yet, so that a person sees early what lies in the folder.
 * Null while the folder or what one asset is made of is not said.
 */
export function dryRunRuleOf(draft: WatchDraft): WatchRuleView | null {
  return ruleOf({
    ...draft,
    name: 'Dry run',
    assetType: draft.assetType ?? '3DTILES',
    sourceType: draft.sourceType.trim() || 'CITYGML',
    ...blankOptions,
    description: '',
    settle: '',
    accountId: draft.accountId || 'none',
  });
}

function unitOf({ unit, patterns, trigger }: WatchDraft): WatchUnitView {
  switch (unit) {
    case 'entries':
      return { kind: 'entries' };
    case 'files':
      return { kind: 'files', patterns: linesOf(patterns) };
    case 'trigger':
      return { kind: 'trigger', file: trigger.trim() };
  }
}

function afterOf({ kind, folder }: AfterDraft): AfterEndView {
  return kind === 'move' ? { kind, folder: folder.trim() } : { kind };
}
