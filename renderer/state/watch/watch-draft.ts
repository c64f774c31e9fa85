import type { AssetType, ReadyWhen, WatchRule, WatchUnit } from '../../../preload/contract.ts';
import type { OptionName } from '../../../shared/tiling-options.ts';
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
  /** Comes from the system's dialog or the stored rule, so it is used literally. */
  readonly pickedFolder: string;
  readonly isNetworkDrive: boolean;
  readonly name: string | null;
  readonly accountId: string;
  readonly unit: WatchUnit['kind'];
  /** One per line. */
  readonly patterns: string;
  /** Levels between the watched folder and the folders that become assets. */
  readonly depth: string;
  /** One per line; empty for all folders at that depth. */
  readonly folderPatterns: string;
  readonly ready: ReadyWhen['kind'];
  readonly checksums: WatchRule['checksums'];
  readonly hold: WatchRule['hold'];
  /** Kept while another readiness is chosen. */
  readonly marker: string;
  readonly kindFrom: WatchRule['kindFrom'];
  readonly assetType: AssetType | null;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  readonly baseTerrainId: number | null;
  readonly namePattern: string;
  readonly description: string;
  readonly success: AfterDraft;
  readonly failure: AfterDraft;
  readonly ignore: string;
  /** Seconds; empty for the default. */
  readonly settle: string;
  readonly whenChanged: WatchRule['whenChanged'];
  readonly whenTooLong: WatchRule['whenTooLong'];
  readonly whenExpired: WatchRule['whenExpired'];
  readonly cloudFiles: WatchRule['cloudFiles'];
  readonly mountMarker: string;
  /** Null: shared if on a network drive. */
  readonly shared: boolean | null;
  readonly alerts: AlertsDraft;
  readonly receipt: ReceiptDraft;
  readonly on: boolean;
}

/** Keeps the folder while sources stay in place. */
export interface AfterDraft {
  readonly kind: 'leave' | 'move';
  readonly folder: string;
}

/** Keeps the folder while another kind is chosen. */
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
    ...otherFields
  } = rule;
  const defaultDraft = newWatchDraft(rule.id, rule.accountId);
  const afterDraftOf = (afterEnd: WatchRule['afterSuccess'], folder: string): AfterDraft =>
    afterEnd.kind === 'move' ? afterEnd : { kind: 'leave', folder };
  return {
    ...otherFields,
    isNew: false,
    pickedFolder: rule.folder,
    isNetworkDrive,
    unit: unit.kind,
    patterns:
      unit.kind === 'files'
        ? unit.patterns.join('\n')
        : patternsOf(presetOf(rule.assetType, rule.sourceType)),
    ...optionsDraftOf(options, rule.sourceType),
    depth: unit.kind === 'folders' ? String(unit.depth) : defaultDraft.depth,
    folderPatterns: unit.kind === 'folders' ? unit.patterns.join('\n') : '',
    ready: readyWhen.kind,
    marker: readyWhen.kind === 'marker' ? readyWhen.name : usualMarker(unit.kind),
    success: afterDraftOf(afterSuccess, defaultDraft.success.folder),
    failure: afterDraftOf(afterFailure, defaultDraft.failure.folder),
    ignore: ignore.join('\n'),
    alerts: alertsDraftOf(alerts),
    mountMarker: rule.mountMarker ?? '',
    receipt: { folder: defaultDraft.receipt.folder, ...receiptFile },
    settle: settleSeconds === null ? '' : String(settleSeconds),
  };
}

/** Default names of units whose sources would otherwise get equal names. */
const tellingUnits: Readonly<Partial<Record<WatchUnit['kind'], string>>> = {
  folders: '{path}',
  // A folder may deliver several batches a day.
  batch: '{name} {date} {counter}',
};

/** A whole folder is rarely still for long while it is filled, so a marker is proposed. */
const markedUnit: WatchUnit['kind'] = 'whole-folder';

const usualMarker = (unit: WatchUnit['kind']): string => (unit === markedUnit ? '_ready' : '{name}.ok');

