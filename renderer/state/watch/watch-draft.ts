/** What a person fills in for a watched folder, and the rule that it becomes. */

import type { AssetType, ReadyWhen, WatchRule, WatchUnit } from '../../../preload/contract.ts';
import type { OptionName } from '../../../shared/kinds.ts';
import { say } from '../../say.ts';
import { baseName } from '../../words/source.ts';
import { optionsOf } from '../options/options.ts';
import { blankOptions, type OptionsDraft, optionsDraftOf } from '../options/options-draft.ts';
import { type AlertsDraft, alertsDraftOf, blankAlerts } from './alerts-draft.ts';
import { presetOf, type WatchPreset } from './watch-presets.ts';

export interface WatchDraft extends OptionsDraft {
  readonly id: string;
  readonly isNew: boolean;
  readonly folder: string;
  /** As the system's dialog gave it, or as it is kept: such a path is taken to the letter. */
  readonly pickedFolder: string;
  readonly isNetworkDrive: boolean;
  /** Null: the folder's own name. */
  readonly name: string | null;
  readonly accountId: string;
  readonly unit: WatchUnit['kind'];
  /** One a line. */
  readonly patterns: string;
  readonly trigger: string;
  /** How far below the watched folder the folders lie that become assets. */
  readonly depth: string;
  /** One a line; empty for all folders at that depth. */
  readonly folderPatterns: string;
  readonly ready: ReadyWhen['kind'];
  readonly checksums: WatchRule['checksums'];
  readonly hold: WatchRule['hold'];
  /** Kept while another way to be ready is chosen. */
  readonly marker: string;
  readonly kindFrom: WatchRule['kindFrom'];
  /** Null until a kind of data was chosen. */
  readonly assetType: AssetType | null;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  /** Null: the WGS84 ellipsoid. */
  readonly baseTerrainId: number | null;
  readonly namePattern: string;
  readonly description: string;
  readonly success: AfterDraft;
  readonly failure: AfterDraft;
  /** One a line. */
  readonly ignore: string;
  /** Seconds; empty for the usual. */
  readonly settle: string;
  readonly whenChanged: WatchRule['whenChanged'];
  readonly whenTooLong: WatchRule['whenTooLong'];
  readonly whenExpired: WatchRule['whenExpired'];
  readonly cloudFiles: WatchRule['cloudFiles'];
  /** Empty for none. */
  readonly mountMarker: string;
  /** Null: as network drives are, and local ones are not. */
  readonly shared: boolean | null;
  readonly alerts: AlertsDraft;
  readonly receipt: ReceiptDraft;
  readonly on: boolean;
}

/** The folder is kept while sources stay where they are, so that a change of mind brings it back. */
export interface AfterDraft {
  readonly kind: 'leave' | 'move';
  readonly folder: string;
}

/** The folder is kept while another kind is chosen. */
export interface ReceiptDraft {
  readonly kind: WatchRule['receiptFile']['kind'];
  readonly folder: string;
}

export function newWatchDraft(id: string, accountId: string): WatchDraft {
  return {
    id,
    isNew: true,
    folder: '',
    pickedFolder: '',
    isNetworkDrive: false,
    name: null,
    accountId,
    unit: 'entries',
    patterns: '',
    trigger: '_ready',
    depth: '3',
    folderPatterns: '',
    ready: 'settled',
    checksums: 'verify',
    hold: 'will-fail',
    marker: '{name}.ok',
    kindFrom: 'rule',
    assetType: null,
    sourceType: '',
    clampToTerrain: false,
    baseTerrainId: null,
    ...blankOptions,
    namePattern: '{name}',
    description: '',
    success: { kind: 'leave', folder: say('watchEditor.after.doneFolder') },
    failure: { kind: 'leave', folder: say('watchEditor.after.failedFolder') },
    ignore: '',
    settle: '',
    whenChanged: 'hold',
    whenTooLong: 'hold',
    whenExpired: 'wait',
    cloudFiles: 'leave',
    mountMarker: '',
    shared: null,
    alerts: blankAlerts,
    receipt: { kind: 'none', folder: say('watchEditor.receipt.defaultFolder') },
    on: true,
  };
}

