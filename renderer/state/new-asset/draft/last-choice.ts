import type { LastChoice, SourceView } from '../../../../preload/contract.ts';
import { formatNames, say } from '../../../say.ts';
import { assetTypeLabel, kindLabel } from '../../../words/kinds.ts';
import { describeOptions } from '../../options/options-draft.ts';
import { type Draft, lastChoiceOf, plainDraft } from './draft.ts';

/** `clamped to terrain 2310044, Textures: WEBP`; null if they equal the suggestion. */
export function describeLastChoice(source: SourceView): string | null {
  const choice = lastChoiceOf(source);
  // The preset list names a preset.
  if (!choice || choice.isPreset) return null;
  const { assetType, sourceType } = plainDraft(source);
  const words = [
    ...(choice.assetType === assetType && choice.sourceType === sourceType ? [] : [describeType(choice)]),
    ...(choice.clampToTerrain ? [describeClamp(choice.baseTerrainId)] : []),
    ...describeOptions(choice.options),
  ];
  return words.length === 0 ? null : formatNames(words);
}

/** Resets type and options to the suggestion; typed values stay. */
export function withoutLastChoice(draft: Draft, source: SourceView): Draft {
  const { name, description, split, decisions, keptChanges, pieces, removed, started, leaveTaken } = draft;
  return {
    ...plainDraft(source),
    ...{ name, description, split, decisions, keptChanges, pieces, removed, started, leaveTaken },
    separate: draft.separate.map((asset) => {
      const { assetType = null, sourceType = '' } = asset.source.suggestion ?? {};
      return { ...asset, assetType, sourceType };
    }),
  };
}

function describeType({ assetType, sourceType }: LastChoice): string {
  return say('newAsset.lastTime.type', { assetType: assetTypeLabel(assetType), kind: kindLabel(sourceType) });
}

function describeClamp(baseTerrainId: number | null): string {
  return baseTerrainId === null
    ? say('newAsset.lastTime.onEllipsoid')
    : say('newAsset.lastTime.onTerrain', { id: String(baseTerrainId) });
}
