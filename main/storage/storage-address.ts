import { TileliftError } from '../errors.ts';
import type { UploadLocation } from '../service/model.ts';
import { isLoopback, isMorePrivate, isPrivateHost } from '../service/service-address.ts';

/** The network address of an upload location. */
export interface StorageAddress {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** As in `Host`: without the scheme's default port. */
  readonly host: string;
  /** Path before the key, percent-encoded, ending in `/`. */
  readonly base: string;
}

/** Bucket names covered by the store's wildcard certificate: no dots. */
const bucketHostLabel = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/**
 * Hosts that can't take a bucket prefix: IP addresses and localhost, since DNS may resolve names below it.
 */
const hostWithoutPrefix = /^(?:\d+(?:\.\d+){3}|\[.*\]|(?:.+\.)?localhost\.?)$/;

/**
 * Path-style with an endpoint, else the SDK's address for us-east-1 (contract 2.3). `preferHost`: put the
 * bucket in the host if possible. Throws `TypeError` for an invalid endpoint.
 */
export function storageAddress(
  bucket: string,
  endpoint: string | undefined,
  preferHost = endpoint === undefined,
): StorageAddress {
  const url = new URL(endpoint ?? 'https://s3.us-east-1.amazonaws.com');
  const inHost = preferHost && bucketHostLabel.test(bucket) && !hostWithoutPrefix.test(url.hostname);
  const secure = url.protocol === 'https:';
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  const bucketPrefix = inHost ? `${bucket}.` : '';
  return {
    secure,
    hostname: bucketPrefix + url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 443 : 80),
    host: bucketPrefix + url.host,
    base: inHost ? path : `${path}${encodeSegment(bucket)}/`,
  };
}

/**
 * Returns why this storage address is refused, or null. A service on the internet could make Tilelift write
 * to local programs, and without TLS the network sees token and data. Throws `TypeError` for an
 * invalid endpoint.
 */
export function refuseStorageAddress(
  { bucket, endpoint }: Pick<UploadLocation, 'bucket' | 'endpoint'>,
  serviceUrl: string,
  allowsPlain: boolean | 'private',
): TileliftError | null {
  if (endpoint === undefined) return null;
  const subject = new URL(endpoint).origin;
  const { hostname: service } = new URL(serviceUrl);
  for (const { hostname, host, secure } of [false, true].map((putsBucketInHost) =>
    storageAddress(bucket, endpoint, putsBucketInHost),
  )) {
    if (isMorePrivate(hostname, service)) return new TileliftError('storage-private', { subject });
    const isAllowed = allowsPlain === 'private' ? isPrivateHost(hostname) : allowsPlain;
    if (!secure && !isAllowed && !isLoopback(`http://${host}`))
      return new TileliftError('storage-plain', { subject });
  }
  return null;
}

/** For Signature Version 4 (RFC 3986, unreserved kept). */
export function encodeKey(key: string): string {
  return key.split('/').map(encodeSegment).join('/');
}

/** Throws `URIError` for a lone surrogate. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
