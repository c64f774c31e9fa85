import { provesStored } from '../service/who-answered.ts';
import { foreignKeys, foreignSuccess, refusalOf } from './call-answer.ts';
import { bareEtag, isMd5 } from './etag.ts';
import type { CallAnswer } from './storage-call.ts';
import { StorageError } from './storage-error.ts';
import type { StorageFacts } from './storage-facts.ts';

/**
 * The ETag with which storage confirms bytes of that MD5 (hex). Where its ETags turn out to be no MD5s, what it took is known by its size and by
 * `Content-MD5` alone.
 *
 * @throws StorageError where storage refused them or confirms others, and where nothing proves that it was storage
 */
export function confirmedEtag(
  answer: CallAnswer,
  md5: string,
  facts: Pick<StorageFacts, 'etags' | 'sawEtag'>,
  now: number,
): string {
  const { status, headers } = answer;
  const fault = refusalOf(answer, 'PUT', now);
  if (fault) throw new StorageError(fault);
  const etag = bareEtag(headers.etag ?? '');
  if (!provesStored(headers, etag, md5)) throw new StorageError(foreignSuccess(answer));
  if (foreignKeys(headers) || !isMd5(etag)) return etag;
  const matches = etag.toLowerCase() === md5;
  if (!matches || facts.etags === 'unknown') facts.sawEtag(matches);
  if (!matches && facts.etags !== 'other') {
    const message = 'The confirmed MD5 differs from ours.';
    throw new StorageError({ status, heard: true, code: 'BadDigest', message });
  }
  return etag;
}
