/** The New asset form for one or several assets, and the requests made from it. */

import type {
  AssetSeen,
  AssetType,
  FindingGroup,
  LastChoice,
  NewAssetInput,
  SeparateSourceView,
  SourceChanges,
  SourceView,
} from '../../../../preload/contract.ts';
import { mattersTo } from '../../../../shared/findings.ts';
import { fitsAssetType } from '../../../../shared/kinds.ts';
import type { SomeFiles } from '../../../../shared/source-changes.ts';
import {
  isClamped,
  type OptionName,
  requestedTerrain,
  sharesOption,
  type TerrainFields,
  terrainFields,
} from '../../../../shared/tiling-options.ts';
import { say } from '../../../say.ts';
import { optionsOf } from '../../options/options.ts';
import {
  blankOptions,
  type OptionsDraft,
  type OptionsField,
  optionsDraftOf,
  optionsProblems,
  optionsText,
} from '../../options/options-draft.ts';
import { changesOf, type Decisions, joinChanges } from './decisions.ts';

export interface AssetSettings extends OptionsDraft {
  readonly description: string;
  readonly clampToTerrain: boolean;
  /** Null: the WGS84 ellipsoid. */
  readonly baseTerrainId: number | null;
}

export interface SeparateDraft {
  /** As proposed; sizes are those of its current pieces. */
  readonly source: SeparateSourceView;
  readonly pieces: readonly number[];
  /** Number of the asset in `SourceView.assets`; null before it has one. */
  readonly group: number | null;
  readonly decisions: Decisions;
  /** Null: the shared settings. */
  readonly ownSettings: AssetSettings | null;
  readonly name: string;
  readonly assetType: AssetType | null;
  readonly sourceType: string;
}

export interface Draft extends AssetSettings {
  readonly name: string;
  readonly assetType: AssetType | null;
  readonly sourceType: string;
  readonly pieces: readonly number[];
  /** Each becomes an asset with its own name, type and source type. */
  readonly split: boolean;
  readonly separate: readonly SeparateDraft[];
  readonly removed: readonly SeparateDraft[];
  /** Started assets, if a later one was refused. */
  readonly started: readonly SeparateDraft[];
  /** Don't send files that weren't dropped. */
  readonly leaveTaken: boolean;
  readonly decisions: Decisions;
  /** Earlier changes that no current finding covers. */
  readonly keptChanges: SourceChanges | null;
}

export type DraftField =
  | 'name'
  | 'assetType'
  | 'sourceType'
  | OptionsField
  | `separate-name-${number}`
  | `separate-kind-${number}`
  | `separate-options-${number}`;

/** The suggestion without the last choice. */
export function plainDraft(source: SourceView): Draft {
  return {
    name: source.suggestedName,
    description: '',
    assetType: source.suggestion?.assetType ?? null,
    sourceType: source.suggestion?.sourceType ?? '',
    clampToTerrain: false,
    baseTerrainId: null,
    ...blankOptions,
    split: source.suggestSeparate,
    decisions: {},
    keptChanges: null,
    pieces: source.pieces.flatMap(({ reason }, index) => (reason ? [] : [index])),
    removed: [],
    started: [],
    leaveTaken: false,
    separate: source.separate.map((asset) => ({
      source: asset,
      pieces: asset.pieces,
      group: asset.group,
      decisions: {},
      ownSettings: null,
      name: asset.suggestedName,
      assetType: asset.suggestion?.assetType ?? null,
      sourceType: asset.suggestion?.sourceType ?? '',
    })),
  };
}

/** Files of an asset that the person leaves out, also before a correction. */
export function filesLeftOut(scope: FindingsScope, { keptChanges }: Draft): readonly SomeFiles[] {
  return joinChanges(keptChanges, changesOf(groupsThatMatter(scope), scope.decisions))?.leftOut ?? [];
}

export function settingsOf(draft: Draft): AssetSettings {
  const { description, clampToTerrain, baseTerrainId, options, furtherOptions } = draft;
  return { description, clampToTerrain, baseTerrainId, options, furtherOptions };
}

/** The suggestion with the last choice. */
export function draftFrom(source: SourceView): Draft {
  const initialDraft = plainDraft(source);
  const choice = lastChoiceOf(source);
  const separateAssets = initialDraft.separate.map((asset) => {
    const { lastChoice } = asset.source;
    return lastChoice
      ? { ...asset, assetType: lastChoice.assetType, sourceType: lastChoice.sourceType }
      : asset;
  });
  return choice
    ? { ...initialDraft, ...choiceFields(choice), separate: separateAssets }
    : { ...initialDraft, separate: separateAssets };
}

