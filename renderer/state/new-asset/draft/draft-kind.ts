import type { SourceView } from '../../../../preload/contract.ts';
import { findKind } from '../../../../shared/kinds.ts';
import { formatFacts, say, sayPhrase, sayValue } from '../../../say.ts';
import { kindLabel } from '../../../words/kinds.ts';
import { describeExtensions } from '../../../words/source.ts';
import { countData, type Draft } from './draft.ts';

interface KindWords {
  readonly headline: string;
  readonly reason: string;
  /** False until Tilelift or the person has determined the kind. */
  readonly sure: boolean;
}

export function describeKind(source: SourceView, draft: Draft): KindWords {
  const { suggestion } = source;
  const extensions = describeExtensions(source.extensions);
  if (draft.sourceType.trim() === '' || draft.assetType === null) {
    const headline = say(isUnlisted(source) ? 'newAsset.kind.unlisted' : 'newAsset.kind.ask');
    return { headline, reason: extensions, sure: false };
  }
  if (suggestion?.sourceType === draft.sourceType && suggestion.assetType === draft.assetType) {
    const headline = say('newAsset.kind.looksLike', { kind: sayPhrase(suggestion.kind) });
    return { headline, reason: sayValue(suggestion.reason), sure: true };
  }
  const isKnownKind = findKind(draft.sourceType)?.assetType === draft.assetType;
  const why = say(isKnownKind ? 'newAsset.kind.chosen' : 'newAsset.kind.own');
  const headline = isKnownKind ? kindLabel(draft.sourceType) : draft.sourceType;
  return { headline, reason: formatFacts([why, extensions]), sure: true };
}

/** True if the service lists no format of the source's main files. */
function isUnlisted(source: SourceView): boolean {
  const unlistedCount = source.findings.find(({ id }) => id === 'unlisted-format')?.count ?? 0;
  const dataCount = countData(source);
  return dataCount > 0 && dataCount <= unlistedCount;
}
