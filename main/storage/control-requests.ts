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

/** A request to storage without part data. */
export interface StorageCall {
  readonly method: string;
  /** Below the bucket, percent-encoded. */
  readonly path: string;
  /** Sorted by name and percent-encoded, without `?`. */
  readonly query: string;
  /** Signed; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Maximum silence (ms) after the request was sent. Null: the default. */
  readonly answerMs: number | null;
}

/** The dependencies of control requests. */
export interface ControlRequestsOptions {
  readonly prefix: string;
  readonly send: (call: StorageCall, options: RequestOptions) => Promise<CallAnswer>;
  readonly facts: () => StorageFacts;
  readonly currentTime: () => number;
  readonly completeMs: number;
}

/** The requests about an upload that carry no part data. */
export type ControlRequests = Pick<
  Storage,
  'createMultipartUpload' | 'listParts' | 'completeMultipartUpload' | 'abortMultipartUpload' | 'headObject'
>;

/** Placeholders for the SDK; our connections insert the real address and sign. */
const placeholder = { endpoint: 'https://storage.invalid', bucket: 'bucket' };

/** The SDK, loaded on demand, builds the requests; our connections send them. */
export function createControlRequests(options: ControlRequestsOptions): ControlRequests {
  const { prefix, facts, completeMs } = options;
  const client = new S3Client(configOf(options));
  const place = (key: string) => ({ Bucket: placeholder.bucket, Key: prefix + key });

  /** Sends one command. Errors other than `StorageError` mean that the SDK couldn't read the response. */
  async function exchange<T>(
    request: RequestOptions | undefined,
    isProof: (answer: CallAnswer) => boolean,
    send: (exchange: Exchange) => Promise<T>,
    overrides: Partial<Pick<Exchange, 'answerMs' | 'document'>> = {},
  ): Promise<T & { readonly rawAnswer: CallAnswer }> {
    const command = new Exchange(request ?? {}, isProof, overrides);
    try {
      const output = await send(command);
      return { ...output, rawAnswer: command.answered };
    } catch (error) {
      request?.signal?.throwIfAborted();
      if (error instanceof StorageError || !command.answer) throw error;
      throw new StorageError({ ...foreignSuccess(command.answer) }, error);
    }
  }

  async function listPage(key: string, uploadId: string, marker: string | null, request?: RequestOptions) {
    const input = {
      ...place(key),
      UploadId: uploadId,
      ...(marker === null ? {} : { PartNumberMarker: marker }),
    };
    const { IsTruncated, NextPartNumberMarker, Parts, rawAnswer } = await exchange(
      request,
      ({ body }) => provesDocument(body, 'ListPartsResult'),
      (command) => client.send(new ListPartsCommand(input), command),
    );
    const parts = (Parts ?? []).map(
      ({ PartNumber: number, Size: size, ETag: etag, ChecksumCRC32 }): StoredPart => {
        if (!number || size === undefined || !etag) throw new StorageError(foreignSuccess(rawAnswer));
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
    const { UploadId, ChecksumType, rawAnswer } = await exchange(
      request,
      ({ body }) => provesDocument(body, 'InitiateMultipartUploadResult'),
      (command) => client.send(new CreateMultipartUploadCommand(input), command),
    );
    if (!UploadId) throw new StorageError(foreignSuccess(rawAnswer));
    const isFullObject = ChecksumType === 'FULL_OBJECT';
    return { uploadId: UploadId, checksum: !declares ? null : isFullObject ? 'whole' : 'parts' };
  }

  async function complete(
    key: string,
    { uploadId, checksum }: BegunUpload,
    parts: readonly StoredPart[],
    partsWithCrc32: readonly KnownPart[] | null,
    request?: RequestOptions,
  ): Promise<CompletedObject> {
    const objectCrc32 = partsWithCrc32 && checksum === 'whole' ? crc32Text(crc32Of(partsWithCrc32)) : null;
    const input = {
      ...place(key),
      UploadId: uploadId,
      ...(objectCrc32 === null ? {} : { ChecksumCRC32: objectCrc32, ChecksumType: 'FULL_OBJECT' as const }),
    };
    const { ETag, ChecksumCRC32, rawAnswer } = await exchange(
      request,
      ({ body }) => provesDocument(body, 'CompleteMultipartUploadResult'),
      (command) => client.send(new CompleteMultipartUploadCommand(input), command),
      { answerMs: completeMs, document: partsDocument(parts, partsWithCrc32 !== null) },
    );
    // A checksum of checksums ends with the part count and doesn't parse.
    const storageCrc32 = parseCrc32(ChecksumCRC32);
    if (objectCrc32 !== null && storageCrc32 !== null && crc32Text(storageCrc32) !== objectCrc32)
      throw new StorageError({
        status: rawAnswer.status,
        fromStorage: true,
        code: 'BadDigest',
        message: 'The confirmed CRC32 of the whole differs from ours.',
      });
    const etag = bareEtag(ETag ?? '') || null;
    return { etag, isUnexpected: isUnexpected(etag, parts, rawAnswer) };
  }

  function isUnexpected(etag: string | null, parts: readonly StoredPart[], { headers }: CallAnswer): boolean {
    const expectedEtag = multipartEtag(parts.map((part) => part.etag));
    const storageFacts = facts();
    if (expectedEtag === null || etag === null || storageFacts.etags !== 'md5' || foreignKeys(headers))
      return false;
    const isNew = storageFacts.composites !== 'other';
    const hasOtherEtag = etag.toLowerCase() !== expectedEtag;
    storageFacts.recordComposite(hasOtherEtag ? 'other' : 'aws');
    return hasOtherEtag && isNew;
  }

  return {
    createMultipartUpload: async (key, request) => {
      if (facts().checksums('part') === 'ignored') return create(key, false, request);
      try {
        return await create(key, true, request);
      } catch (error) {
        if (!refusedChecksums(error)) throw error;
        const upload = await create(key, false, request);
        facts().recordChecksum('part', 'ignored');
        return upload;
      }
    },

    listParts: async (key, uploadId, request) => {
      const storedParts: StoredPart[] = [];
      for (let marker = 0; ; ) {
        const page = await listPage(key, uploadId, marker === 0 ? null : String(marker), request);
        storedParts.push(...page.parts);
        if (!page.truncated) return storedParts;
        const nextMarker = Math.max(Number(page.next) || 0, ...page.parts.map(({ number }) => number));
        if (nextMarker <= marker)
          throw new StorageError({ status: 200, fromStorage: true, code: 'EndlessListing' });
        marker = nextMarker;
      }
    },

    completeMultipartUpload: async (key, upload, parts, request) => {
      const partsWithCrc32 = upload.checksum === null ? null : withAllCrc32s(parts);
      let refusal: unknown;
      for (const candidate of partsWithCrc32 ? [partsWithCrc32, null] : [null]) {
        try {
          return await complete(key, upload, parts, candidate, request);
        } catch (error) {
          if (upload.checksum === null || !refusedChecksums(error)) throw error;
          facts().recordChecksum('part', 'ignored');
          refusal = error;
        }
      }
      // The upload can't be completed as declared; the caller starts another one without checksums.
      throw new StorageError({ status: 400, fromStorage: true, code: 'NoSuchUpload' }, refusal);
    },

    abortMultipartUpload: async (key, uploadId, request) => {
      await exchange(
        request,
        (answer) => provesRemoval(answer, answer.body),
        (command) =>
          client.send(new AbortMultipartUploadCommand({ ...place(key), UploadId: uploadId }), command),
      );
    },

    headObject: async (key, request) => {
      const { ContentLength, ETag, rawAnswer } = await exchange(
        request,
        ({ headers }) =>
          provesObject(headers, bareEtag(headers.etag ?? ''), {
            etag: request?.expectedEtag ?? null,
            size: facts().answersUnmarked ? (request?.size ?? null) : null,
          }),
        (command) => client.send(new HeadObjectCommand(place(key)), command),
      );
      const isComparable = facts().composites === 'aws' && !foreignKeys(rawAnswer.headers);
      return { etag: bareEtag(ETag ?? '') || null, isComparable, size: ContentLength ?? 0 };
    },
  };
}

function withCrc32(part: StoredPart, crc32: number | null): StoredPart {
  return crc32 === null ? part : { ...part, crc32 };
}

type KnownPart = StoredPart & { readonly crc32: number };

function refusedChecksums(error: unknown): boolean {
  return error instanceof StorageError && refusesChecksums(error.fault);
}

function withAllCrc32s(parts: readonly StoredPart[]): readonly KnownPart[] | null {
  const knownParts = parts.flatMap(({ crc32, ...part }) => (crc32 === undefined ? [] : { ...part, crc32 }));
  return knownParts.length === parts.length ? knownParts : null;
}

class Exchange implements HttpHandlerOptions {
  /** Our own abort waits until the request has left the wire. */
  declare readonly abortSignal?: never;
  readonly options: RequestOptions;
  readonly proves: (answer: CallAnswer) => boolean;
  readonly answerMs: number | null;
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

/** Ignores environment variables and other programs' files. Retries, clock and signature are ours. */
function configOf({ send, facts, currentTime: nowMs }: ControlRequestsOptions): S3ClientConfig {
  const handle: Handle = async ({ method, path, query, headers, body }, exchange) => {
    if (!(exchange instanceof Exchange)) throw new Error('a command without its exchange');
    const call = {
      method,
      path: path.slice(`/${placeholder.bucket}/`.length),
      query: encodeQuery(query),
      headers: checksumHeaders(headers),
      body: exchange.document ?? (typeof body === 'string' ? body : null),
      answerMs: exchange.answerMs,
    };
    const answer = await send(call, exchange.options);
    exchange.answer = answer;
    const fault = refusalOf(answer, method, nowMs());
    const isStorage = fault ? fault.fromStorage === true : exchange.proves(answer);
    if (isStorage && answer.body !== '' && !hasStorageMark(answer.headers)) facts().recordUnmarkedDocument();
    if (fault) throw new StorageError(fault);
    if (!isStorage) throw new StorageError(foreignSuccess(answer));
    // S3 sends white space before a document to keep the connection alive.
    const response = {
      statusCode: answer.status,
      headers: flat(answer),
      body: Buffer.from(answer.body.trim()),
    };
    return { response };
  };
  return {
    region: 'us-east-1',
    // Otherwise the SDK looks in ~/.aws.
    authSchemePreference: [],
    sigv4aSigningRegionSet: [],
    disableClockSkewCorrection: true,
    endpoint: placeholder.endpoint,
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

function checksumHeaders(headers: HttpRequest['headers']): Record<string, string> {
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
