import { CompleteMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32Text } from '../../../main/storage/crc32.ts';
import { partsDocument } from '../../../main/storage/parts-document.ts';
import type { StoredPart } from '../../../main/storage/storage.ts';

/** The SDK's document for the same parts. */
async function sdkDocument(parts: readonly StoredPart[], withCrc32: boolean): Promise<unknown> {
  let body: unknown;
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: 'https://storage.invalid',
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: {
      handle: (request: { body?: unknown }) => {
        body = request.body;
        return Promise.reject(new Error('seen'));
      },
    },
  });
  const Parts = parts.map(({ number, etag, crc32 }) => ({
    PartNumber: number,
    ETag: `"${etag}"`,
    ...(withCrc32 && crc32 !== undefined ? { ChecksumCRC32: crc32Text(crc32) } : {}),
  }));
  const command = new CompleteMultipartUploadCommand({
    Bucket: 'bucket',
    Key: 'key',
    UploadId: 'upload',
    MultipartUpload: { Parts },
  });
  await client.send(command).catch(() => {});
  return body;
}

const part = fc.record(
  {
    number: fc.integer({ min: 1, max: 10_000 }),
    size: fc.nat(),
    etag: fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('a&b', '<"x">', "'\r\n\u0085\u2028", 'd41d8cd98f00b204e9800998ecf8427e'),
    ),
    crc32: fc.nat(2 ** 32 - 1),
  },
  { requiredKeys: ['number', 'size', 'etag'] },
);

it('completion sends the same document as the SDK', async () => {
  const samples = [fc.array(part, { minLength: 1, maxLength: 5 }), fc.boolean()] as const;
  await fc.assert(
    fc.asyncProperty(...samples, async (parts, withCrc32) => {
      expect(partsDocument(parts, withCrc32)).toBe(await sdkDocument(parts, withCrc32));
    }),
    { numRuns: 60 },
  );
});
