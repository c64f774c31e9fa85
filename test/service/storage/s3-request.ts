import type { Exchange } from '../http/exchange.ts';
import { decodeText } from './percent.ts';
import { S3Error } from './s3-error.ts';

/** Target of an S3 request. */
export interface S3Target {
  readonly bucket: string;
  /** '' for the bucket itself. */
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
}

const longestKey = 1024;

/** Bucket and key, path-style or from a host `bucket.…`. Throws S3Error. */
export function readTarget(exchange: Exchange, bucket: string): S3Target {
  const byHost = exchange.header('host')?.startsWith(`${bucket}.`) ?? false;
  const path = byHost ? `/${bucket}${exchange.path}` : exchange.path;
  const [, firstSegment = '', ...furtherSegments] = path.split('/');
  const key = decodeText(furtherSegments.join('/'));
  if (Buffer.byteLength(key) > longestKey) throw new S3Error('KeyTooLongError', 'The key is too long.');
  const pairs = exchange.query === '' ? [] : exchange.query.split('&');
  const query = new Map(
    pairs.map((pair) => {
      const mark = pair.indexOf('=');
      return mark < 0
        ? [decodeText(pair), '']
        : [decodeText(pair.slice(0, mark)), decodeText(pair.slice(mark + 1))];
    }),
  );
  return { bucket: decodeText(firstSegment), key, query };
}
