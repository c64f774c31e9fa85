import type { AfterEnd, ReadyWhen, WatchRule, WatchUnit } from '../../../preload/contract.ts';
import { mayBeClamped } from '../../../shared/assets.ts';
import { requestedTerrain } from '../../../shared/tiling-options.ts';
import { blankOptions, optionsText } from '../options/options-draft.ts';
import { alertWishesOf } from './alerts-draft.ts';
import {
  type AfterDraft,
  folderOf,
  isShared,
  linesOf,
  mayHaveMarker,
  nameOfDraft,
  type ReceiptDraft,
  type WatchDraft,
} from './watch-draft.ts';
import { watchProblems } from './watch-problems.ts';

export function ruleOf(draft: WatchDraft): WatchRule | null {
  if (draft.assetType === null || watchProblems(draft).size > 0) return null;
  const clampToTerrain = mayBeClamped(draft.assetType) && draft.clampToTerrain;
  return {
    id: draft.id,
    name: nameOfDraft(draft).trim(),
    folder: folderOf(draft),
    accountId: draft.accountId,
    unit: unitOf(draft),
    readyWhen: readyOf(draft),
    checksums: draft.ready === 'checksums' ? 'verify' : draft.checksums,
    hold: draft.hold,
    assetType: draft.assetType,
    sourceType: draft.sourceType.trim(),
    kindFrom: draft.kindFrom,
    clampToTerrain,
    baseTerrainId: requestedTerrain({ ...draft, clampToTerrain }),
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
    cloudFiles: draft.cloudFiles,
    mountMarker: draft.mountMarker.trim() || null,
    shared: isShared(draft),
    alerts: alertWishesOf(draft.alerts),
    receiptFile: receiptFileOf(draft.receipt),
    on: draft.on,
  };
}

/**
 * The rule for a dry run: it fills in irrelevant missing values, so that the contents show early. Null
 * without a folder or unit.
 */
export function dryRunRuleOf(draft: WatchDraft): WatchRule | null {
  return ruleOf({
    ...draft,
    name: 'Dry run',
    assetType: draft.assetType ?? '3DTILES',
    // A kind that ignores no files.
    sourceType: draft.sourceType.trim() || 'ANY',
    ...blankOptions,
    description: '',
    settle: '',
    accountId: draft.accountId || 'none',
  });
}

function unitOf({ unit, patterns, depth, folderPatterns }: WatchDraft): WatchUnit {
  switch (unit) {
    case 'entries':
      return { kind: 'entries' };
    case 'files':
      return { kind: 'files', patterns: linesOf(patterns) };
    case 'folders':
      return { kind: 'folders', depth: Number(depth), patterns: linesOf(folderPatterns) };
    case 'whole-folder':
    case 'batch':
      return { kind: unit };
  }
}

/** A batch has no name for a marker. */
function readyOf({ unit, ready: readyKind, marker }: WatchDraft): ReadyWhen {
  if (readyKind === 'checksums') return { kind: 'checksums' };
  return readyKind === 'marker' && mayHaveMarker(unit)
    ? { kind: 'marker', name: marker.trim() }
    : { kind: 'settled' };
}

function receiptFileOf({ kind, folder }: ReceiptDraft): WatchRule['receiptFile'] {
  return kind === 'folder' ? { kind, folder: folder.trim() } : { kind };
}

function afterOf({ kind, folder }: AfterDraft): AfterEnd {
  return kind === 'move' ? { kind, folder: folder.trim() } : { kind };
}
