/** What the sheet took over from the last asset of the same kind of data, in words. */

import type { LastChoice, SourceView } from '../../../../preload/contract.ts';
import { describeOptions } from '../../../components/options/options-draft.ts';
import { formatNames, say } from '../../../say.ts';
import { assetTypeLabel, kindLabel } from '../../../words/kinds.ts';
import { lastChoiceOf, plainDraft } from './draft.ts';

/** `clamped to terrain 2310044, textureFormat WEBP`; null where last time was as suggested. */
export function describeLastChoice(source: SourceView): string | null {
  const choice = lastChoiceOf(source);
  // A preset is named where presets are chosen.
  if (!choice || choice.isPreset) return null;
  const { assetType, sourceType } = plainDraft(source);
  const words = [
    ...(choice.assetType === assetType && choice.sourceType === sourceType ? [] : [describeType(choice)]),
    ...(choice.clampToTerrain ? [describeClamp(choice.baseTerrainId)] : []),
    ...describeOptions(choice.options),
  ];
  return words.length === 0 ? null : formatNames(words);
}

function describeType({ assetType, sourceType }: LastChoice): string {
  return say('newAsset.lastTime.type', {
    assetType: assetTypeLabel(assetType),
    kind: kindLabel(sourceType),
  });
}

function describeClamp(baseTerrainId: number | null): string {
  return baseTerrainId === null
    ? say('newAsset.lastTime.onEllipsoid')
    : say('newAsset.lastTime.onTerrain', { id: String(baseTerrainId) });
}
