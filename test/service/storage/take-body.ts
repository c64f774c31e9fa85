import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Exchange } from '../http/exchange.ts';
import type { Caller } from './authenticate.ts';
import { ChunkDecoder } from './aws-chunked.ts';
import { compareCrc32, promisedCrc32, refuseCrc32 } from './checksums.ts';
import type { Received } from './receive.ts';
import type { S3Call, Shelf } from './s3-call.ts';
import { S3Error } from './s3-error.ts';

const largestBody = 5 * 1024 ** 3;

/**
 * Receives the body of a PUT and checks its promised hashes. Throws S3Error and keeps nothing then.
 *
 * @param crc32 whether to compute a CRC32 even if none is promised
 */
export async function takeBody(
  { exchange, caller }: S3Call,
  { blobs, checksums }: Shelf,
  crc32 = false,
): Promise<Received> {
  if (Number(exchange.header('content-length')) > largestBody) {
    throw new S3Error('EntityTooLarge', 'The upload exceeds the maximum allowed size of 5 GiB.');
  }
  if (exchange.header('x-amz-copy-source') !== undefined) {
    throw new S3Error('NotImplemented', 'Copying is not offered here.');
  }
  refuseCrc32(exchange, checksums());
  const promised = promisedMd5(exchange);
  const crc = checksums() === 'verify' ? promisedCrc32(exchange) : undefined;
  const isWhole = !exchange.query.includes('partNumber=');
  const receivedBody = await blobs.take(bodyOf(exchange, caller), {
    sha256: caller.bodySha256 !== undefined || (isWhole && !blobs.keepsBytes),
    crc32: crc32 || crc !== undefined,
  });
  try {
    if (promised && !promised.equals(receivedBody.md5)) {
      throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.', {
        ExpectedDigest: promised.toString('hex'),
        CalculatedDigest: receivedBody.md5.toString('hex'),
      });
    }
    if (crc !== undefined && receivedBody.crc32 !== undefined) compareCrc32(crc, receivedBody.crc32);
    if (caller.bodySha256 !== undefined && caller.bodySha256 !== receivedBody.sha256) throw sha256Mismatch();
  } catch (error) {
    await blobs.remove([receivedBody]);
    throw error;
  }
  return { ...receivedBody, compared: { md5: promised !== undefined, crc32: crc !== undefined } };
}

function bodyOf(exchange: Exchange, { chunked }: Caller): Readable {
  if (!chunked) return exchange.body();
  const body = exchange.body();
  const decoder = new ChunkDecoder(chunked);
  // Not `pipeline`, which would close the connection before the refusal is sent.
  body.once('error', (error) => decoder.destroy(error));
  // The reader also gets the error. Reads the rest of the body, so that the next request can follow.
  decoder.once('error', () => body.resume());
  body.once('close', () => {
    if (!body.readableEnded) decoder.destroy(new Error('The body broke off.'));
  });
  return body.pipe(decoder);
}

function promisedMd5(exchange: Exchange): Buffer | undefined {
  const header = exchange.header('content-md5');
  if (header === undefined) return undefined;
  const bytes = Buffer.from(header, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== header) {
    throw new S3Error('InvalidDigest', 'The Content-MD5 you specified is not valid.');
  }
  return bytes;
}

/** Checks a buffered body against its promised SHA-256. Throws S3Error. */
export function checkSha256(caller: Caller, body: Buffer): void {
  if (caller.bodySha256 === undefined) return;
  if (createHash('sha256').update(body).digest('hex') !== caller.bodySha256) throw sha256Mismatch();
}

function sha256Mismatch(): S3Error {
  return new S3Error(
    'XAmzContentSHA256Mismatch',
    'The x-amz-content-sha256 you specified did not match what we received.',
  );
}
