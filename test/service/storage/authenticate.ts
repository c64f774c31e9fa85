import { timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../http/exchange.ts';
import { storageRegion } from '../settings.ts';
import type { ChunkedBody } from './aws-chunked.ts';
import type { CredentialBook, HeldCredentials } from './credentials.ts';
import { S3Error } from './s3-error.ts';
import {
  canonicalRequest,
  parseAuthorization,
  type SignatureClaim,
  scopeText,
  sign,
  signingKey,
} from './sigv4.ts';

const skewMs = 15 * 60_000;
const service = 's3';

export interface Caller {
  readonly credentials: HeldCredentials;
  /** Expected hex SHA-256 of the body; undefined for UNSIGNED-PAYLOAD and chunks. */
  readonly bodySha256: string | undefined;
  readonly chunked: ChunkedBody | undefined;
}

/**
 * `aws`: accepts chunked bodies, signed or not, with or without trailers. `ceph`: refuses them, as Ceph RGW
 * 16.2 does.
 */
export type StreamingMode = 'aws' | 'ceph';

/**
 * Verifies Signature Version 4 in the Authorization header. `now`: storage's time of day, ms. Throws S3Error.
 */
export function authenticate(
  exchange: Exchange,
  book: CredentialBook,
  now: number,
  streaming: StreamingMode,
): Caller {
  const authorization = exchange.header('authorization');
  if (authorization === undefined) throw new S3Error('AccessDenied', 'Anonymous access is forbidden.');
  const claim = parseAuthorization(authorization);
  if (!claim)
    throw new S3Error('AuthorizationHeaderMalformed', 'The Authorization header is not of version 4.');
  const credentials = book.findCredentials(claim.accessKey);
  if (!credentials) {
    throw new S3Error('InvalidAccessKeyId', 'The access key id does not exist.', {
      AWSAccessKeyId: claim.accessKey,
    });
  }
  if (exchange.header('x-amz-security-token') !== credentials.sessionToken) {
    throw new S3Error('InvalidToken', 'The provided token is malformed or otherwise invalid.');
  }
  if (book.isExpired(credentials)) throw new S3Error('ExpiredToken', 'The provided token has expired.');
  const time = checkTime(exchange, claim, now);
  checkScope(claim);
  checkSignedHeaders(exchange, claim);
  const payloadHash = readPayloadHash(exchange, streaming);
  const canonical = canonicalRequest({
    method: exchange.method,
    path: exchange.path,
    query: exchange.query,
    header: (name) => exchange.request.headersDistinct[name],
    signedHeaders: claim.signedHeaders,
    payloadHash,
  });
  const expected = sign(credentials.secretAccessKey, claim, time, canonical);
  if (!timingSafeEqual(expected, Buffer.from(claim.signature, 'hex'))) {
    throw new S3Error('SignatureDoesNotMatch', 'The request signature does not match the one calculated.', {
      CanonicalRequest: canonical,
    });
  }
  const chunked = payloadHash.startsWith(streamingPrefix)
    ? {
        signatures: payloadHash.startsWith(unsignedChunks)
          ? null
          : {
              key: signingKey(credentials.secretAccessKey, claim),
              time,
              scope: scopeText(claim),
              seed: claim.signature,
            },
        trailers: trailerNames(exchange),
        decodedLength: Number(exchange.header('x-amz-decoded-content-length')),
      }
    : undefined;
  const isHash = !chunked && payloadHash !== 'UNSIGNED-PAYLOAD';
  return { credentials, bodySha256: isHash ? payloadHash : undefined, chunked };
}

/** The `x-amz-date` value, checked against the clock. */
function checkTime(exchange: Exchange, claim: SignatureClaim, now: number): string {
  const time = exchange.header('x-amz-date') ?? '';
  const digits = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time);
  if (!digits) throw new S3Error('AccessDenied', 'A valid x-amz-date header is required.');
  const [, year, month, day, hour, minute, second] = digits.map(Number);
  const sentAt = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  if (Math.abs(now - sentAt) > skewMs) {
    throw new S3Error(
      'RequestTimeTooSkewed',
      'The time of the request and the current time differ too much.',
      {
        RequestTime: time,
        ServerTime: new Date(now).toISOString(),
        MaxAllowedSkewMilliseconds: String(skewMs),
      },
    );
  }
  if (!time.startsWith(claim.date)) {
    throw new S3Error(
      'AuthorizationHeaderMalformed',
      'The date of the credential scope is not that of x-amz-date.',
    );
  }
  return time;
}

function checkScope(claim: SignatureClaim): void {
  if (claim.region !== storageRegion) {
    throw new S3Error(
      'AuthorizationHeaderMalformed',
      `The region '${claim.region}' is wrong; expecting '${storageRegion}'.`,
      { Region: storageRegion },
    );
  }
  if (claim.service !== service) {
    throw new S3Error(
      'AuthorizationHeaderMalformed',
      `The service '${claim.service}' is wrong; expecting 's3'.`,
    );
  }
}

/** The signature must cover the host and every `x-amz-` header, in order. */
function checkSignedHeaders(exchange: Exchange, claim: SignatureClaim): void {
  const { signedHeaders } = claim;
  const presentHeaders = Object.keys(exchange.request.headers).filter((name) => name.startsWith('x-amz-'));
  const unsigned = ['host', ...presentHeaders].filter((name) => !signedHeaders.includes(name));
  if (unsigned.length > 0) {
    throw new S3Error('AccessDenied', 'There were headers present in the request which were not signed.', {
      HeadersNotSigned: unsigned.join(', '),
    });
  }
  if (signedHeaders.join() !== [...signedHeaders].sort().join()) {
    throw new S3Error('AuthorizationHeaderMalformed', 'SignedHeaders are not sorted.');
  }
}

const streamingPrefix = 'STREAMING-';
const unsignedChunks = 'STREAMING-UNSIGNED-PAYLOAD';
const streamingHashes: ReadonlySet<string> = new Set([
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
]);

function trailerNames(exchange: Exchange): readonly string[] {
  const names = exchange.header('x-amz-trailer') ?? '';
  return names === '' ? [] : names.split(',').map((name) => name.trim().toLowerCase());
}

/** The value of `x-amz-content-sha256`. Throws S3Error if it can't be verified. */
function readPayloadHash(exchange: Exchange, streaming: StreamingMode): string {
  const hash = exchange.header('x-amz-content-sha256');
  if (hash === undefined) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  const hasBody = exchange.method === 'PUT';
  const chunked = (exchange.header('content-encoding') ?? '').includes('aws-chunked');
  if (streaming === 'aws' && streamingHashes.has(hash)) {
    if (/^\d{1,13}$/.test(exchange.header('x-amz-decoded-content-length') ?? '')) return hash;
    throw new S3Error('MissingContentLength', 'You must provide the x-amz-decoded-content-length header.');
  }
  if (hasBody && exchange.header('content-length') === undefined) {
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.');
  }
  if ((chunked && streaming === 'ceph') || hash.startsWith(streamingPrefix)) {
    throw new S3Error('XAmzContentSHA256Mismatch', 'Streaming payloads and trailers are not taken here.');
  }
  if (hash !== 'UNSIGNED-PAYLOAD' && !/^[0-9a-f]{64}$/.test(hash)) {
    throw new S3Error(
      'InvalidArgument',
      'x-amz-content-sha256 is neither UNSIGNED-PAYLOAD nor a SHA-256 in hex.',
    );
  }
  return hash;
}
