import { createHash } from 'node:crypto';
import { PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePercent, decodeText, encodeBytes } from '../storage/percent.ts';
import { canonicalRequest, parseAuthorization, sign } from '../storage/sigv4.ts';

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The SDK's signed request, not sent. */
async function signedBySdk(
  key: string,
  metadata: Readonly<Record<string, string>>,
  part: boolean,
): Promise<SentRequest> {
  let sentRequest: SentRequest | undefined;
  const client = new S3Client({
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId: 'AKID', secretAccessKey, sessionToken: 'token/+=' },
    requestHandler: {
      handle: async (request: SentRequest) => {
        sentRequest = request;
        return { response: { statusCode: 200, headers: {}, body: undefined } };
      },
    },
  });
  const place = { Bucket: 'bucket', Key: key, Body: 'body' };
  if (part) await client.send(new UploadPartCommand({ ...place, UploadId: `id ${key}`, PartNumber: 3 }));
  else await client.send(new PutObjectCommand({ ...place, Metadata: metadata }));
  if (!sentRequest) throw new Error('The SDK sent nothing.');
  return sentRequest;
}

/** The signature that the service computes for a received request, and the one that the SDK sent. */
function bothSignatures(sentRequest: SentRequest): { ours: string; theirs: string } {
  const headers = new Map(
    Object.entries(sentRequest.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const claim = parseAuthorization(headers.get('authorization') ?? '');
  if (!claim) throw new Error('There is no Authorization header.');
  const canonical = canonicalRequest({
    method: sentRequest.method,
    path: sentRequest.path,
    query: Object.entries(sentRequest.query ?? {})
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .join('&'),
    header: (name) => {
      const value = headers.get(name);
      return value === undefined ? undefined : [Buffer.from(value, 'utf8').toString('latin1')];
    },
    signedHeaders: claim.signedHeaders,
    payloadHash: headers.get('x-amz-content-sha256') ?? '',
  });
  const expected = sign(secretAccessKey, claim, headers.get('x-amz-date') ?? '', canonical).toString('hex');
  return { ours: expected, theirs: claim.signature };
}

describe('contract 4.7: Signature Version 4 compared with the SDK', () => {
  const oddKey = fc
    .array(
      fc.oneof(
        fc.constantFrom('%20', ...` +%#?&='"()*!~@:$`),
        fc.constantFrom('e\u0301', '🗺️', '日本', ...'äﬁ/\\;,|<>`^[]'),
        fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme' }),
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((pieces) => `sources/1/a${pieces.join('')}z`);

  it('Signature Version 4 compared with the SDK: agrees on every key and on metadata with inner spaces', async () => {
    const metadata = fc.dictionary(
      fc.constantFrom('one', 'two'),
      fc.stringMatching(/^[a-z]( {0,3}[a-z]){0,4}$/),
    );
    await fc.assert(
      fc.asyncProperty(oddKey, metadata, fc.boolean(), async (key, meta, part) => {
        const sentRequest = await signedBySdk(key, meta, part);
        const { ours: serviceSignature, theirs: sdkSignature } = bothSignatures(sentRequest);
        expect(serviceSignature).toBe(sdkSignature);
        expect(decodeText(sentRequest.path)).toBe(`/bucket/${key}`);
      }),
      { numRuns: 300 },
    );
  });

  it('Signature Version 4 compared with the SDK: disagrees if any signed field differs', async () => {
    const sentRequest = await signedBySdk('sources/1/a b.gml', { one: 'x' }, false);
    const changes: readonly SentRequest[] = [
      { ...sentRequest, method: 'POST' },
      { ...sentRequest, path: sentRequest.path.replace('a%20b', 'a%20c') },
      { ...sentRequest, query: { ...sentRequest.query, extra: '1' } },
      { ...sentRequest, headers: { ...sentRequest.headers, 'x-amz-meta-one': 'y' } },
      { ...sentRequest, headers: { ...sentRequest.headers, host: 'elsewhere' } },
      { ...sentRequest, headers: { ...sentRequest.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } },
    ];
    for (const changed of changes) {
      const { ours: serviceSignature, theirs: sdkSignature } = bothSignatures(changed);
      expect(serviceSignature).not.toBe(sdkSignature);
    }
  });
});

it('percent-encoding restores any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), (bytes, keepSlash) => {
      expect(new Uint8Array(decodePercent(encodeBytes(bytes, keepSlash)))).toEqual(bytes);
    }),
  );
});

it('percent-encoding accepts lower-case escapes, keeps +, and refuses broken escapes and invalid UTF-8', () => {
  expect(decodeText('a%c3%a4+b')).toBe('aä+b');
  for (const brokenEscape of ['%', '%4', '%zz', 'a%FF']) expect(() => decodeText(brokenEscape)).toThrow();
});

describe('Authorization header', () => {
  const validHeader = `AWS4-HMAC-SHA256 Credential=AK/20260101/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=${createHash('sha256').update('').digest('hex')}`;

  it('Authorization header: parses it with and without spaces after its commas', () => {
    const read = parseAuthorization(validHeader);
    expect(read).toMatchObject({ accessKey: 'AK', date: '20260101', signedHeaders: ['host', 'x-amz-date'] });
    expect(parseAuthorization(validHeader.replaceAll(', ', ','))).toEqual(read);
  });

  it.each([
    validHeader.replace('AWS4-HMAC-SHA256', 'AWS'),
    validHeader.replace('aws4_request', 'aws3_request'),
    validHeader.replace('/s3/', '/'),
    validHeader.replace('host;x-amz-date', ''),
    validHeader.slice(0, -1),
    'Bearer x',
    '',
  ])('Authorization header: refuses a malformed one: %s', (header) => {
    expect(parseAuthorization(header)).toBeUndefined();
  });
});