/** Whether assets are named as usual for the rule's unit. */
export function hasUsualName({ unit, namePattern }: Pick<WatchDraft, 'unit' | 'namePattern'>): boolean {
  return namePattern === (tellingUnits[unit] ?? '{name}');
}

/** The draft with another unit. Default names and markers change with it; typed ones stay. */
export function withUnit(draft: WatchDraft, unit: WatchUnit['kind']): WatchDraft {
  const hasUsualMarker = draft.marker === usualMarker(draft.unit);
  const isProposed = draft.ready === (draft.unit === markedUnit ? 'marker' : 'settled');
  return {
    ...draft,
    unit,
    ...(hasUsualName(draft) && { namePattern: tellingUnits[unit] ?? '{name}' }),
    ...(hasUsualMarker && { marker: usualMarker(unit) }),
    ...(hasUsualMarker && isProposed && { ready: unit === markedUnit ? 'marker' : 'settled' }),
  };
}

/** A batch has no name or folder for a marker. */
export const mayHaveMarker = (unit: WatchUnit['kind']): boolean => unit !== 'batch';

/** Draft for detecting each source's kind: it ignores its own kind and allows every option. */
export function withKindOfEach(draft: WatchDraft): WatchDraft {
  return { ...draft, kindFrom: 'content', assetType: '3DTILES', sourceType: '3D_MODEL' };
}

/** Draft for this kind of data. Manual changes stay. */
export function withPreset(draft: WatchDraft, preset: WatchPreset): WatchDraft {
  const { assetType, sourceType } = preset;
  const previous = presetOf(draft.assetType, draft.sourceType);
  const defaultDraft = newWatchDraft(draft.id, draft.accountId);
  const isUntouched = (value: string, presetValue: string | undefined, defaultValue: string) =>
    draft.isNew && value === (previous ? presetValue : defaultValue);
  return {
    ...draft,
    kindFrom: 'rule',
    assetType,
    sourceType,
    unit: isUntouched(draft.unit, previous?.unit, defaultDraft.unit) ? preset.unit : draft.unit,
    patterns:
      draft.patterns.trim() === '' || draft.patterns === patternsOf(previous)
        ? patternsOf(preset)
        : draft.patterns,
    namePattern: isUntouched(draft.namePattern, previous?.namePattern, defaultDraft.namePattern)
      ? preset.namePattern
      : draft.namePattern,
  };
}

function patternsOf(preset: WatchPreset | undefined): string {
  return preset?.patterns.join('\n') ?? '';
}

const namesDown = ['2024', '11', '21', 'flight'];

/** Example of a folder at the draft's depth; empty if the depth is invalid. */
export function exampleOfDepth({ depth }: Pick<WatchDraft, 'depth'>): string {
  const count = Number(depth);
  if (!(count >= 1 && count <= 12)) return '';
  const path = Array.from({ length: count }, (_, index) => namesDown[index] ?? String(index + 1)).join('/');
  return say('watchEditor.unit.depthExample', { path });
}

/** The path without the spaces and quotes of typed or pasted text. */
export function folderOf({ folder, pickedFolder }: WatchDraft): string {
  return folder === pickedFolder ? folder : folder.trim().replace(/^"(.*)"$/, '$1');
}

export function optionsInRule({ sourceType }: Pick<WatchDraft, 'sourceType'>): readonly OptionName[] {
  return optionsOf([sourceType.trim()]);
}

export function nameOfDraft(draft: WatchDraft): string {
  return draft.name ?? baseName(folderOf(draft));
}

export function isShared({ shared, isNetworkDrive }: WatchDraft): boolean {
  return shared ?? isNetworkDrive;
}

/** `\\server\share` is a network drive; for other paths only the system knows. */
export function looksLikeNetworkDrive(path: string): boolean {
  return /^\s*"?(\\\\|\/\/)[^\\/]/.test(path);
}

/** Lines without trailing spaces, empty ones dropped. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
