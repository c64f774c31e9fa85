import { type LookupAddress, lookup } from 'node:dns';
import { request } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { TileliftError } from '../errors.ts';
import type { Fetch } from '../ports.ts';
import type { ServiceAddress } from './model.ts';
import { isPlainElsewhere, isPrivateHost } from './service-address.ts';

/** Returns all addresses of a name. */
type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

const systemResolve: Resolve = (hostname) => promisify(lookup)(hostname, { all: true });

/**
 * Checks both addresses: the browser opens the second one itself.
 * @throws TileliftError `service-not-private`, `service-unreachable`
 */
export async function checkPlainAddresses(
  { baseUrl, authUrl }: ServiceAddress,
  resolve: Resolve = systemResolve,
): Promise<void> {
  for (const address of [baseUrl, authUrl].filter(isPlainElsewhere)) await privateAddresses(address, resolve);
}

/**
 * Sends http requests to other computers itself: without a proxy, and only if each address of the name is
 * private when it connects (a check before the request could be outrun by DNS rebinding).
 */
export function fetchPrivately(fetch: Fetch, resolve: Resolve = systemResolve): Fetch {
  return (input, init = {}) =>
    isPlainElsewhere(input) ? fetchPlain(input, init, resolve) : fetch(input, init);
}

function fetchPlain(input: string | URL, init: RequestInit, resolve: Resolve): Promise<Response> {
  const url = new URL(input);
  const lookupPrivate: LookupFunction = (_, options, callback) => {
    privateAddresses(url, resolve).then(
      ([firstAddress, ...otherAddresses]) =>
        options.all
          ? callback(null, [firstAddress, ...otherAddresses])
          : callback(null, firstAddress.address, firstAddress.family),
      (error: Error) => callback(error, []),
    );
  };
  return new Promise((answer, reject) => {
    const outgoing = request(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      lookup: lookupPrivate,
      // The default agent may use a proxy, which would resolve the name.
      agent: false,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const headers = new Headers();
      for (const [name, values = []] of Object.entries(response.headersDistinct))
        for (const value of values) headers.append(name, value);
      const { statusCode: status = 0 } = response;
      const hasBody = status !== 204 && status !== 304;
      if (!hasBody) response.resume();
      answer(
        new Response(hasBody ? (Readable.toWeb(response) as ReadableStream) : null, { status, headers }),
      );
    });
    outgoing.end(init.body);
  });
}

/** @throws TileliftError */
async function privateAddresses(
  address: string | URL,
  resolve: Resolve,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const { hostname, origin: subject } = new URL(address);
  const addresses = await resolve(hostname.replace(/^\[|\]$/g, '')).catch((cause: unknown) => {
    throw new TileliftError('service-unreachable', { subject, cause });
  });
  const [firstAddress, ...otherAddresses] = addresses;
  if (firstAddress === undefined) throw new TileliftError('service-unreachable', { subject });
  if (!addresses.every((entry) => isPrivateHost(entry.address)))
    throw new TileliftError('service-not-private', { subject });
  return [firstAddress, ...otherAddresses];
}
