import { Agent } from 'node:https';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { UploadLocation } from '../service/model.ts';
import { bareEtag } from './etag.ts';
import type { RequestOptions, Storage, StorageAnswer, StoredPart } from './storage.ts';
import { StorageError } from './storage-error.ts';
import { readStorageFault } from './storage-fault.ts';
import { type Throttle, unlimitedTokens } from './throttle.ts';
import { trustFor } from './trusted-authorities.ts';
import { UploadWorkers } from './upload-workers.ts';

export interface StorageClientOptions {
  /** A request that moves no byte for this long is dropped. */
  readonly stallMs?: number;
  /** Wall clock, ms since the epoch, for a `Retry-After` that is a date. Default: the machine's. */
  readonly now?: () => number;
  /** The file that worker threads run. Default: the source, for plain Node. */
  readonly worker?: URL;
  /** Worker threads. Default: one for each core, four at most. */
  readonly workers?: number;
  /** The budget of bytes that all uploads share. Default: no limit. */
  readonly throttle?: Throttle;
  /** Certificate authorities to trust besides Node's own and the system's, PEM. */
  readonly ca?: readonly string[];
}

const workerSource = new URL('./upload-worker.ts', import.meta.url);
const noThrottle: Throttle = { tokens: unlimitedTokens(), open: () => () => {} };

const usualStallMs = 30_000;
const connectMs = 10_000;

/**
 * Parts through worker threads (`upload-workers.ts`), all else as the AWS SDK speaks it: SigV4, us-east-1, session token. The SDK's own retries are off, since ours know more (credential life,
 * confirmed parts), and so are its checksums, which S3-compatible stores refuse or ignore: `Content-MD5` is what they verify (service-facts.md).
 */
export function createStorageClient(location: UploadLocation, options: StorageClientOptions = {}): Storage {
  const { bucket, prefix, endpoint } = location;
  const { now = Date.now, stallMs = usualStallMs, ca = [] } = options;
  const guard = guardWith(now);
  const client = new S3Client({
    region: 'us-east-1',
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: {
      accessKeyId: location.accessKey,
      secretAccessKey: location.secretAccessKey,
      sessionToken: location.sessionToken,
    },
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: connectMs,
      socketTimeout: stallMs,
      ...(endpoint?.startsWith('http:') ? {} : { httpsAgent: trustingAgent(ca) }),
    }),
  });
  const workers = new UploadWorkers({
    address: options.worker ?? workerSource,
    setup: { location, stallMs, ca },
    throttle: options.throttle ?? noThrottle,
    ...(options.workers === undefined ? {} : { count: options.workers }),
  });
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key });

  async function list(key: string, uploadId: string, { signal }: RequestOptions): Promise<StoredPart[]> {
    const found: StoredPart[] = [];
    let marker: string | undefined;
    do {
      const command = new ListPartsCommand({ ...at(key), UploadId: uploadId, PartNumberMarker: marker });
      const page = await client.send(command, { abortSignal: signal });
      for (const { PartNumber, Size, ETag } of page.Parts ?? []) {
        if (PartNumber !== undefined && Size !== undefined && ETag) {
          found.push({ number: PartNumber, size: Size, etag: bareEtag(ETag) });
        }
      }
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (marker);
    return found;
  }

  return {
    name: endpoint ? new URL(endpoint).host : 'Amazon S3',

    sendPart: (order, options = {}) => workers.send(order, options),

    createMultipartUpload: (key, { signal } = {}) =>
      guard(signal, async () => {
        const answer = await client.send(new CreateMultipartUploadCommand(at(key)), { abortSignal: signal });
        if (!answer.UploadId) throw new StorageError({ status: 200, message: 'No upload id in the answer.' });
        return answer.UploadId;
      }),

    listParts: (key, uploadId, options = {}) => guard(options.signal, () => list(key, uploadId, options)),

    completeMultipartUpload: (key, uploadId, parts, { signal } = {}) =>
      guard(signal, async () => {
        const command = new CompleteMultipartUploadCommand({
          ...at(key),
          UploadId: uploadId,
          MultipartUpload: {
            Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: `"${etag}"` })),
          },
        });
        return answerOf(await client.send(command, { abortSignal: signal }));
      }),

    abortMultipartUpload: (key, uploadId, { signal } = {}) =>
      guard(signal, async () => {
        await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId }), {
          abortSignal: signal,
        });
      }),

    headObject: (key, { signal } = {}) =>
      guard(signal, async () => {
        const answer = await client.send(new HeadObjectCommand(at(key)), { abortSignal: signal });
        return { ...answerOf(answer), size: answer.ContentLength ?? 0 };
      }),

    close: () => {
      workers.close();
      client.destroy();
    },
  };
}

function trustingAgent(ca: readonly string[]): Agent {
  const secureContext = trustFor(undefined, ca);
  return new Agent({ keepAlive: true, ...(secureContext ? { secureContext } : {}) });
}

/** Runs a request; whatever it throws becomes the signal's reason or a `StorageError`. */
function guardWith(now: () => number) {
  return async <T>(signal: AbortSignal | undefined, request: () => Promise<T>): Promise<T> => {
    try {
      signal?.throwIfAborted();
      return await request();
    } catch (thrown) {
      signal?.throwIfAborted();
      throw thrown instanceof StorageError
        ? thrown
        : new StorageError(readStorageFault(thrown, now()), thrown);
    }
  };
}

/** With keys of storage's own (SSE-KMS, SSE-C) the ETag has an MD5's shape and is none. */
function answerOf(answer: {
  ETag?: string;
  ServerSideEncryption?: string;
  SSECustomerAlgorithm?: string;
}): StorageAnswer {
  const etag = bareEtag(answer.ETag ?? '');
  const foreignKey = answer.ServerSideEncryption?.startsWith('aws:') || answer.SSECustomerAlgorithm;
  return { etag: etag || null, comparable: !foreignKey };
}
