import { createHash } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import type { ExternalStorage, ServiceSettings } from '../../../test/service/model.ts';
import type { ChaosObject, ChaosStore } from './store.ts';

/** A third-party object store, read back with the owner's key. Throws the SDK's errors. */
export class ExternalStore implements ChaosStore {
  readonly name = 'external';
  readonly faultReach = 'service';
  readonly settings: Partial<ServiceSettings>;
  readonly mayCompareCrc32: boolean;
  readonly #s3: S3Client;
  readonly #bucket: string;

  private constructor(store: ExternalStorage, s3: S3Client, mayCompareCrc32: boolean) {
    this.settings = { externalStorage: store };
    this.mayCompareCrc32 = mayCompareCrc32;
    this.#s3 = s3;
    this.#bucket = store.bucket;
  }

  /** Creates the bucket and sends a wrong CRC32 to detect whether the store compares it. */
  static async open(store: ExternalStorage): Promise<ExternalStore> {
    const { endpoint, region, accessKey, secretKey, bucket: Bucket } = store;
    const s3 = new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    await s3.send(new CreateBucketCommand({ Bucket }));
    const wrongUpload = { Bucket, Key: 'wrong', Body: 'heights', ChecksumCRC32: 'AAAAAA==' };
    const isTaken = await s3.send(new PutObjectCommand(wrongUpload)).then(
      () => true,
      () => false,
    );
    if (isTaken) await s3.send(new DeleteObjectCommand({ Bucket, Key: 'wrong' }));
    return new ExternalStore(store, s3, !isTaken);
  }

  begin(): void {}

  meet(): void {}

  async objects(prefix: string): Promise<readonly ChaosObject[]> {
    const objects: ChaosObject[] = [];
    for (const key of await this.#keys(prefix)) {
      const { Body } = await this.#s3.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      const hash = createHash('sha256');
      let size = 0;
      for await (const bytes of Body as AsyncIterable<Uint8Array>) {
        hash.update(bytes);
        size += bytes.length;
      }
      objects.push({ key, size, sha256: hash.digest('hex'), comparedProofs: null });
    }
    return objects;
  }

  async remove(prefix: string): Promise<void> {
    for (const Key of await this.#keys(prefix))
      await this.#s3.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key }));
  }

  close(): void {
    this.#s3.destroy();
  }

  async #keys(prefix: string): Promise<readonly string[]> {
    const keys: string[] = [];
    const pages = paginateListObjectsV2({ client: this.#s3 }, { Bucket: this.#bucket, Prefix: prefix });
    for await (const { Contents = [] } of pages) keys.push(...Contents.flatMap(({ Key }) => Key ?? []));
    return keys;
  }
}
