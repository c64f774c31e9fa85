/** What a person fills in for a new asset, or for several, and what becomes of it. */

import type {
  AssetType,
  LastChoiceView,
  NewAssetInput,
  SourcePartView,
  SourceView,
} from '../../../../preload/contract.ts';
import { mayBeClamped } from '../../../../shared/assets.ts';
import { fitsAssetType, type OptionName } from '../../../../shared/kinds.ts';
import { say } from '../../../../strings/say.ts';
import { optionsOf } from '../../../components/options/options.ts';
import {
  blankOptions,
  type OptionsDraft,
  type OptionsField,
  optionsDraftOf,
  optionsProblems,
  optionsText,
} from '../../../components/options/options-draft.ts';

/** One of several assets. */
export interface PartDraft {
  readonly part: SourcePartView;
  readonly name: string;
  readonly assetType: AssetType | null;
  readonly sourceType: string;
}

export interface Draft extends OptionsDraft {
  readonly name: string;
  readonly description: string;
  /** Null until a kind of data was suggested or chosen. */
  readonly assetType: AssetType | null;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  /** Null: the WGS84 ellipsoid. */
  readonly baseTerrainId: number | null;
  /** Each part becomes an asset; name, type and source type are then those of the parts. */
  readonly split: boolean;
  readonly parts: readonly PartDraft[];
}

export type DraftField =
  | 'name'
  | 'assetType'
  | 'sourceType'
  | OptionsField
  | `part-name-${number}`
  | `part-kind-${number}`;

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
    split: source.suggestParts,
    parts: source.parts.map((part) => ({
      part,
      name: part.suggestedName,
      assetType: part.suggestion?.assetType ?? null,
      sourceType: part.suggestion?.sourceType ?? '',
    })),
  };
}

/** As suggested, and as last time where there was one. */
export function draftFrom(source: SourceView): Draft {
  const plain = plainDraft(source);
  const last = lastChoiceOf(source);
  const parts = plain.parts.map((part) => {
    const { lastChoice } = part.part;
    return lastChoice
      ? { ...part, assetType: lastChoice.assetType, sourceType: lastChoice.sourceType }
      : part;
  });
  return last ? { ...plain, ...choiceFields(last), parts } : { ...plain, parts };
}

/** Options belong to all parts of a drop, so they are only offered again where all of it is of one kind. */
export function lastChoiceOf(source: SourceView): LastChoiceView | null {
  const oneKind = source.parts.every(({ kindKey }) => kindKey === source.kindKey);
  return oneKind ? source.lastChoice : null;
}

function choiceFields(choice: LastChoiceView): Partial<Draft> {
  const { assetType, sourceType, clampToTerrain, baseTerrainId, options } = choice;
  return { assetType, sourceType, clampToTerrain, baseTerrainId, ...optionsDraftOf(options, sourceType) };
}

/** The source types that the draft makes assets of. */
export function sourceTypesOf(draft: Draft): readonly string[] {
  return draft.split ? draft.parts.map(({ sourceType }) => sourceType) : [draft.sourceType.trim()];
}

export function optionsInForm(draft: Draft): readonly OptionName[] {
  return optionsOf(sourceTypesOf(draft));
}

/** Any of the assets can stand on a terrain (contract 2.2). */
export function canClamp(draft: Draft): boolean {
  return draft.split
    ? draft.parts.some(({ assetType }) => mayBeClamped(assetType))
    : mayBeClamped(draft.assetType);
}

/** What still keeps the draft from being uploaded, by field, in the order of the form. */
export function draftProblems(draft: Draft): ReadonlyMap<DraftField, string> {
  const problems = new Map<DraftField, string>();
  if (draft.split) {
    for (const [index, part] of draft.parts.entries()) {
      if (part.name.trim() === '') problems.set(`part-name-${index}`, say('newAsset.problem.partName'));
      if (part.assetType === null || part.sourceType === '')
        problems.set(`part-kind-${index}`, say('newAsset.problem.sourceType'));
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
 * The requests for main, one an asset; none while something is missing. `acceptForecast`: the person was told that it will probably not finish. Clamping is
 * asked for only where it means something (contract 2.2).
 */
export function draftInputs(
  source: SourceView,
  draft: Draft,
  acceptForecast: boolean,
): readonly NewAssetInput[] {
  if (draftProblems(draft).size > 0) return [];
  const assets = draft.split
    ? draft.parts.map(({ part, ...own }) => ({ ...own, paths: part.paths, kindKey: part.kindKey }))
    : [{ ...draft, paths: source.paths, kindKey: source.kindKey }];
  return assets.flatMap(({ paths, kindKey, name, assetType, sourceType }) => {
    if (assetType === null) return [];
    const clampToTerrain = mayBeClamped(assetType) && draft.clampToTerrain;
    return {
      paths,
      name: name.trim(),
      description: draft.description.trim(),
      assetType,
      sourceType: sourceType.trim(),
      clampToTerrain,
      baseTerrainId: clampToTerrain ? draft.baseTerrainId : null,
      options: optionsText(draft, sourceType.trim()),
      kindKey,
      acceptForecast,
    };
  });
}
