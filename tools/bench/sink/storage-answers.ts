import { createHash, randomUUID } from 'node:crypto';
import type { SeenRequest } from './request-stream.ts';

export interface SinkAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface HeldPart {
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
}

const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
const lastModified = new Date(0).toUTCString();

/**
 * The part of S3 that the contenders use, without bytes and signature checks. An ETag is the client's MD5, or
 * can't be taken for one. A CRC32 is returned as if compared, unless the stand-in ignores checksums.
 */
export class SinkStorage {
  readonly #objects = new Map<string, HeldPart>();
  readonly #uploads = new Map<string, Map<number, HeldPart>>();
  readonly #bucket: string;
  readonly #checksums: 'verify' | 'ignore';

  constructor(bucket: string, checksums: 'verify' | 'ignore') {
    this.#bucket = bucket;
    this.#checksums = checksums;
  }

  clear(): void {
    this.#objects.clear();
    this.#uploads.clear();
  }

  totals(): { objects: number; bytes: number } {
    let bytes = 0;
    for (const { size } of this.#objects.values()) bytes += size;
    return { objects: this.#objects.size, bytes };
  }

  answer(request: SeenRequest): SinkAnswer {
    const question = request.target.indexOf('?');
    const path = question === -1 ? request.target : request.target.slice(0, question);
    const query = question === -1 ? noQuery : new URLSearchParams(request.target.slice(question + 1));
    const key = path.slice(this.#bucket.length + 2);
    return key === '' ? this.#answerBucket(request, query) : this.#answerObject(request, key, query);
  }

  #answerBucket({ method }: SeenRequest, query: URLSearchParams): SinkAnswer {
    if (method !== 'GET') return { status: 200 };
    if (query.has('location')) return xml(`<LocationConstraint ${namespace}/>`);
    return xml(
      `<ListBucketResult ${namespace}><Name>${this.#bucket}</Name><Prefix/><KeyCount>0</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated></ListBucketResult>`,
    );
  }

  #answerObject(request: SeenRequest, key: string, query: URLSearchParams): SinkAnswer {
    const uploadId = query.get('uploadId');
    switch (request.method) {
      case 'PUT':
        return this.#putPart(request, key, uploadId, Number(query.get('partNumber')));
      case 'POST':
        return uploadId === null ? this.#beginUpload(key) : this.#complete(request, key, uploadId);
      case 'HEAD':
        return this.#head(key);
      case 'DELETE':
        if (uploadId !== null) this.#uploads.delete(uploadId);
        return { status: 204 };
      default:
        return uploadId === null ? missingAnswer('NoSuchKey') : this.#list(key, uploadId);
    }
  }

  #putPart({ headers, size }: SeenRequest, key: string, uploadId: string | null, number: number): SinkAnswer {
    const heldPart = { size, etag: etagOf(headers.get('content-md5')) };
    const parts = uploadId === null ? null : this.#uploads.get(uploadId);
    if (parts === undefined) return missingAnswer('NoSuchUpload');
    if (parts === null) this.#objects.set(key, heldPart);
    else parts.set(number, heldPart);
    const crc32 = this.#checksums === 'verify' ? headers.get('x-amz-checksum-crc32') : undefined;
    return {
      status: 200,
      headers: {
        ETag: `"${heldPart.etag}"`,
        ...(crc32 === undefined ? {} : { 'x-amz-checksum-crc32': crc32 }),
      },
    };
  }

  #beginUpload(key: string): SinkAnswer {
    const uploadId = randomUUID();
    this.#uploads.set(uploadId, new Map());
    return xml(
      `<InitiateMultipartUploadResult ${namespace}><Bucket>${this.#bucket}</Bucket><Key>${key}</Key><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  #complete({ body }: SeenRequest, key: string, uploadId: string): SinkAnswer {
    const parts = this.#uploads.get(uploadId);
    if (!parts) return missingAnswer('NoSuchUpload');
    const namedParts = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) =>
      parts.get(Number(number)),
    );
    if (namedParts.some((part) => part === undefined)) return error(400, 'InvalidPart');
    const etags = namedParts.map((part) => part?.etag ?? '');
    const etag = multipartEtag(etags);
    this.#uploads.delete(uploadId);
    this.#objects.set(key, { size: namedParts.reduce((sum, part) => sum + (part?.size ?? 0), 0), etag });
    return xml(
      `<CompleteMultipartUploadResult ${namespace}><Bucket>${this.#bucket}</Bucket><Key>${key}</Key><ETag>&quot;${etag}&quot;</ETag></CompleteMultipartUploadResult>`,
    );
  }

  #head(key: string): SinkAnswer {
    const heldObject = this.#objects.get(key);
    if (!heldObject) return { status: 404 };
    return {
      status: 200,
      headers: {
        'Content-Length': String(heldObject.size),
        ETag: `"${heldObject.etag}"`,
        'Last-Modified': lastModified,
      },
    };
  }

  #list(key: string, uploadId: string): SinkAnswer {
    const parts = this.#uploads.get(uploadId);
    if (!parts) return missingAnswer('NoSuchUpload');
    const listedParts = [...parts].map(
      ([number, { size, etag }]) =>
        `<Part><PartNumber>${number}</PartNumber><Size>${size}</Size><ETag>&quot;${etag}&quot;</ETag></Part>`,
    );
    return xml(
      `<ListPartsResult ${namespace}><Key>${key}</Key><UploadId>${uploadId}</UploadId><IsTruncated>false</IsTruncated>${listedParts.join('')}</ListPartsResult>`,
    );
  }
}

const noQuery = new URLSearchParams();
const noMd5 = `${'0'.repeat(32)}-1`;

function etagOf(contentMd5: string | undefined): string {
  return contentMd5 === undefined ? noMd5 : Buffer.from(contentMd5, 'base64').toString('hex');
}

function multipartEtag(etags: readonly string[]): string {
  const hash = createHash('md5');
  for (const etag of etags) hash.update(etag, 'hex');
  return `${hash.digest('hex')}-${etags.length}`;
}

function xml(text: string): SinkAnswer {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>${text}`,
  };
}

function missingAnswer(code: string): SinkAnswer {
  return error(404, code);
}

function error(status: number, code: string): SinkAnswer {
  return { ...xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`), status };
}
