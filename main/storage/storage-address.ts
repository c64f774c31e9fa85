import { TileliftError } from '../errors.ts';
import type { UploadLocation } from '../service/model.ts';
import { isLoopback, isMorePrivate } from '../service/service-address.ts';

/** Where the objects of an upload location are on the network. */
export interface StorageAddress {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** As `Host` carries it: the port only where it is not the scheme's own. */
  readonly host: string;
  /** What stands before the key, percent-encoded, ending in `/`. */
  readonly base: string;
}

/** A bucket name that can be part of a host name covered by the store's certificate: no dots. */
const hostable = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/**
 * An IPv4 or IPv6 address, which no bucket goes before, or this computer's name: DNS may answer for names
 * below it.
 */
const undivided = /^(?:\d+(?:\.\d+){3}|\[.*\]|(?:.+\.)?localhost\.?)$/;

/**
 * With an endpoint: path-style below it. Without: where the SDK finds us-east-1 (contract 2.3). `preferHost`:
 * the bucket in the host, where it can be one. Throws `TypeError` for no address.
 */
export function storageAddress(
  bucket: string,
  endpoint: string | undefined,
  preferHost = endpoint === undefined,
): StorageAddress {
  const url = new URL(endpoint ?? 'https://s3.us-east-1.amazonaws.com');
  const inHost = preferHost && hostable.test(bucket) && !undivided.test(url.hostname);
  const secure = url.protocol === 'https:';
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  const before = inHost ? `${bucket}.` : '';
  return {
    secure,
    hostname: before + url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 443 : 80),
    host: before + url.host,
    base: inHost ? path : `${path}${encodeSegment(bucket)}/`,
  };
}

/**
 * Why storage may not be spoken to, null where it may: a service on the internet could have Tilelift write to
 * programs of this computer and its network, and without TLS, session token and data go to whoever listens on
 * the way. Both styles of address are checked. Throws `TypeError` for no address.
 *
 * @param serviceUrl of the service that named it
 * @param allowsPlain the person or the administrator allows it without TLS
 */
export function refuseStorageAddress(
  { bucket, endpoint }: Pick<UploadLocation, 'bucket' | 'endpoint'>,
  serviceUrl: string,
  allowsPlain: boolean,
): TileliftError | null {
  if (endpoint === undefined) return null;
  const subject = new URL(endpoint).origin;
  const { hostname: service } = new URL(serviceUrl);
  for (const { hostname, host, secure } of [false, true].map((is) => storageAddress(bucket, endpoint, is))) {
    if (isMorePrivate(hostname, service)) return new TileliftError('storage-private', { subject });
    if (!secure && !allowsPlain && !isLoopback(`http://${host}`))
      return new TileliftError('storage-plain', { subject });
  }
  return null;
}

/** A key as a path: each segment percent-encoded as Signature Version 4 asks (RFC 3986, unreserved kept). */
export function encodeKey(key: string): string {
  return key.split('/').map(encodeSegment).join('/');
}

/** Throws `URIError` for half a surrogate pair. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
