import { largestPartNumber } from './multipart.ts';
import { contentTypeOf, type Operation, sendXml } from './s3-call.ts';
import { S3Error } from './s3-error.ts';
import { checkSha256, takeBody } from './take-body.ts';
import { readNamedParts } from './xml.ts';

export const createUpload: Operation = async ({ exchange, target }, shelf) => {
  const UploadId = shelf.uploads.begin(target.key, contentTypeOf(exchange));
  sendXml(exchange, 'InitiateMultipartUploadResult', { Bucket: target.bucket, Key: target.key, UploadId });
};

export const uploadPart: Operation = async (call, shelf) => {
  const { exchange, target } = call;
  const uploadId = target.query.get('uploadId') ?? '';
  const number = wholeNumber(target.query.get('partNumber'), 'partNumber', 1, largestPartNumber);
  shelf.uploads.check(target.key, uploadId);
  const received = await takeBody(call, shelf);
  await shelf.uploads.putPart(target.key, uploadId, { ...received, number, lastModified: shelf.now() });
  exchange.response.writeHead(200, { ETag: `"${received.md5.toString('hex')}"`, 'Content-Length': 0 }).end();
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
  const most = shelf.partsPerPage;
  const asked = wholeNumber(query.get('max-parts') ?? `${most}`, 'max-parts', 0, Number.MAX_SAFE_INTEGER);
  const MaxParts = Math.min(asked, most);
  const after = shelf.uploads.parts(key, UploadId).filter(({ number }) => number > marker);
  const page = after.slice(0, MaxParts);
  sendXml(exchange, 'ListPartsResult', {
    Bucket: bucket,
    Key: key,
    UploadId,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number ?? 0,
    MaxParts,
    IsTruncated: page.length < after.length,
    Part: page.map(({ number, lastModified, md5, size }) => ({
      PartNumber: number,
      LastModified: new Date(lastModified).toISOString(),
      ETag: `"${md5.toString('hex')}"`,
      Size: size,
    })),
    StorageClass: 'STANDARD',
  });
};

export const completeUpload: Operation = async ({ exchange, target, caller }, shelf) => {
  const body = await exchange.readBody(4_000_000);
  checkSha256(caller, body);
  const uploadId = target.query.get('uploadId') ?? '';
  shelf.uploads.check(target.key, uploadId);
  const named = readNamedParts(body.toString('utf8'));
  const { object, unused } = shelf.uploads.complete(target.key, uploadId, named, shelf.now());
  await shelf.objects.put(object);
  await shelf.blobs.remove(unused);
  sendXml(exchange, 'CompleteMultipartUploadResult', {
    Location: `http://${exchange.header('host')}${exchange.path}`,
    Bucket: target.bucket,
    Key: target.key,
    ETag: `"${object.etag}"`,
  });
};

export const abortUpload: Operation = async ({ exchange, target }, shelf) => {
  await shelf.uploads.abort(target.key, target.query.get('uploadId') ?? '');
  exchange.response.writeHead(204).end();
};

function wholeNumber(text: string | undefined, name: string, least: number, most: number): number {
  const number = /^\d{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new S3Error('InvalidArgument', `${name} must be a whole number between ${least} and ${most}.`, {
    ArgumentName: name,
    ArgumentValue: text ?? '',
  });
}
