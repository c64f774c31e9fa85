/** Names of kinds of data, with their types in the service (service-facts.md, "sourceType values"). */

import type { SourceView } from '../../preload/contract.ts';
import { type AssetType, assetTypes } from '../../shared/assets.ts';
import { findKind, isOfferedFor, type Kind, type KnownSourceType, kinds } from '../../shared/kinds.ts';
import { say } from '../say.ts';

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export function assetTypeChoices(): readonly Choice<AssetType>[] {
  return assetTypes.map((value) => ({ value, label: say(`kinds.asset.${value}`) }));
}

/** `3DTILES` → `3D Tiles`; unknown types stay as they are. */
export function assetTypeLabel(type: string): string {
  const knownType = assetTypes.find((assetType) => assetType === type);
  return knownType === undefined ? type : say(`kinds.asset.${knownType}`);
}

export function kindLabel(sourceType: string): string {
  const kind = findKind(sourceType);
  return kind === undefined ? sourceType : say(`kinds.source.${kind.sourceType}`);
}

/** The same within a sentence: `point cloud`. */
export function kindWithin(sourceType: string): string {
  const kind = findKind(sourceType);
  return kind === undefined ? sourceType : say(`kinds.within.${kind.sourceType}`);
}

export function kindHint({ examples }: Kind): string {
  return examples === '' ? say('kinds.realityMesh') : examples;
}

/** Source types of an asset type. */
export function sourceTypeChoices(assetType: AssetType | null): readonly Choice<KnownSourceType>[] {
  return choicesOf(assetType === null ? kinds : kindsOf(assetType));
}

/** Kinds that fit a source's files. */
export function kindsFor({ extensions }: Pick<SourceView, 'extensions'>): readonly Kind[] {
  const presentExtensions = extensions.map(({ extension }) => extension.replace('.', ''));
  return kinds.filter((kind) => isOfferedFor(kind, presentExtensions));
}

export function choicesOf(offeredKinds: readonly Kind[]): readonly Choice<KnownSourceType>[] {
  return offeredKinds.map(({ sourceType }) => ({ value: sourceType, label: kindLabel(sourceType) }));
}

function kindsOf(assetType: AssetType): readonly Kind[] {
  return kinds.filter((kind) => kind.assetType === assetType);
}

/**
 * The sourceType after the asset type changed. Custom and matching values stay; others become the first
 * choice.
 */
export function sourceTypeAfter(assetType: AssetType, sourceType: string): string {
  const kind = findKind(sourceType);
  if (sourceType !== '' && (!kind || kind.assetType === assetType)) return sourceType;
  return kindsOf(assetType)[0]?.sourceType ?? sourceType;
}