export function draftOfRule(rule: WatchRule, isNetworkDrive: boolean): WatchDraft {
  const {
    unit,
    readyWhen,
    options,
    afterSuccess,
    afterFailure,
    ignore,
    settleSeconds,
    alerts,
    receiptFile,
    ...same
  } = rule;
  const usual = newWatchDraft(rule.id, rule.accountId);
  const after = (kept: WatchRule['afterSuccess'], folder: string): AfterDraft =>
    kept.kind === 'move' ? kept : { kind: 'leave', folder };
  return {
    ...same,
    isNew: false,
    pickedFolder: rule.folder,
    isNetworkDrive,
    unit: unit.kind,
    patterns:
      unit.kind === 'files'
        ? unit.patterns.join('\n')
        : patternsOf(presetOf(rule.assetType, rule.sourceType)),
    ...optionsDraftOf(options, rule.sourceType),
    depth: unit.kind === 'folders' ? String(unit.depth) : usual.depth,
    folderPatterns: unit.kind === 'folders' ? unit.patterns.join('\n') : '',
    trigger: unit.kind === 'trigger' ? unit.file : usual.trigger,
    ready: readyWhen.kind,
    marker: readyWhen.kind === 'marker' ? readyWhen.name : usual.marker,
    success: after(afterSuccess, usual.success.folder),
    failure: after(afterFailure, usual.failure.folder),
    ignore: ignore.join('\n'),
    alerts: alertsDraftOf(alerts),
    mountMarker: rule.mountMarker ?? '',
    receipt: { folder: usual.receipt.folder, ...receiptFile },
    settle: settleSeconds === null ? '' : String(settleSeconds),
  };
}

/** What sources of a unit are called where anything else would give many the same name. */
const telling: Readonly<Partial<Record<WatchUnit['kind'], string>>> = {
  folders: '{path}',
  // All of one folder, and several may come on one day.
  batch: '{name} {date} {counter}',
};

/** The draft with another unit. Names that would be equal are told apart, unless someone changed them. */
export function withUnit(draft: WatchDraft, unit: WatchUnit['kind']): WatchDraft {
  const { namePattern } = draft;
  const isUsual = namePattern === (telling[draft.unit] ?? '{name}');
  return isUsual ? { ...draft, unit, namePattern: telling[unit] ?? '{name}' } : { ...draft, unit };
}

/** Whether a file can say of one source that it is all there. */
export const mayHaveMarker = (unit: WatchUnit['kind']): boolean => unit !== 'trigger' && unit !== 'batch';

/**
 * The draft of a rule that decides the kind for each source. The kind that stands in it means nothing, and
 * lets every option be set.
 */
export function withKindOfEach(draft: WatchDraft): WatchDraft {
  return { ...draft, kindFrom: 'content', assetType: '3DTILES', sourceType: '3D_MODEL' };
}

/** The draft for data of this kind. What was changed by hand since the kind before stays. */
export function withPreset(draft: WatchDraft, preset: WatchPreset): WatchDraft {
  const { assetType, sourceType } = preset;
  const before = presetOf(draft.assetType, draft.sourceType);
  const usual = newWatchDraft(draft.id, draft.accountId);
  const isUntouched = (value: string, presetValue: string | undefined, defaultValue: string) =>
    draft.isNew && value === (before ? presetValue : defaultValue);
  return {
    ...draft,
    kindFrom: 'rule',
    assetType,
    sourceType,
    unit: isUntouched(draft.unit, before?.unit, usual.unit) ? preset.unit : draft.unit,
    patterns:
      draft.patterns.trim() === '' || draft.patterns === patternsOf(before)
        ? patternsOf(preset)
        : draft.patterns,
    namePattern: isUntouched(draft.namePattern, before?.namePattern, usual.namePattern)
      ? preset.namePattern
      : draft.namePattern,
  };
}

function patternsOf(preset: WatchPreset | undefined): string {
  return preset?.patterns.join('\n') ?? '';
}

const namesDown = ['2024', '11', '21', 'flight'];

/** A folder as deep as the draft says, in words; empty where it says no depth. */
export function exampleOfDepth({ depth }: Pick<WatchDraft, 'depth'>): string {
  const count = Number(depth);
  if (!(count >= 1 && count <= 12)) return '';
  const path = Array.from({ length: count }, (_, index) => namesDown[index] ?? String(index + 1)).join('/');
  return say('watchEditor.unit.depthExample', { path });
}

/** The path that is meant: one that was typed or pasted loses space and quotes around it. */
export function folderOf({ folder, pickedFolder }: WatchDraft): string {
  return folder === pickedFolder ? folder : folder.trim().replace(/^"(.*)"$/, '$1');
}

/** The options that have a form for the kind of data. */
export function optionsInRule({ sourceType }: Pick<WatchDraft, 'sourceType'>): readonly OptionName[] {
  return optionsOf([sourceType.trim()]);
}

export function nameOfDraft(draft: WatchDraft): string {
  return draft.name ?? baseName(folderOf(draft));
}

export function isShared({ shared, isNetworkDrive }: WatchDraft): boolean {
  return shared ?? isNetworkDrive;
}

/** A path of the form `\\server\share` names a network drive; of others only the system knows. */
export function looksLikeNetworkDrive(path: string): boolean {
  return /^\s*"?(\\\\|\/\/)[^\\/]/.test(path);
}

/** Lines that say something; a space at a line's end says nothing. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
