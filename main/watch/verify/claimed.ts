import type { Claim } from '../claims/claim-model.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import type { WatchParts } from '../watch-parts.ts';
import { type Content, contentOfSent, untold, type Verdict } from './content.ts';

/** What was uploaded for a claim that is done, as that computer says; `untold` where it does not say, or not so that it can be held against files. */
export async function contentOfClaim({ source, content }: Claim): Promise<Content> {
  if (content?.word) return content.word;
  return content?.files ? contentOfSent(source, content.files) : untold;
}

/**
 * Whether a source holds what another computer made an asset of. Names, sizes and times don't tell: the claim of a computer that was retired long ago must not hide a new
 * file. `unknown`: it changed while it was read.
 *
 * @throws TileliftError `source-unreadable`, `source-stalled`
 */
export async function compareWithClaim(
  rule: WatchRule,
  found: FoundSource,
  claim: Claim,
  { contents }: Pick<WatchParts, 'contents'>,
): Promise<Verdict> {
  const before = await contentOfClaim(claim);
  if (before === untold) return 'untold';
  const now = await contents.ofSource(rule.id, found, { signal: new AbortController().signal });
  if (now === null) return 'unknown';
  return now === before ? 'same' : 'differs';
}
