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

/** The object store that the environment names, with an unused bucket. Throws without one. */
export function objectStore(purpose: string): ExternalStorage {
  const variables = environment.parse(process.env);
  return {
    endpoint: variables.S3_ENDPOINT,
    region: variables.S3_REGION,
    roleArn: variables.S3_ROLE_ARN,
    accessKey: variables.S3_ACCESS_KEY,
    secretKey: variables.S3_SECRET_KEY,
    bucket: `tilelift-${purpose}-${randomBytes(6).toString('hex')}`,
  };
}
