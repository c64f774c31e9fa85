/** What a person fills in for a new asset, and what becomes of it. */

import type { AssetType, NewAssetInput, SourceView } from '../../preload/contract.ts';

export interface Draft {
  readonly name: string;
  readonly description: string;
  /** Null until a kind of data was suggested or chosen. */
  readonly assetType: AssetType | null;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  /** Null: the WGS84 ellipsoid. */
  readonly baseTerrainId: number | null;
}

export type DraftField = 'name' | 'assetType' | 'sourceType';

export function draftFrom(source: SourceView): Draft {
  return {
    name: source.suggestedName,
    description: '',
    assetType: source.suggestion?.assetType ?? null,
    sourceType: source.suggestion?.sourceType ?? '',
    clampToTerrain: false,
    baseTerrainId: null,
  };
}

/** What still keeps the draft from being uploaded, by field, in the order of the form. */
export function draftProblems(draft: Draft): ReadonlyMap<DraftField, string> {
  const problems = new Map<DraftField, string>();
  if (draft.name.trim() === '') problems.set('name', 'Give the asset a name.');
  if (draft.assetType === null) problems.set('assetType', 'Choose what the service makes of it.');
  if (draft.sourceType.trim() === '') problems.set('sourceType', 'Say what kind of data it is.');
  else if (
    draft.sourceType.trim() === 'CITYGML' &&
    draft.assetType !== null &&
    draft.assetType !== '3DTILES'
  ) {
    problems.set('assetType', 'CityGML can only become 3D Tiles.');
  }
  return problems;
}

/** The request for main, or null while something is missing. `acceptForecast`: the person was told that it will probably not finish. Clamping is asked for only where it means something (contract 2.2). */
export function draftInput(source: SourceView, draft: Draft, acceptForecast: boolean): NewAssetInput | null {
  if (draft.assetType === null || draftProblems(draft).size > 0) return null;
  const clampToTerrain = draft.assetType === '3DTILES' && draft.clampToTerrain;
  return {
    paths: source.paths,
    name: draft.name.trim(),
    description: draft.description.trim(),
    assetType: draft.assetType,
    sourceType: draft.sourceType.trim(),
    clampToTerrain,
    baseTerrainId: clampToTerrain ? draft.baseTerrainId : null,
    acceptForecast,
  };
}
