import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { HttpHandlerOptions, HttpRequest, HttpResponse, RequestHandler } from '@smithy/types';
import { provesDocument, provesObject, provesRemoval } from '../service/who-answered.ts';
import { bareEtag } from './etag.ts';
import type { RequestOptions, Storage, StoredPart } from './storage.ts';
import { encodeSegment } from './storage-address.ts';
import { type CallAnswer, foreignKeys, foreignSuccess, refusalOf } from './storage-answer.ts';
import { StorageError } from './storage-error.ts';
import type { StorageFacts } from './storage-facts.ts';

/** Any request to storage but one that carries a part. */
export interface StorageCall {
  readonly method: string;
  /** Below the bucket, percent-encoded. */
  readonly path: string;
  /** Sorted by name and percent-encoded, without its `?`; empty for none. */
  readonly query: string;
  /** XML; null for none. */
  readonly body: string | null;
  /** How long its answer may give no byte once it has left whole, ms. Null: as long as any other. */
  readonly answerMs: number | null;
}

export interface ControlRequestsOptions {
  /** Of the upload location. */
  readonly prefix: string;
  /** Our connections: make the request, whatever comes back. */
  readonly send: (call: StorageCall, options: RequestOptions) => Promise<CallAnswer>;
  readonly facts: () => Pick<StorageFacts, 'etags'>;
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
  /** How long the answer to completing an upload may give no byte. */
  readonly completeMs: number;
}

/** The requests about an upload that carry none of its bytes. */
export type ControlRequests = Pick<
  Storage,
  'createMultipartUpload' | 'listParts' | 'completeMultipartUpload' | 'abortMultipartUpload' | 'headObject'
>;

/**
 * What the SDK knows in place of the real endpoint and bucket: our connections put a request where it
 * belongs, and sign it there.
 */
const standIn = { endpoint: 'https://storage.invalid', bucket: 'bucket' };

/**
 * Put together by the SDK, sent by our connections. Loaded with the first of these requests: the SDK is
 * large, and many uploads need none of them.
 */
export function createControlRequests(options: ControlRequestsOptions): ControlRequests {
  const { prefix, facts, completeMs } = options;
  const client = new S3Client(configOf(options));
  const place = (key: string) => ({ Bucket: standIn.bucket, Key: prefix + key });

  /** Sends one command; what it throws but for `StorageError` is an answer that the SDK could not read. */
  async function exchange<T>(
    request: RequestOptions | undefined,
    proves: (answer: CallAnswer) => boolean,
    send: (exchange: Exchange) => Promise<T>,
    answerMs: number | null = null,
  ): Promise<T & { readonly raw: CallAnswer }> {
    const own = new Exchange(request ?? {}, proves, answerMs);
    try {
      const output = await send(own);
      return { ...output, raw: own.answered };
    } catch (thrown) {
      request?.signal?.throwIfAborted();
      if (thrown instanceof StorageError || !own.answer) throw thrown;
      throw new StorageError({ ...foreignSuccess(own.answer) }, thrown);
    }
  }

  async function listPage(key: string, uploadId: string, marker: string | null, request?: RequestOptions) {
    const input = {
      ...place(key),
      UploadId: uploadId,
      ...(marker === null ? {} : { PartNumberMarker: marker }),
    };
    const { IsTruncated, NextPartNumberMarker, Parts, raw } = await exchange(
      request,
      ({ body }) => provesDocument(body, 'ListPartsResult'),
      (own) => client.send(new ListPartsCommand(input), own),
    );
    const parts = (Parts ?? []).map(({ PartNumber: number, Size: size, ETag: etag }): StoredPart => {
      if (!number || size === undefined || !etag) throw new StorageError(foreignSuccess(raw));
      return { number, size, etag: bareEtag(etag) };
    });
    return { parts, truncated: IsTruncated === true, next: NextPartNumberMarker ?? null };
  }

  return {
    createMultipartUpload: async (key, request) => {
      const { UploadId, raw } = await exchange(
        request,
        ({ body }) => provesDocument(body, 'InitiateMultipartUploadResult'),
        (own) => client.send(new CreateMultipartUploadCommand(place(key)), own),
      );
      if (!UploadId) throw new StorageError(foreignSuccess(raw));
      return UploadId;
    },

    listParts: async (key, uploadId, request) => {
      const found: StoredPart[] = [];
      for (let at = 0; ; ) {
        const page = await listPage(key, uploadId, at === 0 ? null : String(at), request);
        found.push(...page.parts);
        if (!page.truncated) return found;
        const next = Math.max(Number(page.next) || 0, ...page.parts.map(({ number }) => number));
        // A page that leads no further would be asked for without end.
        if (next <= at) throw new StorageError({ status: 200, heard: true, code: 'EndlessListing' });
        at = next;
      }
    },

    completeMultipartUpload: async (key, uploadId, parts, request) => {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: `"${etag}"` }));
      const input = { ...place(key), UploadId: uploadId, MultipartUpload: { Parts } };
      const { ETag, raw } = await exchange(
        request,
        ({ body }) => provesDocument(body, 'CompleteMultipartUploadResult'),
        (own) => client.send(new CompleteMultipartUploadCommand(input), own),
        completeMs,
      );
      const comparable = facts().etags === 'md5' && !foreignKeys(raw.headers);
      return { etag: bareEtag(ETag ?? '') || null, comparable };
    },

    abortMultipartUpload: async (key, uploadId, request) => {
      await exchange(
        request,
        (answer) => provesRemoval(answer, answer.body),
        (own) => client.send(new AbortMultipartUploadCommand({ ...place(key), UploadId: uploadId }), own),
      );
    },

    headObject: async (key, request) => {
      const { ContentLength, ETag, raw } = await exchange(
        request,
        ({ headers }) => provesObject(headers, bareEtag(headers.etag ?? ''), request?.ours ?? null),
        (own) => client.send(new HeadObjectCommand(place(key)), own),
      );
      const comparable = facts().etags !== 'other' && !foreignKeys(raw.headers);
      return { etag: bareEtag(ETag ?? '') || null, comparable, size: ContentLength ?? 0 };
    },
  };
}

