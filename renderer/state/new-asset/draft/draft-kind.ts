import type { SourceView } from '../../../../preload/contract.ts';
import { findKind } from '../../../../shared/kinds.ts';
import { say, sayPhrase, sayValue } from '../../../say.ts';
import { kindLabel } from '../../../words/kinds.ts';
import { describeExtensions } from '../../../words/source.ts';
import type { Draft } from './draft.ts';

interface KindWords {
  readonly headline: string;
  readonly reason: string;
  /** False while nobody, neither Tilelift nor the person, has said what the data is. */
  readonly sure: boolean;
}

/** What the sheet says about the kind of data: suggested, chosen, typed in, or still open. */
export function describeKind(source: SourceView, draft: Draft): KindWords {
  const { suggestion } = source;
  const found = describeExtensions(source.extensions);
  if (draft.sourceType.trim() === '' || draft.assetType === null) {
    const headline = say(isUnlisted(source) ? 'newAsset.kind.unlisted' : 'newAsset.kind.ask');
    return { headline, reason: found, sure: false };
  }
  if (suggestion?.sourceType === draft.sourceType && suggestion.assetType === draft.assetType) {
    const headline = say('newAsset.kind.looksLike', { kind: sayPhrase(suggestion.kind) });
    return { headline, reason: sayValue(suggestion.reason), sure: true };
  }
  const known = findKind(draft.sourceType)?.assetType === draft.assetType;
  const why = say(known ? 'newAsset.kind.chosen' : 'newAsset.kind.own');
  const headline = known ? kindLabel(draft.sourceType) : draft.sourceType;
  return { headline, reason: `${why} · ${found}`, sure: true };
}

/** All that is no sidecar is of formats that the service does not list. */
function isUnlisted({ findings, pieces }: SourceView): boolean {
  const unlisted = findings.find(({ id }) => id === 'unlisted-format')?.count ?? 0;
  const data = pieces.flatMap(({ contents }) => contents.filter(({ beside }) => !beside));
  return unlisted > 0 && data.length > 0 && data.reduce((sum, { count }) => sum + count, 0) <= unlisted;
}
