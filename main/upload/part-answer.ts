import type { IncomingHttpHeaders } from 'node:http';
import { bareEtag, isMd5 } from './etag.ts';
import { StorageError, type StorageFault } from './storage-error.ts';
import { readRetryAfter } from './storage-fault.ts';

/** What of an answer matters here. */
export interface PartAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * The ETag with which storage confirms bytes of that MD5 (hex). A part needs one for its completion; a whole file does not.
 *
 * @throws StorageError where storage refused them or confirms others
 */
export function confirmedEtag(answer: PartAnswer, md5: string, isPart: boolean, now: number): string {
  const { status, headers } = answer;
  if (status < 200 || status > 299) throw new StorageError(readFault(answer, now));
  const etag = bareEtag(headers.etag ?? '');
  if (!etag && isPart) throw new StorageError({ status, message: 'No ETag in the answer.' });
  if (comparable(headers) && isMd5(etag) && etag.toLowerCase() !== md5) {
    throw new StorageError({ code: 'BadDigest', message: 'The confirmed MD5 differs from ours.' });
  }
  return etag || md5;
}

/** With keys of storage's own (SSE-KMS, SSE-C) the ETag has an MD5's shape and is none. */
function comparable(headers: IncomingHttpHeaders): boolean {
  const kms = String(headers['x-amz-server-side-encryption'] ?? '').startsWith('aws:');
  return !kms && headers['x-amz-server-side-encryption-customer-algorithm'] === undefined;
}

function readFault({ status, headers, body }: PartAnswer, now: number): StorageFault {
  const code = elementText(body, 'Code');
  const message = elementText(body, 'Message');
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  return {
    status,
    ...(code ? { code } : {}),
    ...(message ? { message } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/** Of S3's error document, which is flat. */
function elementText(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  return text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity).trim();
}
