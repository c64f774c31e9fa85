import type { SourceView } from '../../preload/contract.ts';
import type { Draft } from './draft.ts';
import { kinds } from './kinds.ts';
import { describeExtensions } from './source.ts';

export interface KindWords {
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
    return { headline: 'What kind of data is this?', reason: found, sure: false };
  }
  if (suggestion?.sourceType === draft.sourceType && suggestion.assetType === draft.assetType) {
    return { headline: `Looks like ${suggestion.kind}`, reason: suggestion.reason, sure: true };
  }
  const known = kinds.find(
    (kind) => kind.sourceType === draft.sourceType && kind.assetType === draft.assetType,
  );
  if (known) return { headline: known.label, reason: `as you chose · ${found}`, sure: true };
  return { headline: draft.sourceType, reason: `a source type of your own · ${found}`, sure: true };
}
