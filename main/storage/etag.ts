import { createHash } from 'node:crypto';

/** Removes quotes and the weak mark. */
export function bareEtag(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '');
}

/** Only tests the shape; encryption decides whether it is an MD5, see `StorageAnswer.comparable`. */
export function isMd5(etag: string): boolean {
  return /^[0-9a-f]{32}$/i.test(etag);
}

/** MD5 of the parts' MD5s, and their count. Null if a part's isn't an MD5. */
export function multipartEtag(partEtags: readonly string[]): string | null {
  if (!partEtags.every(isMd5)) return null;
  const hash = createHash('md5');
  for (const etag of partEtags) hash.update(etag, 'hex');
  return `${hash.digest('hex')}-${partEtags.length}`;
}

/** False only if both are comparable and differ. */
export function etagsAgree(ourEtag: string | null, theirEtag: string | null): boolean {
  if (!ourEtag || !theirEtag) return true;
  const sameShape = ourEtag.includes('-') ? /^[0-9a-f]{32}-\d+$/i.test(theirEtag) : isMd5(theirEtag);
  return !sameShape || ourEtag.toLowerCase() === theirEtag.toLowerCase();
}
