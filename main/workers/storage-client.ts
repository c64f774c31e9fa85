import { defaultReadStallMs } from '../files/stalled-read.ts';
import { directRoute, type NetworkWay } from '../ports.ts';
import type { UploadLocation } from '../service/model.ts';
import { waitLimits } from '../service/wait-limits.ts';
import { trustedAuthorities } from '../storage/authorities.ts';
import { ChecksumMemory } from '../storage/checksum-memory.ts';
import type { ControlRequests } from '../storage/control-requests.ts';
import type { Storage } from '../storage/storage.ts';
import { storageAddress } from '../storage/storage-address.ts';
import { StorageRoute } from '../storage/storage-route.ts';
import { type Throttle, unlimitedTokens } from '../storage/throttle.ts';
import { prepareThreads, UploadThreads } from './upload-threads.ts';

/** Options of a storage client; each has a default. */
export interface StorageClientOptions {
  readonly stallMs?: number;
  /** Moving the bytes takes storage minutes. */
  readonly completeMs?: number;
  readonly readStallMs?: number;
  /** For dates in `Retry-After`. */
  readonly currentTime?: () => number;
  /** Default: the source, for plain Node. */
  readonly worker?: URL;
  /** Default: one per core, at most four. */
  readonly workers?: number;
  readonly throttle?: Throttle;
  readonly memory?: ChecksumMemory;
  /** Default: direct. */
  readonly way?: NetworkWay;
  /** Additional authorities, PEM. */
  readonly ca?: readonly string[];
}

const workerSource = new URL('./upload-worker.ts', import.meta.url);
const noThrottle: Throttle = { tokens: unlimitedTokens(), openThrottle: () => () => {} };

/** Starts threads while a source is inspected; they wait ten seconds. */
export function prepareUpload(worker: URL = workerSource): void {
  prepareThreads(worker);
}

/**
 * SigV4, us-east-1, session token; integrity by CRC32 if this storage compares it, else `Content-MD5`
 * (service-facts.md). Worker threads send all requests; the SDK builds those without parts (decision 005).
 * Throws `TypeError` for an invalid endpoint.
 */
export function createStorageClient(location: UploadLocation, options: StorageClientOptions = {}): Storage {
  const { endpoint } = location;
  const {
    currentTime: nowMs = Date.now,
    stallMs = waitLimits.stall,
    readStallMs = defaultReadStallMs,
  } = options;
  const address = storageAddress(location.bucket, endpoint);
  const threads = new UploadThreads({
    address: options.worker ?? workerSource,
    setup: {
      location,
      stallMs,
      readStallMs,
      ca: address.secure ? trustedAuthorities(options.ca ?? []) : null,
    },
    throttle: options.throttle ?? noThrottle,
    ...(options.workers === undefined ? {} : { count: options.workers }),
  });

  const { memory = new ChecksumMemory() } = options;
  const store = `${address.host} ${location.bucket}`;
  memory.recall(store, threads.facts, nowMs());

  const route = new StorageRoute({
    origin: `${address.secure ? 'https' : 'http'}://${address.host}`,
    way: options.way ?? directRoute,
    currentTime: nowMs,
  });

  let requests: Promise<ControlRequests> | undefined;
  const control = (): Promise<ControlRequests> => {
    if (!requests) threads.start();
    requests ??= import('../storage/control-requests.ts').then(({ createControlRequests }) =>
      createControlRequests({
        prefix: location.prefix,
        send: (call, callOptions) =>
          route.tryRoutes(
            (proxy) => threads.ask({ kind: 'call', input: call, proxy }, callOptions),
            callOptions.signal,
          ),
        facts: () => threads.facts,
        currentTime: nowMs,
        completeMs: options.completeMs ?? waitLimits.completion,
      }),
    );
    return requests;
  };

  return {
    name: endpoint ? new URL(endpoint).host : 'Amazon S3',
    roundTripMs: () => threads.facts.roundTripMs,
    sendPart: (order, partOptions = {}) =>
      route.tryRoutes(
        (proxy) => threads.ask({ kind: 'part', input: order, proxy }, partOptions),
        partOptions.signal,
      ),
    hashPart: (order, partOptions = {}) =>
      threads.ask({ kind: 'hash', input: order, proxy: null }, partOptions),
    createMultipartUpload: async (...args) => (await control()).createMultipartUpload(...args),
    listParts: async (...args) => (await control()).listParts(...args),
    completeMultipartUpload: async (...args) => (await control()).completeMultipartUpload(...args),
    abortMultipartUpload: async (...args) => (await control()).abortMultipartUpload(...args),
    headObject: async (...args) => (await control()).headObject(...args),
    skewMs: () => threads.facts.skewMs,
    renewConnections: () => threads.renewConnections(),
    close: () => {
      memory.note(store, threads.facts, nowMs());
      threads.close();
    },
  };
}
