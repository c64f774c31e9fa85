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
import { hasStorageMark, provesDocument, provesObject, provesRemoval } from '../service/who-answered.ts';
import { crc32Of, crc32Text, parseCrc32 } from './crc32.ts';
import { bareEtag, multipartEtag } from './etag.ts';
import { partsDocument } from './parts-document.ts';
import type { BegunUpload, CompletedObject, RequestOptions, Storage, StoredPart } from './storage.ts';
import { encodeSegment } from './storage-address.ts';
import {
  type CallAnswer,
  foreignKeys,
  foreignSuccess,
  refusalOf,
  refusesChecksums,
} from './storage-answer.ts';
import { StorageError } from './storage-error.ts';
import type { StorageFacts } from './storage-facts.ts';

/** Any request to storage but one that carries a part. */
export interface StorageCall {
  readonly method: string;
  /** Below the bucket, percent-encoded. */
  readonly path: string;
  /** Sorted by name and percent-encoded, without its `?`; empty for none. */
  readonly query: string;
  /** To be signed and sent, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
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
  readonly facts: () => StorageFacts;
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
    given: Partial<Pick<Exchange, 'answerMs' | 'document'>> = {},
  ): Promise<T & { readonly raw: CallAnswer }> {
    const own = new Exchange(request ?? {}, proves, given);
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
    const parts = (Parts ?? []).map(
      ({ PartNumber: number, Size: size, ETag: etag, ChecksumCRC32 }): StoredPart => {
        if (!number || size === undefined || !etag) throw new StorageError(foreignSuccess(raw));
        return withCrc32({ number, size, etag: bareEtag(etag) }, parseCrc32(ChecksumCRC32));
      },
    );
    return { parts, truncated: IsTruncated === true, next: NextPartNumberMarker ?? null };
  }

  async function create(key: string, declares: boolean, request?: RequestOptions): Promise<BegunUpload> {
    const input = {
      ...place(key),
      ...(declares ? { ChecksumAlgorithm: 'CRC32' as const, ChecksumType: 'FULL_OBJECT' as const } : {}),
    };
    const { UploadId, ChecksumType, raw } = await exchange(
      request,
      ({ body }) => provesDocument(body, 'InitiateMultipartUploadResult'),
      (own) => client.send(new CreateMultipartUploadCommand(input), own),
    );
    if (!UploadId) throw new StorageError(foreignSuccess(raw));
    const whole = ChecksumType === 'FULL_OBJECT';
    return { uploadId: UploadId, checksum: !declares ? null : whole ? 'whole' : 'parts' };
  }

  /** @param named the same parts with their CRC32s, to be compared; null leaves these out */
  async function complete(
    key: string,
    { uploadId, checksum }: BegunUpload,
    parts: readonly StoredPart[],
    named: readonly KnownPart[] | null,
    request?: RequestOptions,
  ): Promise<CompletedObject> {
    const whole = named && checksum === 'whole' ? crc32Text(crc32Of(named)) : null;
    const input = {
      ...place(key),
      UploadId: uploadId,
      ...(whole === null ? {} : { ChecksumCRC32: whole, ChecksumType: 'FULL_OBJECT' as const }),
    };
    const { ETag, ChecksumCRC32, raw } = await exchange(
      request,
      ({ body }) => provesDocument(body, 'CompleteMultipartUploadResult'),
      (own) => client.send(new CompleteMultipartUploadCommand(input), own),
      { answerMs: completeMs, document: partsDocument(parts, named !== null) },
    );
    // Of the parts' checksums it is another one, with their number at its end.
    const theirs = parseCrc32(ChecksumCRC32);
    if (whole !== null && theirs !== null && crc32Text(theirs) !== whole)
      throw new StorageError({
        status: raw.status,
        heard: true,
        code: 'BadDigest',
        message: 'The confirmed CRC32 of the whole differs from ours.',
      });
    const etag = bareEtag(ETag ?? '') || null;
    return { etag, isUnexpected: isUnexpected(etag, parts, raw) };
  }

  function isUnexpected(etag: string | null, parts: readonly StoredPart[], { headers }: CallAnswer): boolean {
    const ours = multipartEtag(parts.map((part) => part.etag));
    const known = facts();
    if (ours === null || etag === null || known.etags !== 'md5' || foreignKeys(headers)) return false;
    const isNew = known.composites !== 'other';
    const differs = etag.toLowerCase() !== ours;
    known.sawComposite(differs ? 'other' : 'aws');
    return differs && isNew;
  }

