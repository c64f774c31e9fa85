import {
  S3Client,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { FinalizeRequestMiddleware } from '@smithy/types';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Signer } from '../../../main/storage/sigv4.ts';
import { encodeKey, encodeSegment, storageAddress } from '../../../main/storage/storage-address.ts';

interface SentRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

const location = {
  accessKey: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'token/+==',
};
const md5 = '1B2M2Y8AsgTpgAmY7PhCfg==';

/** Removes the SDK's extra headers, so that it signs the same request. */
const onlyOurs: FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => (args) => {
  const request = args.request as { headers: Record<string, string>; query: Record<string, string> };
  for (const name of Object.keys(request.headers)) {
    if (!['host', 'content-md5'].includes(name)) delete request.headers[name];
  }
  delete request.query['x-id'];
  request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
  return next(args);
};

/** The request that the SDK signs, without sending it. */
async function sdkRequest(
  bucket: string,
  key: string,
  uploadId: string,
  endpoint?: string,
): Promise<SentRequest> {
  let sentRequest: SentRequest | undefined;
  const client = new S3Client({
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    region: 'us-east-1',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId: location.accessKey, ...location },
    requestHandler: {
      handle: async (request: SentRequest) => {
        sentRequest = request;
        return { response: { statusCode: 200, headers: {}, body: undefined } };
      },
    },
  });
  client.middlewareStack.addRelativeTo(onlyOurs, {
    relation: 'before',
    toMiddleware: 'httpSigningMiddleware',
  });
  const place = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumber: 3 };
  await client.send(new UploadPartCommand({ ...place, Body: '', ContentMD5: md5 }));
  if (!sentRequest) throw new Error('The SDK sent nothing.');
  return sentRequest;
}

function ourRequest(bucket: string, key: string, uploadId: string, at: number, endpoint?: string) {
  const { host, base } = storageAddress(bucket, endpoint);
  const path = base + encodeKey(key);
  const query = `partNumber=3&uploadId=${encodeSegment(uploadId)}`;
  const headers = new Signer(location).headers({
    ...{ method: 'PUT', host, path, query, timestamp: at },
    headers: { 'content-md5': md5 },
  });
  return { path, headers };
}

function timeOf(text: string | undefined): number {
  const digits =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
      .exec(text ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = digits;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const signatureOf = (headers: Readonly<Record<string, string>>) =>
  /Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '')?.[1];

const oddKey = fc
  .array(
    fc.oneof(
      fc.constantFrom('%20', ...` +%#?&='"()*!~/\\@`),
      fc.constantFrom('é', 'e\u0301', '🏔', '東京', ':', ';', ',', '$', '[', ']', '{', '|', '^', '`', '<'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''));

it('Signature Version 4 compared with the SDK: signs parts with odd keys like the SDK', async () => {
  await fc.assert(
    fc.asyncProperty(oddKey, fc.string({ minLength: 1, maxLength: 20 }), async (key, uploadId) => {
      const sdkSent = await sdkRequest('bucket', key, uploadId, 'http://127.0.0.1:9000');
      const at = timeOf(sdkSent.headers['x-amz-date']);
      const ownRequest = ourRequest('bucket', key, uploadId, at, 'http://127.0.0.1:9000');
      expect(ownRequest.path).toBe(sdkSent.path);
      expect(signatureOf(sdkSent.headers)).toMatch(/^[0-9a-f]{64}$/);
      expect(signatureOf(ownRequest.headers)).toBe(signatureOf(sdkSent.headers));
    }),
    { numRuns: 150 },
  );
});

it('Signature Version 4 compared with the SDK: derives a new key when the day changes', () => {
  const signer = new Signer(location);
  const signed = (at: number) =>
    signer.headers({ method: 'GET', host: 'h', path: '/', query: '', headers: {}, timestamp: at })
      .authorization;
  const evening = Date.UTC(2030, 0, 1, 23, 59);
  const night = Date.UTC(2030, 0, 2, 0, 1);
  const firstSignature = signed(evening);
  expect(firstSignature).toContain('/20300101/us-east-1/s3/aws4_request');
  const secondSignature = signed(night);
  expect(secondSignature).toContain('/20300102/us-east-1/s3/aws4_request');
  expect(signed(evening)).toBe(firstSignature);
  expect(signed(night)).toBe(secondSignature);
});

it('Signature Version 4 compared with the SDK: signs no Content-MD5 without a body', () => {
  const headers = new Signer(location).headers({
    method: 'GET',
    host: 'h',
    path: '/',
    query: 'uploadId=1',
    headers: {},
    timestamp: 0,
  });
  expect(headers).not.toHaveProperty('content-md5');
  expect(headers.authorization).toContain('SignedHeaders=host;');
});

it.each([
  ['a bucket without an endpoint', 'tiles-uploads', undefined],
  ['a bucket with dots, which no certificate covers', 'tiles.uploads', undefined],
  ['an endpoint on a port of its own', 'bucket', 'http://127.0.0.1:9000'],
  ['an endpoint with a path', 'bucket', 'https://storage.example/s3'],
  ['an endpoint on its scheme’s port', 'bucket', 'https://storage.example:443/'],
  ['an IPv6 endpoint', 'bucket', 'http://[::1]:9000'],
])('storageAddress() agrees with the SDK on %s', async (_name, bucket, endpoint) => {
  const sdkSent = await sdkRequest(bucket, 'key', 'id', endpoint);
  const ownAddress = storageAddress(bucket, endpoint);
  expect({ path: `${ownAddress.base}key`, hostname: ownAddress.hostname, secure: ownAddress.secure }).toEqual(
    {
      path: sdkSent.path,
      hostname: sdkSent.hostname.replace(/^\[|\]$/g, ''),
      secure: sdkSent.protocol === 'https:',
    },
  );
  expect(ownAddress.port).toBe(sdkSent.port ?? (ownAddress.secure ? 443 : 80));
});
