import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ExternalStorage } from '../service/model.ts';

const environment = z.object({
  S3_ENDPOINT: z.string(),
  S3_REGION: z.string(),
  S3_ROLE_ARN: z.string(),
  S3_ACCESS_KEY: z.string(),
  S3_SECRET_KEY: z.string(),
});

/**
 * The real object store that the environment names, with a bucket that nobody has used. Throws when it names
 * none.
 */
export function objectStore(purpose: string): ExternalStorage {
  const given = environment.parse(process.env);
  return {
    endpoint: given.S3_ENDPOINT,
    region: given.S3_REGION,
    roleArn: given.S3_ROLE_ARN,
    accessKey: given.S3_ACCESS_KEY,
    secretKey: given.S3_SECRET_KEY,
    bucket: `tilelift-${purpose}-${randomBytes(6).toString('hex')}`,
  };
}