  return {
    createMultipartUpload: async (key, request) => {
      if (facts().checksums('part') === 'ignored') return create(key, false, request);
      try {
        return await create(key, true, request);
      } catch (thrown) {
        if (!refusedChecksums(thrown)) throw thrown;
        const upload = await create(key, false, request);
        facts().sawChecksum('part', 'ignored');
        return upload;
      }
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

    completeMultipartUpload: async (key, upload, parts, request) => {
      const known = upload.checksum === null ? null : withAllCrc32s(parts);
      let refusal: unknown;
      for (const named of known ? [known, null] : [null]) {
        try {
          return await complete(key, upload, parts, named, request);
        } catch (thrown) {
          if (upload.checksum === null || !refusedChecksums(thrown)) throw thrown;
          facts().sawChecksum('part', 'ignored');
          refusal = thrown;
        }
      }
      // It can't be completed as it was declared: another one is begun, without.
      throw new StorageError({ status: 400, heard: true, code: 'NoSuchUpload' }, refusal);
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
        ({ headers }) =>
          provesObject(headers, bareEtag(headers.etag ?? ''), {
            etag: request?.ours ?? null,
            size: facts().answersUnmarked ? (request?.size ?? null) : null,
          }),
        (own) => client.send(new HeadObjectCommand(place(key)), own),
      );
      const comparable = facts().composites === 'aws' && !foreignKeys(raw.headers);
      return { etag: bareEtag(ETag ?? '') || null, comparable, size: ContentLength ?? 0 };
    },
  };
}

function withCrc32(part: StoredPart, crc32: number | null): StoredPart {
  return crc32 === null ? part : { ...part, crc32 };
}

type KnownPart = StoredPart & { readonly crc32: number };

function refusedChecksums(thrown: unknown): boolean {
  return thrown instanceof StorageError && refusesChecksums(thrown.fault);
}

/** Null where one has none. */
function withAllCrc32s(parts: readonly StoredPart[]): readonly KnownPart[] | null {
  const all = parts.flatMap(({ crc32, ...part }) => (crc32 === undefined ? [] : { ...part, crc32 }));
  return all.length === parts.length ? all : null;
}

/** What goes with one command through the SDK to our connections, and what came back. */
class Exchange implements HttpHandlerOptions {
  /** Ours ends a request only when nothing of it is on the wire any more. */
  declare readonly abortSignal?: never;
  readonly options: RequestOptions;
  readonly proves: (answer: CallAnswer) => boolean;
  readonly answerMs: number | null;
  /** In place of what the SDK would write. */
  readonly document: string | null;
  answer: CallAnswer | null = null;

  constructor(
    options: RequestOptions,
    proves: Exchange['proves'],
    { answerMs = null, document = null }: Partial<Pick<Exchange, 'answerMs' | 'document'>>,
  ) {
    this.options = options;
    this.proves = proves;
    this.answerMs = answerMs;
    this.document = document;
  }

  get answered(): CallAnswer {
    if (!this.answer) throw new Error('nothing has been sent');
    return this.answer;
  }
}

type Handle = RequestHandler<HttpRequest, HttpResponse, HttpHandlerOptions>['handle'];

/** Independent of variables and of other programs' files. Retries, clock and signature are ours. */
function configOf({ send, facts, now }: ControlRequestsOptions): S3ClientConfig {
  const handle: Handle = async ({ method, path, query, headers, body }, exchange) => {
    if (!(exchange instanceof Exchange)) throw new Error('a command without its exchange');
    const call = {
      method,
      path: path.slice(`/${standIn.bucket}/`.length),
      query: encodeQuery(query),
      headers: ofChecksums(headers),
      body: exchange.document ?? (typeof body === 'string' ? body : null),
      answerMs: exchange.answerMs,
    };
    const answer = await send(call, exchange.options);
    exchange.answer = answer;
    const fault = refusalOf(answer, method, now());
    const isStorage = fault ? fault.heard === true : exchange.proves(answer);
    if (isStorage && answer.body !== '' && !hasStorageMark(answer.headers)) facts().sawUnmarkedDocument();
    if (fault) throw new StorageError(fault);
    if (!isStorage) throw new StorageError(foreignSuccess(answer));
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
    // Left out, they are looked for in ~/.aws.
    authSchemePreference: [],
    sigv4aSigningRegionSet: [],
    disableClockSkewCorrection: true,
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

/** What else the SDK sends is of no use here. */
function ofChecksums(headers: HttpRequest['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-amz-checksum-')));
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
