import { crc32Text } from '../../../main/storage/crc32.ts';
import {
  checksumHeaders,
  type DeclaredChecksum,
  declaredChecksum,
  promisedCrc32,
  refuseCrc32,
} from './checksums.ts';
import { largestPartNumber } from './multipart.ts';
import { contentTypeOf, type Operation, type Shelf, sendXml } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { checkSha256, takeBody } from './take-body.ts';
import { readNamedParts } from './xml.ts';

export const createUpload: Operation = async ({ exchange, target }, shelf) => {
  refuseCrc32(exchange, shelf.checksums());
  const declaredSum = shelf.checksums() === 'verify' ? declaredChecksum(exchange) : null;
  const UploadId = shelf.uploads.begin(target.key, contentTypeOf(exchange), declaredSum);
  if (declaredSum !== null) {
    exchange.response.setHeader('x-amz-checksum-algorithm', 'CRC32');
    exchange.response.setHeader('x-amz-checksum-type', declaredSum);
  }
  sendXml(exchange, 'InitiateMultipartUploadResult', { Bucket: target.bucket, Key: target.key, UploadId });
};

export const uploadPart: Operation = async (call, shelf) => {
  const { exchange, target } = call;
  const uploadId = target.query.get('uploadId') ?? '';
  const number = wholeNumber(target.query.get('partNumber'), 'partNumber', 1, largestPartNumber);
  const declaredSum = shelf.uploads.check(target.key, uploadId);
  const verifies = shelf.checksums() === 'verify';
  if (verifies && declaredSum === null && promisedCrc32(exchange) !== undefined)
    throw new S3Error(
      'InvalidRequest',
      'Checksum Type mismatch occurred, expected checksum Type: null, actual checksum Type: crc32',
    );
  const receivedBody = await takeBody(call, shelf, declaredSum !== null);
  await shelf.uploads.putPart(target.key, uploadId, { ...receivedBody, number, lastModified: shelf.now() });
  const comparedSum = verifies && declaredSum !== null ? receivedBody.crc32 : undefined;
  exchange.response
    .writeHead(200, {
      ETag: `"${receivedBody.md5.toString('hex')}"`,
      'Content-Length': 0,
      ...checksumHeaders(comparedSum, null),
    })
    .end();
};

export const listParts: Operation = async ({ exchange, target }, shelf) => {
  const { query, key, bucket } = target;
  const UploadId = query.get('uploadId') ?? '';
  const marker = wholeNumber(
    query.get('part-number-marker') ?? '0',
    'part-number-marker',
    0,
    Number.MAX_SAFE_INTEGER,
  );
  const maxParts = shelf.partsPerPage;
  const limit = wholeNumber(query.get('max-parts') ?? `${maxParts}`, 'max-parts', 0, Number.MAX_SAFE_INTEGER);
  const MaxParts = Math.min(limit, maxParts);
  const declaredSum = spokenOf(shelf, shelf.uploads.check(key, UploadId));
  const laterParts = shelf.uploads.parts(key, UploadId).filter(({ number }) => number > marker);
  const page = laterParts.slice(0, MaxParts);
  shelf.uploads.recordListed(
    key,
    UploadId,
    page.map(({ number }) => number),
    declaredSum !== null,
  );
  sendXml(exchange, 'ListPartsResult', {
    Bucket: bucket,
    Key: key,
    UploadId,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number ?? 0,
    MaxParts,
    IsTruncated: page.length < laterParts.length,
    ...(declaredSum === null ? {} : { ChecksumAlgorithm: 'CRC32', ChecksumType: declaredSum }),
    Part: page.map(({ number, lastModified, md5, size, crc32 }) => ({
      PartNumber: number,
      LastModified: new Date(lastModified).toISOString(),
      ETag: `"${md5.toString('hex')}"`,
      Size: size,
      ...(declaredSum === null || crc32 === undefined ? {} : { ChecksumCRC32: crc32Text(crc32) }),
    })),
    StorageClass: 'STANDARD',
  });
};

export const completeUpload: Operation = async ({ exchange, target, caller }, shelf) => {
  const body = await exchange.readBody(4_000_000);
  refuseCrc32(exchange, shelf.checksums());
  checkSha256(caller, body);
  const uploadId = target.query.get('uploadId') ?? '';
  const declaredSum = spokenOf(shelf, shelf.uploads.check(target.key, uploadId));
  const namedParts = readNamedParts(body.toString('utf8'));
  const type = exchange.header('x-amz-checksum-type')?.toUpperCase();
  if (declaredSum !== null && type !== undefined && type !== declaredSum)
    throw new S3Error('InvalidRequest', `The upload was created with the checksum type ${declaredSum}.`);
  const promised = declaredSum === 'FULL_OBJECT' ? promisedCrc32(exchange) : undefined;
  const { object, unused: unusedParts } = shelf.uploads.complete(
    target.key,
    uploadId,
    namedParts,
    shelf.now(),
    { declared: declaredSum, promised },
  );
  await shelf.objects.put(object);
  await shelf.blobs.remove(unusedParts);
  sendXml(exchange, 'CompleteMultipartUploadResult', {
    Location: `http://${exchange.header('host')}${exchange.path}`,
    Bucket: target.bucket,
    Key: target.key,
    ETag: `"${object.etag}"`,
    ...(object.crc32 ? { ChecksumCRC32: object.crc32.text, ChecksumType: object.crc32.type } : {}),
  });
};

export const abortUpload: Operation = async ({ exchange, target }, shelf) => {
  await shelf.uploads.abort(target.key, target.query.get('uploadId') ?? '');
  exchange.response.writeHead(204).end();
};

/** Storage that has stopped comparing CRC32s doesn't report earlier comparisons. */
function spokenOf(shelf: Shelf, declaredSum: DeclaredChecksum): DeclaredChecksum {
  return shelf.checksums() === 'verify' ? declaredSum : null;
}

function wholeNumber(text: string | undefined, name: string, minimum: number, maximum: number): number {
  const number = /^\d{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new S3Error('InvalidArgument', `${name} must be a whole number between ${minimum} and ${maximum}.`, {
    ArgumentName: name,
    ArgumentValue: text ?? '',
  });
}
