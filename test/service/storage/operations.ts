import { pipeline } from 'node:stream/promises';
import { crc32Text } from '../../../main/storage/crc32.ts';
import { readBlobs } from './blobs.ts';
import { checksumHeaders } from './checksums.ts';
import { abortUpload, completeUpload, createUpload, listParts, uploadPart } from './multipart-operations.ts';
import type { ObjectEntry } from './objects.ts';
import { contentTypeOf, type Operation } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { takeBody } from './take-body.ts';

/** The request's operation, by method and query. Throws S3Error for unsupported ones. */
export function findOperation(method: string, query: ReadonlyMap<string, string>): Operation {
  const names = [...query.keys()].filter((name) => name !== 'x-id');
  const hasParameters = (...parameters: readonly string[]) =>
    names.length === parameters.length && parameters.every((name) => names.includes(name));
  if (method === 'PUT' && hasParameters()) return putObject;
  if (method === 'PUT' && hasParameters('partNumber', 'uploadId')) return uploadPart;
  if (method === 'POST' && hasParameters('uploads')) return createUpload;
  if (method === 'POST' && hasParameters('uploadId')) return completeUpload;
  if (method === 'DELETE' && hasParameters('uploadId')) return abortUpload;
  if (method === 'GET' && query.has('uploadId')) return listParts;
  if ((method === 'GET' || method === 'HEAD') && hasParameters()) return giveObject;
  // Upload credentials may write and see their own uploads, but not delete.
  if (method === 'DELETE' && hasParameters()) throw new S3Error('AccessDenied', 'Access Denied.');
  if (['PUT', 'POST', 'GET', 'HEAD', 'DELETE'].includes(method)) {
    throw new S3Error('NotImplemented', 'This operation is not offered here.');
  }
  throw new S3Error('MethodNotAllowed', 'The method is not allowed against this resource.');
}

const putObject: Operation = async (call, shelf) => {
  const { exchange, target } = call;
  const receivedBody = await takeBody(call, shelf);
  const etag = receivedBody.md5.toString('hex');
  await shelf.objects.put({
    key: target.key,
    size: receivedBody.size,
    etag,
    contentType: contentTypeOf(exchange),
    crc32:
      receivedBody.crc32 === undefined
        ? undefined
        : { text: crc32Text(receivedBody.crc32), type: 'FULL_OBJECT' },
    lastModified: shelf.now(),
    blobs: [receivedBody],
  });
  exchange.response
    .writeHead(200, {
      ETag: `"${etag}"`,
      'Content-Length': 0,
      ...checksumHeaders(receivedBody.crc32, 'FULL_OBJECT'),
    })
    .end();
};

const giveObject: Operation = async ({ exchange, target }, shelf) => {
  const object = shelf.objects.get(target.key);
  if (!object) throw new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: target.key });
  const isRead = exchange.method === 'GET';
  if (isRead && !shelf.blobs.keepsBytes) {
    throw new S3Error('NotImplemented', 'The bytes of objects are not kept here.');
  }
  const tells = exchange.header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED';
  exchange.response.writeHead(200, { ...objectHeaders(object), ...(tells ? objectChecksum(object) : {}) });
  if (isRead) await pipeline(readBlobs(object.blobs), exchange.response);
  else exchange.response.end();
};

function objectHeaders(object: ObjectEntry): Record<string, string | number> {
  return {
    'Content-Length': object.size,
    'Content-Type': object.contentType,
    ETag: `"${object.etag}"`,
    'Last-Modified': new Date(object.lastModified).toUTCString(),
  };
}

function objectChecksum({ crc32 }: ObjectEntry): Record<string, string> {
  return crc32 ? { 'x-amz-checksum-crc32': crc32.text, 'x-amz-checksum-type': crc32.type } : {};
}
