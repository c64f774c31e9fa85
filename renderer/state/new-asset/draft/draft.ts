/** What a person fills in for a new asset, or for several, and what becomes of it. */

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
import { mayBeClamped } from '../../../../shared/assets.ts';
import { mattersTo } from '../../../../shared/findings.ts';
import { canStandOnTerrain, fitsAssetType, type OptionName, sharesOption } from '../../../../shared/kinds.ts';
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

/** What is said of an asset beside its name and kind. */
export interface AssetSettings extends OptionsDraft {
  readonly description: string;
  readonly clampToTerrain: boolean;
  /** Null: the WGS84 ellipsoid. */
  readonly baseTerrainId: number | null;
}

/** One of several assets. */
export interface SeparateDraft {
  /** As it was proposed; sizes are those of its pieces now. */
  readonly source: SeparateSourceView;
  readonly pieces: readonly number[];
  /** The number by which `SourceView.assets` says what was seen of it; null until it has one. */
  readonly group: number | null;
  /** About its files in which something was found. */
  readonly decisions: Decisions;
  /** Its own settings; null while it has those of all. */
  readonly own: AssetSettings | null;
  readonly name: string;
  readonly assetType: AssetType | null;
  readonly sourceType: string;
}

export interface Draft extends AssetSettings {
  readonly name: string;
  /** Null until a kind of data was suggested or chosen. */
  readonly assetType: AssetType | null;
  readonly sourceType: string;
  /** Of the one asset, as it would be where all become one: places of its pieces. */
  readonly pieces: readonly number[];
  /** Each becomes an asset; name, type and source type are then those of each. */
  readonly split: boolean;
  readonly separate: readonly SeparateDraft[];
  /** Assets that the person left out. */
  readonly removed: readonly SeparateDraft[];
  /** Assets that are under way already, where a further one was refused. */
  readonly started: readonly SeparateDraft[];
  /** Files that were not dropped are left where they are. */
  readonly leaveTaken: boolean;
  /** About files in which something was found, where all are one asset. */
  readonly decisions: Decisions;
  /** Likewise, when it was sent before: what no finding speaks of now. */
  readonly kept: SourceChanges | null;
}

export type DraftField =
  | 'name'
  | 'assetType'
  | 'sourceType'
  | OptionsField
  | `separate-name-${number}`
  | `separate-kind-${number}`
  | `separate-options-${number}`;

/** As suggested, without what was chosen last time. */
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
    kept: null,
    pieces: source.pieces.flatMap(({ reason }, at) => (reason ? [] : [at])),
    removed: [],
    started: [],
    leaveTaken: false,
    separate: source.separate.map((one) => ({
      source: one,
      pieces: one.pieces,
      group: one.group,
      decisions: {},
      own: null,
      name: one.suggestedName,
      assetType: one.suggestion?.assetType ?? null,
      sourceType: one.suggestion?.sourceType ?? '',
    })),
  };
}

/** What is said of all assets together. */
export function settingsOf(draft: Draft): AssetSettings {
  const { description, clampToTerrain, baseTerrainId, options, furtherOptions } = draft;
  return { description, clampToTerrain, baseTerrainId, options, furtherOptions };
}

/** As suggested, and as last time where there was one. */
export function draftFrom(source: SourceView): Draft {
  const plain = plainDraft(source);
  const last = lastChoiceOf(source);
  const separate = plain.separate.map((one) => {
    const { lastChoice } = one.source;
    return lastChoice ? { ...one, assetType: lastChoice.assetType, sourceType: lastChoice.sourceType } : one;
  });
  return last ? { ...plain, ...choiceFields(last), separate } : { ...plain, separate };
}

/** Options belong to all separate of a drop, so they are offered again only where it is of one kind. */
export function lastChoiceOf(source: SourceView): SourceView['lastChoice'] {
  const oneKind = source.separate.every(({ kindKey }) => kindKey === source.kindKey);
  return oneKind ? source.lastChoice : null;
}

function choiceFields(choice: LastChoice): Partial<Draft> {
  const { assetType, sourceType, clampToTerrain, baseTerrainId, options } = choice;
  return { assetType, sourceType, clampToTerrain, baseTerrainId, ...optionsDraftOf(options, sourceType) };
}

/** The source types that the draft makes assets of. */
function sourceTypesOf(draft: Draft): readonly string[] {
  return draft.split ? draft.separate.map(({ sourceType }) => sourceType) : [draft.sourceType.trim()];
}

/** What findings are about: all that becomes one asset, or one of several. */
export interface FindingsScope {
  /** Number of the asset; null for all as one. */
  readonly group: number | null;
  readonly findings: readonly FindingGroup[];
  readonly fileCount: number;
  readonly sourceType: string;
  /** The coordinate system that its options name; empty for none. */
  readonly inputCrs: string;
  readonly decisions: Decisions;
  /** Each can become an asset by itself. */
  readonly canSplit: boolean;
}

export function scopeOfAll(source: Pick<SourceView, 'findings' | 'fileCount'>, draft: Draft): FindingsScope {
  const { findings, fileCount } = source;
  return {
    ...{ group: null, findings, fileCount, decisions: draft.decisions },
    sourceType: draft.sourceType.trim(),
    inputCrs: draft.options.inputCrs.trim(),
    canSplit: draft.separate.length > 1,
  };
}

/** `seen`: of its files; absent while nothing was. */
export function scopeOfAsset(
  { group, source, sourceType, own, decisions }: SeparateDraft,
  seen: AssetSeen | undefined,
  draft: Draft,
): FindingsScope {
  return {
    ...{ group, findings: seen?.findings ?? [], fileCount: source.fileCount, sourceType, decisions },
    inputCrs: (own ?? draft).options.inputCrs.trim(),
    canSplit: false,
  };
}

