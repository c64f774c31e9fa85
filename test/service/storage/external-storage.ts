import {
  CreateBucketCommand,
  HeadBucketCommand,
  NotFound,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import type { ExternalStorage as ExternalSettings } from '../model.ts';
import type { UploadCredentials, UploadStorage } from './upload-storage.ts';

/** Upload credentials may write below their prefix and manage their own multipart uploads, but not read. */
function uploadActions({ mayListParts = true }: ExternalSettings): readonly string[] {
  const actions = ['s3:PutObject', 's3:AbortMultipartUpload'];
  return mayListParts ? [...actions, 's3:ListMultipartUploadParts'] : actions;
}

/** A third-party S3 endpoint with STS, for example Ceph RGW. Throws the SDK's errors. */
export class ExternalStorage implements UploadStorage {
  readonly bucket: string;
  readonly #settings: ExternalSettings;
  readonly #lifeSeconds: number;
  readonly #s3: S3Client;
  readonly #sts: STSClient;

  constructor(settings: ExternalSettings, lifeSeconds: number) {
    const { endpoint, region, accessKey, secretKey } = settings;
    const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
    this.bucket = settings.bucket;
    this.#settings = settings;
    this.#lifeSeconds = lifeSeconds;
    this.#sts = new STSClient({ endpoint, region, credentials });
    this.#s3 = new S3Client({
      endpoint,
      region,
      credentials,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
  }

  async prepare(): Promise<void> {
    const Bucket = this.bucket;
    try {
      await this.#s3.send(new HeadBucketCommand({ Bucket }));
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      await this.#s3.send(new CreateBucketCommand({ Bucket }));
    }
  }

  endpoint(): string {
    return this.#settings.endpoint;
  }

  async giveCredentials(assetId: number, prefix: string): Promise<UploadCredentials> {
    const { Credentials } = await this.#sts.send(
      new AssumeRoleCommand({
        RoleArn: this.#settings.roleArn,
        RoleSessionName: `asset-${assetId}`,
        DurationSeconds: this.#lifeSeconds,
        Policy: JSON.stringify({
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: uploadActions(this.#settings),
              Resource: [`arn:aws:s3:::${this.bucket}/${prefix}*`],
            },
          ],
        }),
      }),
    );
    const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials ?? {};
    if (!AccessKeyId || !SecretAccessKey || !SessionToken) throw new Error('STS gave no credentials.');
    return { accessKey: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  }

  /** Uses the owner's key, because upload credentials may not list. */
  async measure(prefix: string): Promise<{ count: number; bytes: number }> {
    const pages = paginateListObjectsV2({ client: this.#s3 }, { Bucket: this.bucket, Prefix: prefix });
    let count = 0;
    let bytes = 0;
    for await (const { Contents = [] } of pages) {
      count += Contents.length;
      for (const { Size = 0 } of Contents) bytes += Size;
    }
    return { count, bytes };
  }

  close(): void {
    this.#s3.destroy();
    this.#sts.destroy();
  }
}
