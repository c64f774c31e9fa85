import { createHash } from 'node:crypto';
import type { FoundSource, Receipt } from '../model.ts';
import type { ClaimedContent } from './claim-model.ts';

/** Files listed one by one, and what they may take in the claim, bytes. */
const mostListed = 200;
const largestList = 24 * 1024;

/** What a claim says of the content of a source that became COMPLETE, so that other computers can tell it from a new one of the same size. Pure. */
export function claimedContent(
  { fingerprint, newestMs }: Pick<FoundSource, 'fingerprint' | 'newestMs'>,
  { files }: Pick<Receipt, 'files'>,
): ClaimedContent {
  const few = files.length <= mostListed ? files.map((file) => ({ ...file })) : null;
  const isSmall = few !== null && Buffer.byteLength(JSON.stringify(few)) <= largestList;
  return { fingerprint, newestMs, digest: contentDigest(files), files: isSmall ? few : null };
}

/** SHA-256, hex, over `key`, size and ETag of every file, sorted by key. */
export function contentDigest(files: Receipt['files']): string {
  const lines = files.map(({ key, size, etag }) => `${key}\0${size}\0${etag ?? ''}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
