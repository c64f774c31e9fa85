import { defaultReadStallMs } from '../files/stalled-read.ts';
import { directRoute, type NetworkWay } from '../outside.ts';
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

export interface StorageClientOptions {
  /** A request that moves no byte for this long is dropped. */
  readonly stallMs?: number;
  /** The same for the answer to completing an upload, which takes storage minutes if it moves the bytes. */
  readonly completeMs?: number;
  /** A drive that moves no byte for this long is given up, ms. */
  readonly readStallMs?: number;
  /** Wall clock, ms since the epoch, for a `Retry-After` that is a date. Default: the machine's. */
  readonly now?: () => number;
  /** The file that worker threads run. Default: the source, for plain Node. */
  readonly worker?: URL;
  /** Worker threads. Default: one for each core, four at most. */
  readonly workers?: number;
  /** The budget of bytes that all uploads share. Default: no limit. */
  readonly throttle?: Throttle;
  /** What other uploads have found out. Default: nothing. */
  readonly memory?: ChecksumMemory;
  /** Proxies on the way. Default: none. */
  readonly way?: NetworkWay;
  /** Certificate authorities to trust besides Node's own and the system's, PEM. */
  readonly ca?: readonly string[];
}

const workerSource = new URL('./upload-worker.ts', import.meta.url);
const noThrottle: Throttle = { tokens: unlimitedTokens(), open: () => () => {} };

/**
 * An upload begins soon: while its source is looked through and its asset is made, its threads begin. They
 * wait ten seconds for it.
 *
 * @param worker the file that they run. Default: the source, for plain Node
 */
export function prepareUpload(worker: URL = workerSource): void {
  prepareThreads(worker);
}

/**
 * Storage as S3 is spoken: SigV4, us-east-1, session token; for integrity a CRC32 where this storage has
 * shown that it compares it, else `Content-MD5`, which all do (service-facts.md). All requests are made by
 * worker threads; those without parts are put together by the SDK (decision 005). Throws `TypeError` when the
 * location's endpoint is no address.
 */
export function createStorageClient(location: UploadLocation, options: StorageClientOptions = {}): Storage {
  const { endpoint } = location;
  const { now = Date.now, stallMs = waitLimits.stall, readStallMs = defaultReadStallMs } = options;
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
  memory.recall(store, threads.facts, now());

  const route = new StorageRoute({
    origin: `${address.secure ? 'https' : 'http'}://${address.host}`,
    way: options.way ?? directRoute,
    now,
  });

  let requests: Promise<ControlRequests> | undefined;
  const control = (): Promise<ControlRequests> => {
    // The threads start while the SDK is loaded.
    if (!requests) threads.start();
    requests ??= import('../storage/control-requests.ts').then(({ createControlRequests }) =>
      createControlRequests({
        prefix: location.prefix,
        send: (what, given) =>
          route.take((proxy) => threads.ask({ kind: 'call', what, proxy }, given), given.signal),
        facts: () => threads.facts,
        now,
        completeMs: options.completeMs ?? waitLimits.completion,
      }),
    );
    return requests;
  };

  return {
    name: endpoint ? new URL(endpoint).host : 'Amazon S3',
    roundTripMs: () => threads.facts.roundTripMs,
    sendPart: (what, given = {}) =>
      route.take((proxy) => threads.ask({ kind: 'part', what, proxy }, given), given.signal),
    hashPart: (what, given = {}) => threads.ask({ kind: 'hash', what, proxy: null }, given),
    createMultipartUpload: async (...given) => (await control()).createMultipartUpload(...given),
    listParts: async (...given) => (await control()).listParts(...given),
    completeMultipartUpload: async (...given) => (await control()).completeMultipartUpload(...given),
    abortMultipartUpload: async (...given) => (await control()).abortMultipartUpload(...given),
    headObject: async (...given) => (await control()).headObject(...given),
    skewMs: () => threads.facts.skewMs,
    renewConnections: () => threads.renewConnections(),
    close: () => {
      memory.note(store, threads.facts, now());
      threads.close();
    },
  };
}
