import { createHash } from 'node:crypto';

/** Stores quote ETags, some don't, some mark them weak: the bare value is what is kept and compared. */
export function bareEtag(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '');
}

/** The shape of an MD5. Whether it is one depends on the encryption, see `StorageAnswer.comparable`. */
export function isMd5(etag: string): boolean {
  return /^[0-9a-f]{32}$/i.test(etag);
}

/** ETag of a multipart object: MD5 of the parts' MD5s, and their number. Null where a part's is no MD5. */
export function multipartEtag(partEtags: readonly string[]): string | null {
  if (!partEtags.every(isMd5)) return null;
  const hash = createHash('md5');
  for (const etag of partEtags) hash.update(etag, 'hex');
  return `${hash.digest('hex')}-${partEtags.length}`;
}

/** False only where both are comparable and differ. */
export function etagsAgree(ours: string | null, theirs: string | null): boolean {
  if (!ours || !theirs) return true;
  const sameShape = ours.includes('-') ? /^[0-9a-f]{32}-\d+$/i.test(theirs) : isMd5(theirs);
  return !sameShape || ours.toLowerCase() === theirs.toLowerCase();
}
