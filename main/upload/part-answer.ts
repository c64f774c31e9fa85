import { foreignKeys, refusalOf } from './call-answer.ts';
import { bareEtag, isMd5 } from './etag.ts';
import type { CallAnswer } from './storage-call.ts';
import { StorageError } from './storage-error.ts';

/**
 * The ETag with which storage confirms bytes of that MD5 (hex). A part needs one for its completion; a whole file does not.
 *
 * @throws StorageError where storage refused them or confirms others
 */
export function confirmedEtag(answer: CallAnswer, md5: string, isPart: boolean, now: number): string {
  const { status, headers } = answer;
  const fault = refusalOf(answer, now);
  if (fault) throw new StorageError(fault);
  const etag = bareEtag(headers.etag ?? '');
  if (!etag && isPart) throw new StorageError({ status, message: 'No ETag in the answer.' });
  if (!foreignKeys(headers) && isMd5(etag) && etag.toLowerCase() !== md5) {
    throw new StorageError({ code: 'BadDigest', message: 'The confirmed MD5 differs from ours.' });
  }
  return etag || md5;
}
