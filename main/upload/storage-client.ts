import { type NetworkWay, straightWay } from '../outside.ts';
import type { UploadLocation } from '../service/model.ts';
import { foreignKeys, refusalOf } from './call-answer.ts';
import { bareEtag } from './etag.ts';
import { completionBody, readEtag, readPartsPage, readUploadId } from './multipart-xml.ts';
import { usualReadStallMs } from './stalled-read.ts';
import type { RequestOptions, Storage, StorageAnswer, StoredPart } from './storage.ts';
import { storageAddress } from './storage-address.ts';
import type { CallAnswer, StorageCall } from './storage-call.ts';
import { StorageError } from './storage-error.ts';
import { StorageRoute } from './storage-route.ts';
import { type Throttle, unlimitedTokens } from './throttle.ts';
import { trustedAuthorities } from './trusted-authorities.ts';
import { UploadWorkers } from './upload-workers.ts';

export interface StorageClientOptions {
  /** A request that moves no byte for this long is dropped. */
  readonly stallMs?: number;
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
  /** Proxies on the way. Default: none. */
  readonly way?: NetworkWay;
  /** Certificate authorities to trust besides Node's own and the system's, PEM. */
  readonly ca?: readonly string[];
}

const usualStallMs = 30_000;
const workerSource = new URL('./upload-worker.ts', import.meta.url);
const noThrottle: Throttle = { tokens: unlimitedTokens(), open: () => () => {} };

/**
 * Storage as S3 is spoken: SigV4, us-east-1, session token, `Content-MD5` for integrity and no checksum mode that S3-compatible stores refuse or
 * ignore (service-facts.md). Requests are made by worker threads. Throws `TypeError` when the location's endpoint is no address.
 */
export function createStorageClient(location: UploadLocation, options: StorageClientOptions = {}): Storage {
  const { endpoint } = location;
  const { now = Date.now, stallMs = usualStallMs, readStallMs = usualReadStallMs } = options;
  const address = storageAddress(location.bucket, endpoint);
  const workers = new UploadWorkers({
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

  const route = new StorageRoute({
    origin: `${address.secure ? 'https' : 'http'}://${address.host}`,
    way: options.way ?? straightWay,
    now,
  });

  async function call(request: StorageCall, options: RequestOptions = {}): Promise<CallAnswer> {
    const answer = await route.take((proxy) => workers.call(request, proxy, options), options.signal);
    const fault = refusalOf(answer, now());
    if (fault) throw new StorageError(fault);
    return answer;
  }

  return {
    name: endpoint ? new URL(endpoint).host : 'Amazon S3',

    sendPart: (order, options = {}) =>
      route.take((proxy) => workers.send(order, proxy, options), options.signal),

    hashPart: (order, options = {}) => workers.hash(order, options),

    createMultipartUpload: async (key, options) =>
      readUploadId(await call({ method: 'POST', key, query: [['uploads', '']], body: null }, options)),

    listParts: async (key, uploadId, options) => {
      const found: StoredPart[] = [];
      let marker: string | null = null;
      do {
        const from: [string, string][] = marker ? [['part-number-marker', marker]] : [];
        const query = [...from, ['uploadId', uploadId]] as const satisfies StorageCall['query'];
        const page = readPartsPage(await call({ method: 'GET', key, query, body: null }, options));
        found.push(...page.parts);
        marker = page.next;
      } while (marker);
      return found;
    },

    completeMultipartUpload: async (key, uploadId, parts, options) => {
      const body = completionBody(parts);
      const answer = await call({ method: 'POST', key, query: [['uploadId', uploadId]], body }, options);
      return answerOf(answer, readEtag(answer));
    },

    abortMultipartUpload: async (key, uploadId, options) => {
      await call({ method: 'DELETE', key, query: [['uploadId', uploadId]], body: null }, options);
    },

    headObject: async (key, options) => {
      const answer = await call({ method: 'HEAD', key, query: [], body: null }, options);
      const size = Number(answer.headers['content-length'] ?? 0);
      return { ...answerOf(answer, answer.headers.etag ?? ''), size };
    },

    renewConnections: () => workers.renewConnections(),

    close: () => workers.close(),
  };
}

function answerOf({ headers }: CallAnswer, etag: string): StorageAnswer {
  return { etag: bareEtag(etag) || null, comparable: !foreignKeys(headers) };
}