/** All separate assets share options, so the last choice applies only to a drop of one kind. */
export function lastChoiceOf(source: SourceView): SourceView['lastChoice'] {
  const oneKind = source.separate.every(({ kindKey }) => kindKey === source.kindKey);
  return oneKind ? source.lastChoice : null;
}

function choiceFields(choice: LastChoice): Partial<Draft> {
  const { assetType, sourceType, clampToTerrain, baseTerrainId, options } = choice;
  return { assetType, sourceType, clampToTerrain, baseTerrainId, ...optionsDraftOf(options, sourceType) };
}

function sourceTypesOf(draft: Draft): readonly string[] {
  return draft.split ? draft.separate.map(({ sourceType }) => sourceType) : [draft.sourceType.trim()];
}

/** The subject of findings: one of several assets, or all files as one. */
export interface FindingsScope {
  /** Number of the asset; null for all files as one. */
  readonly group: number | null;
  readonly findings: readonly FindingGroup[];
  readonly fileCount: number;
  /** Without sidecars. */
  readonly dataCount: number;
  readonly sourceType: string;
  /** The coordinate system set by its options; empty for none. */
  readonly inputCrs: string;
  readonly decisions: Decisions;
  readonly canSplit: boolean;
}

export function scopeOfAll(
  source: Pick<SourceView, 'findings' | 'fileCount' | 'pieces'>,
  draft: Draft,
): FindingsScope {
  const { findings, fileCount } = source;
  const dataCount = countData(source) || fileCount;
  return {
    ...{ group: null, findings, fileCount, dataCount, decisions: draft.decisions },
    sourceType: draft.sourceType.trim(),
    inputCrs: draft.options.inputCrs.trim(),
    canSplit: draft.separate.length > 1,
  };
}

/** Files without sidecars; 0 before inspection. */
export function countData({ pieces }: Pick<SourceView, 'pieces'>): number {
  const contents = pieces.flatMap((piece) => piece.contents);
  return contents.reduce((sum, { count, beside: isSidecar }) => sum + (isSidecar ? 0 : count), 0);
}

/** `facts`: of its files, if they were inspected. */
export function scopeOfAsset(
  { group, source, sourceType, ownSettings, decisions }: SeparateDraft,
  facts: AssetSeen | undefined,
  draft: Draft,
): FindingsScope {
  const { fileCount } = source;
  return {
    ...{ group, findings: facts?.findings ?? [], fileCount, dataCount: fileCount, sourceType, decisions },
    inputCrs: (ownSettings ?? draft).options.inputCrs.trim(),
    canSplit: false,
  };
}

export function scopesOf(source: SourceView, draft: Draft): readonly FindingsScope[] {
  if (!draft.split) return [scopeOfAll(source, draft)];
  const factsOf = new Map(source.assets.map((asset) => [asset.group, asset]));
  return draft.separate.map((asset) =>
    scopeOfAsset(asset, asset.group === null ? undefined : factsOf.get(asset.group), draft),
  );
}

/**
 * Findings relevant to the kind of data. A point cloud with an assigned coordinate system doesn't lack one.
 */
export function groupsThatMatter({ findings, sourceType, inputCrs }: FindingsScope): readonly FindingGroup[] {
  return findings.filter(
    ({ id }) => mattersTo(id, [sourceType]) && !(inputCrs !== '' && id === 'no-system-points'),
  );
}

export function optionsInForm(draft: Draft): readonly OptionName[] {
  return optionsOf(sourceTypesOf(draft));
}

export function terrainFieldsOf(draft: Draft): TerrainFields {
  return terrainFields(draft.split ? draft.separate : [draft], draft.clampToTerrain);
}