/** What goes with one command through the SDK to our connections, and what came back. */
class Exchange implements HttpHandlerOptions {
  /** Ours ends a request only when nothing of it is on the wire any more. */
  declare readonly abortSignal?: never;
  readonly options: RequestOptions;
  readonly proves: (answer: CallAnswer) => boolean;
  readonly answerMs: number | null;
  answer: CallAnswer | null = null;

  constructor(options: RequestOptions, proves: Exchange['proves'], answerMs: number | null) {
    this.options = options;
    this.proves = proves;
    this.answerMs = answerMs;
  }

  get answered(): CallAnswer {
    if (!this.answer) throw new Error('nothing has been sent');
    return this.answer;
  }
}

type Handle = RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions>['handle'];

/** Independent of variables and of other programs' files. Retries, clock and signature are ours. */
function configOf({ send, now }: ControlRequestsOptions): S3ClientConfig {
  const handle: Handle = async ({ method, path, query, body }, exchange) => {
    if (!(exchange instanceof Exchange)) throw new Error('a command without its exchange');
    const call = {
      method,
      path: path.slice(`/${standIn.bucket}/`.length),
      query: encodeQuery(query),
      body: typeof body === 'string' ? body : null,
      answerMs: exchange.answerMs,
    };
    const answer = await send(call, exchange.options);
    exchange.answer = answer;
    const fault = refusalOf(answer, method, now());
    if (fault) throw new StorageError(fault);
    if (!exchange.proves(answer)) throw new StorageError(foreignSuccess(answer));
    // Before a document S3 sends white space to keep a connection alive.
    const response = {
      statusCode: answer.status,
      headers: flat(answer),
      body: Buffer.from(answer.body.trim()),
    };
    return { response };
  };
  return {
    region: 'us-east-1',
    endpoint: standIn.endpoint,
    forcePathStyle: true,
    credentials: { accessKeyId: 'ours', secretAccessKey: 'ours' },
    signer: { sign: async (request) => request },
    requestHandler: { handle, updateHttpClientConfig: () => {}, httpHandlerConfigs: () => ({}) },
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    useArnRegion: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    disableS3ExpressSessionAuth: true,
    disableMultiregionAccessPoints: true,
    userAgentAppId: '',
  };
}

function encodeQuery(query: Readonly<Record<string, string | readonly string[] | null>> = {}): string {
  return Object.entries(query)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(String(value ?? ''))}`)
    .join('&');
}

function flat({ headers }: CallAnswer): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