/** Of each asset of the draft, in their order. */
export function scopesOf(source: SourceView, draft: Draft): readonly FindingsScope[] {
  if (!draft.split) return [scopeOfAll(source, draft)];
  const seen = new Map(source.assets.map((asset) => [asset.group, asset]));
  return draft.separate.map((asset) =>
    scopeOfAsset(asset, asset.group === null ? undefined : seen.get(asset.group), draft),
  );
}

/**
 * What matters to the kind of data. Where the person has named the coordinate system of a point cloud, its
 * lack is none.
 */
export function groupsThatMatter({ findings, sourceType, inputCrs }: FindingsScope): readonly FindingGroup[] {
  return findings.filter(
    ({ id }) => mattersTo(id, [sourceType]) && !(inputCrs !== '' && id === 'no-system-points'),
  );
}

export function optionsInForm(draft: Draft): readonly OptionName[] {
  return optionsOf(sourceTypesOf(draft));
}

/** Any of the assets can stand on a terrain (contract 2.2). */
export function canClamp(draft: Draft): boolean {
  return draft.split
    ? draft.separate.some(({ assetType, sourceType }) => canStandOnTerrain(assetType, sourceType))
    : draft.clampToTerrain
      ? mayBeClamped(draft.assetType)
      : canStandOnTerrain(draft.assetType, draft.sourceType);
}

/** What still keeps the draft from being uploaded, by field, in the order of the form. */
export function draftProblems(draft: Draft): ReadonlyMap<DraftField, string> {
  const problems = new Map<DraftField, string>();
  if (draft.split) {
    for (const [index, one] of draft.separate.entries()) {
      if (one.name.trim() === '')
        problems.set(`separate-name-${index}`, say('newAsset.problem.separateName'));
      if (one.assetType === null || one.sourceType === '')
        problems.set(`separate-kind-${index}`, say('newAsset.problem.sourceType'));
      const [wrong] = one.own ? optionsProblems(one.own, optionsOf([one.sourceType])).values() : [];
      if (wrong !== undefined) problems.set(`separate-options-${index}`, wrong);
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
 * The requests for main, one an asset; none while something is missing. `acceptForecast`: the person was told
 * that it will probably not finish. Clamping is asked for only where it means something (contract 2.2).
 */
export function draftInputs(
  source: SourceView,
  draft: Draft,
  acceptForecast: boolean,
): readonly NewAssetInput[] {
  if (draftProblems(draft).size > 0) return [];
  const scopes = scopesOf(source, draft);
  const assets = draft.split
    ? draft.separate.map((one) => ({
        ...one,
        settings: one.own ?? draft,
        isShared: one.own === null,
        kindKey: one.source.kindKey,
      }))
    : [{ ...draft, settings: draft, isShared: false, kindKey: source.kindKey }];
  return assets.flatMap(({ pieces, settings, isShared, kindKey, name, assetType, sourceType }, at) => {
    if (assetType === null) return [];
    const scope = scopes[at];
    const decided = scope ? changesOf(groupsThatMatter(scope), scope.decisions) : null;
    const changes = withoutTaken(source, draft, joinChanges(draft.kept, decided));
    const fits = isShared ? canStandOnTerrain(assetType, sourceType) : mayBeClamped(assetType);
    const clampToTerrain = fits && settings.clampToTerrain;
    return {
      paths: source.paths,
      ...(pieces.length < source.pieces.length && { pieces }),
      name: name.trim(),
      description: settings.description.trim(),
      assetType,
      sourceType: sourceType.trim(),
      clampToTerrain,
      baseTerrainId: clampToTerrain ? settings.baseTerrainId : null,
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

/**
 * The same for a draft that is not filled in yet, by which main tells whether what was decided about the
 * files can be carried out; none where nothing was.
 */
export function checkedInputs(source: SourceView, draft: Draft): readonly NewAssetInput[] {
  const { name, separate } = draft;
  const kind = { assetType: draft.assetType ?? 'TERRAIN', sourceType: draft.sourceType || 'RASTER_TERRAIN' };
  const withKind = (one: SeparateDraft) => ({
    ...one,
    ...{ assetType: one.assetType ?? kind.assetType, sourceType: one.sourceType || kind.sourceType },
    ...{ name: one.name.trim() || nameless, own: null },
  });
  const filledIn = {
    ...{ ...draft, ...kind, name: name.trim() || nameless, separate: separate.map(withKind) },
    ...(optionsProblems(draft, optionsInForm(draft)).size > 0 && blankOptions),
  };
  return draftInputs(source, filledIn, true).filter(({ changes }) => changes !== undefined);
}

const nameless = '-';

/** Without what was meant for another kind of data beside this one. */
function sharedOptions({ options, furtherOptions }: OptionsDraft, sourceType: string): OptionsDraft {
  const inputCrs = sharesOption(sourceType, 'inputCrs') ? options.inputCrs : '';
  return { options: { ...options, inputCrs }, furtherOptions };
}

/** What was taken along is left out again where the person wants only what they dropped. */
function withoutTaken({ taken }: SourceView, { leaveTaken }: Draft, changes: SourceChanges | null) {
  if (!leaveTaken || taken.length === 0) return changes;
  const { leftOut, assigned, ...others } = changes ?? { leftOut: [], assigned: [] };
  return { leftOut: [...leftOut, { keys: taken }], assigned, ...others };
}