/** Problems that block the upload, by field, in the order of the form. */
export function draftProblems(draft: Draft): ReadonlyMap<DraftField, string> {
  const problems = new Map<DraftField, string>();
  if (draft.split) {
    for (const [index, asset] of draft.separate.entries()) {
      if (asset.name.trim() === '')
        problems.set(`separate-name-${index}`, say('newAsset.problem.separateName'));
      if (asset.assetType === null || asset.sourceType === '')
        problems.set(`separate-kind-${index}`, say('newAsset.problem.sourceType'));
      const [wrongField] = asset.ownSettings
        ? optionsProblems(asset.ownSettings, optionsOf([asset.sourceType])).values()
        : [];
      if (wrongField !== undefined) problems.set(`separate-options-${index}`, wrongField);
    }
  } else {
    if (draft.name.trim() === '') problems.set('name', say('newAsset.problem.name'));
    if (draft.assetType === null) problems.set('assetType', say('newAsset.problem.assetType'));
    if (draft.sourceType.trim() === '') problems.set('sourceType', say('newAsset.problem.sourceType'));
    else if (draft.assetType !== null && !fitsAssetType(draft.sourceType, draft.assetType)) {
      problems.set('assetType', say('newAsset.problem.cityGml'));
    }
  }
  for (const [field, problem] of optionsProblems(draft, optionsInForm(draft))) problems.set(field, problem);
  return problems;
}

/**
 * One request per asset; none while the draft is incomplete. `acceptForecast`: the person accepted the risk
 * of expiring credentials. Only suitable types are clamped (contract 2.2).
 */
export function draftInputs(
  source: SourceView,
  draft: Draft,
  acceptForecast: boolean,
): readonly NewAssetInput[] {
  if (draftProblems(draft).size > 0) return [];
  const scopes = scopesOf(source, draft);
  const assets = draft.split
    ? draft.separate.map((asset) => ({
        ...asset,
        settings: asset.ownSettings ?? draft,
        isShared: asset.ownSettings === null,
        kindKey: asset.source.kindKey,
      }))
    : [{ ...draft, settings: draft, isShared: false, kindKey: source.kindKey }];
  return assets.flatMap(({ pieces, settings, isShared, kindKey, name, assetType, sourceType }, index) => {
    if (assetType === null) return [];
    const scope = scopes[index];
    const decidedChanges = scope ? changesOf(groupsThatMatter(scope), scope.decisions) : null;
    const changes = withoutTaken(source, draft, joinChanges(draft.keptChanges, decidedChanges));
    const clampToTerrain = settings.clampToTerrain && isClamped({ assetType, sourceType }, isShared);
    return {
      paths: source.paths,
      ...(pieces.length < source.pieces.length && { pieces }),
      name: name.trim(),
      description: settings.description.trim(),
      assetType,
      sourceType: sourceType.trim(),
      clampToTerrain,
      baseTerrainId: requestedTerrain({ ...settings, clampToTerrain, sourceType }),
      options: optionsText(
        isShared ? sharedOptions(settings, sourceType.trim()) : settings,
        sourceType.trim(),
      ),
      kindKey,
      acceptForecast,
      ...(changes && { changes }),
    };
  });
}

/** Requests that let main verify decisions about files of an incomplete draft; none without decisions. */
export function checkedInputs(source: SourceView, draft: Draft): readonly NewAssetInput[] {
  const { name, separate: separateAssets } = draft;
  const kind = { assetType: draft.assetType ?? 'TERRAIN', sourceType: draft.sourceType || 'RASTER_TERRAIN' };
  const withKind = (asset: SeparateDraft) => ({
    ...asset,
    ...{ assetType: asset.assetType ?? kind.assetType, sourceType: asset.sourceType || kind.sourceType },
    ...{ name: asset.name.trim() || namePlaceholder, ownSettings: null },
  });
  const filledIn = {
    ...{ ...draft, ...kind, name: name.trim() || namePlaceholder, separate: separateAssets.map(withKind) },
    ...(optionsProblems(draft, optionsInForm(draft)).size > 0 && blankOptions),
  };
  return draftInputs(source, filledIn, true).filter(({ changes }) => changes !== undefined);
}

const namePlaceholder = '-';

function sharedOptions({ options, furtherOptions }: OptionsDraft, sourceType: string): OptionsDraft {
  const inputCrs = sharesOption(sourceType, 'inputCrs') ? options.inputCrs : '';
  return { options: { ...options, inputCrs }, furtherOptions };
}

function withoutTaken(
  { taken: addedKeys }: SourceView,
  { leaveTaken }: Draft,
  changes: SourceChanges | null,
) {
  if (!leaveTaken || addedKeys.length === 0) return changes;
  const { leftOut, assigned: assignedSystems, ...otherChanges } = changes ?? { leftOut: [], assigned: [] };
  return { leftOut: [...leftOut, { keys: addedKeys }], assigned: assignedSystems, ...otherChanges };
}
