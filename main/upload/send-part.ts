import { createHash } from 'node:crypto';
import { isMd5 } from './etag.ts';
import type { PartRange } from './plan.ts';
import { type RetryOptions, withRetry } from './request-retry.ts';
import type { SourceReader } from './source-reader.ts';
import type { Body, RequestOptions, StorageAnswer } from './storage.ts';
import { StorageError } from './storage-error.ts';
import type { ProgressCount, SendTry } from './transfer-progress.ts';

export interface PartToSend {
  readonly reader: SourceReader;
  readonly range: PartRange;
  /** ETag of what storage already has of this part though no record confirms it; sent again unless its bytes are ours. */
  readonly adoptable: string | null;
  /** For error messages. */
  readonly path: string;
  /** One try: the request that carries the part, a whole file or one part of an upload. */
  readonly request: (body: Body, options: RequestOptions) => Promise<StorageAnswer>;
}

export interface SentPart {
  /** What storage confirmed, bare. */
  readonly etag: string;
  /** Still counted as on the wire, until it is acknowledged. Null where nothing had to be sent. */
  readonly by: SendTry | null;
}

export interface SendOptions extends RetryOptions {
  readonly signal: AbortSignal;
  readonly progress: ProgressCount;
}

/**
 * Reads one part once, hashes it once and sends it until storage confirms it. This is the seam behind which reading, hashing, signing and
 * sending can move elsewhere: it takes a part and a buffer to hold it and gives what storage confirmed.
 */
export async function sendPart(part: PartToSend, buffer: Buffer, options: SendOptions): Promise<SentPart> {
  const bytes = await part.reader.read(part.range, buffer);
  const digest = createHash('md5').update(bytes).digest();
  const md5 = digest.toString('hex');
  if (part.adoptable === md5) return { etag: md5, by: null };
  const body = { bytes, md5: digest.toString('base64') };
  return withRetry(() => sendOnce(part, body, md5, options), part.path, options.signal, options);
}

async function sendOnce(
  part: PartToSend,
  body: Body,
  md5: string,
  { signal, progress }: SendOptions,
): Promise<SentPart> {
  const attempt = progress.beginTry();
  try {
    const answer = await part.request(body, { signal, onSent: attempt.sent });
    if (answer.comparable && answer.etag && isMd5(answer.etag) && answer.etag.toLowerCase() !== md5) {
      throw new StorageError({ code: 'BadDigest', message: 'The confirmed MD5 differs from ours.' });
    }
    return { etag: answer.etag ?? md5, by: attempt };
  } catch (error) {
    attempt.end();
    throw error;
  }
}
