import { createHash } from 'node:crypto';
import type { FoundSource, Receipt } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { type Content, contentOfSent, untold, type Verdict } from '../verify/content.ts';
import type { WatchParts } from '../watch-parts.ts';
import type { Claim, ClaimedContent } from './claim-model.ts';

/** Files listed one by one, and what they may take in the claim, bytes. */
const maxListed = 200;
const maxListBytes = 24 * 1024;

/**
 * What a claim says of the content of a source that became COMPLETE, so that other computers can tell it from
 * a new one of the same size. Pure.
 */
export function claimedContent(
  { fingerprint, newestMs }: Pick<FoundSource, 'fingerprint' | 'newestMs'>,
  { files }: Pick<Receipt, 'files'>,
): ClaimedContent {
  const few = files.length <= maxListed ? files.map((file) => ({ ...file })) : null;
  const isSmall = few !== null && Buffer.byteLength(JSON.stringify(few)) <= maxListBytes;
  return { fingerprint, newestMs, digest: contentDigest(files), files: isSmall ? few : null };
}

/** SHA-256, hex, over `key`, size and ETag of every file, sorted by key. */
function contentDigest(files: Receipt['files']): string {
  const lines = files.map(({ key, size, etag }) => `${key}\0${size}\0${etag ?? ''}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/**
 * What was uploaded for a claim that is done, as that computer says; `untold` where it does not say, or not
 * so that it can be compared with files.
 */
export async function contentOfClaim({ source, content }: Claim): Promise<Content> {
  if (content?.word) return content.word;
  return content?.files ? contentOfSent(source, content.files) : untold;
}

/**
 * Whether a source holds what another computer created an asset from. Names, sizes and times don't tell: the
 * claim of a computer that was retired long ago must not hide a new file. `unknown`: it changed while it was
 * read.
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
