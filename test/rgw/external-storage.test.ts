/** The service over a real object store with STS. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EmbeddedService } from '../service/model.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import { bearer, call, createAsset, postJson, s3Error, s3For } from '../service/tests/contract-client.ts';
import { objectStore } from './settings.ts';

const externalStorage = objectStore('service');

let service: EmbeddedService;
beforeAll(async () => {
  service = await startEmbeddedService({ externalStorage, tilingMs: 0 });
});
afterAll(() => service.stop());

it('external storage accepts objects and multipart uploads below the prefix and counts them at completion', async () => {
  const created = await createAsset(service);
  const { bucket: Bucket, prefix, endpoint } = created.uploadLocation;
  expect(endpoint).toBe(externalStorage.endpoint);
  const s3 = s3For(service, created.uploadLocation);
  await s3.send(new PutObjectCommand({ Bucket, Key: `${prefix}ä b+%.gml`, Body: 'data' }));
  const place = { Bucket, Key: `${prefix}big` };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(place));
  const upload = { ...place, UploadId };
  const { ETag } = await s3.send(
    new UploadPartCommand({ ...upload, PartNumber: 1, Body: Buffer.alloc(100) }),
  );
  expect((await s3.send(new ListPartsCommand(upload))).Parts).toHaveLength(1);
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }));
  const token = bearer(service.control.makeAccessToken(['assets:write', 'assets:read']));
  expect((await postJson(created.onComplete.url, {}, token)).status).toBe(204);
  const address = `${service.baseUrl}/v1/assets/${created.assetMetadata.id}`;
  expect((await call(address, { headers: token })).body).toMatchObject({ bytes: 104, status: 'COMPLETE' });
});

it('external storage aborts a multipart upload', async () => {
  const { uploadLocation } = await createAsset(service);
  const s3 = s3For(service, uploadLocation);
  const place = { Bucket: uploadLocation.bucket, Key: `${uploadLocation.prefix}x` };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(place));
  await s3.send(new AbortMultipartUploadCommand({ ...place, UploadId }));
  const missingUpload = await s3Error(s3.send(new ListPartsCommand({ ...place, UploadId })));
  expect(missingUpload.status).toBe(404);
});

it('external storage refuses completion without objects', async () => {
  const created = await createAsset(service);
  const token = bearer(service.control.makeAccessToken(['assets:write']));
  expect((await postJson(created.onComplete.url, {}, token)).status).toBe(400);
});

it('external storage restricts the credentials to writing below the prefix', async () => {
  const [firstAsset, secondAsset] = [await createAsset(service), await createAsset(service)];
  const Bucket = externalStorage.bucket;
  const s3 = s3For(service, firstAsset.uploadLocation);
  const outsideObject = new PutObjectCommand({
    Bucket,
    Key: `${secondAsset.uploadLocation.prefix}x`,
    Body: 'data',
  });
  expect(await s3Error(s3.send(outsideObject))).toEqual({ code: 'AccessDenied', status: 403 });
  const Key = `${firstAsset.uploadLocation.prefix}x`;
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'data' }));
  expect((await s3Error(s3.send(new HeadObjectCommand({ Bucket, Key })))).status).toBe(403);
});

it('external storage restarts on an existing bucket', async () => {
  const restartedService = await startEmbeddedService({ externalStorage });
  expect(restartedService.storageUrl).toBe(externalStorage.endpoint);
  await expect(restartedService.control.objects()).rejects.toThrow('embedded storage');
  await restartedService.stop();
});
