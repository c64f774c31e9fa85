/** What a person fills in for a watched folder, and the rule that it becomes. */

import type { AssetType, WatchRuleView, WatchUnitView } from '../../preload/contract.ts';
import { say } from '../../strings/say.ts';
import { type OptionName, optionsOf } from './options.ts';
import { blankOptions, type OptionsDraft, optionsDraftOf } from './options-draft.ts';
import { baseName } from './source.ts';
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
  readonly unit: WatchUnitView['kind'];
  /** One a line. */
  readonly patterns: string;
  readonly trigger: string;
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
  readonly whenChanged: WatchRuleView['whenChanged'];
  readonly whenTooLong: WatchRuleView['whenTooLong'];
  readonly whenExpired: WatchRuleView['whenExpired'];
  /** Null: as network drives are, and local ones are not. */
  readonly shared: boolean | null;
  readonly on: boolean;
}

/** The folder is kept while sources stay where they are, so that a change of mind brings it back. */
export interface AfterDraft {
  readonly kind: 'leave' | 'move';
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
    whenChanged: 'new-asset',
    whenTooLong: 'hold',
    whenExpired: 'wait',
    shared: null,
    on: true,
  };
}

export function draftOfRule(rule: WatchRuleView, isNetworkDrive: boolean): WatchDraft {
  const { unit, options, afterSuccess, afterFailure, ignore, settleSeconds, ...same } = rule;
  const usual = newWatchDraft(rule.id, rule.accountId);
  const after = (kept: WatchRuleView['afterSuccess'], folder: string): AfterDraft =>
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
    trigger: unit.kind === 'trigger' ? unit.file : usual.trigger,
    success: after(afterSuccess, usual.success.folder),
    failure: after(afterFailure, usual.failure.folder),
    ignore: ignore.join('\n'),
    settle: settleSeconds === null ? '' : String(settleSeconds),
  };
}

/** The draft for data of this kind. What was changed by hand since the kind before stays. */
export function withPreset(draft: WatchDraft, preset: WatchPreset): WatchDraft {
  const { assetType, sourceType } = preset;
  const before = presetOf(draft.assetType, draft.sourceType);
  const usual = newWatchDraft(draft.id, draft.accountId);
  const isUntouched = (value: string, presetValue: string | undefined, usualValue: string) =>
    draft.isNew && value === (before ? presetValue : usualValue);
  return {
    ...draft,
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
