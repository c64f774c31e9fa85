/** `Upload` of @aws-sdk/lib-storage, as its guide uses it. */
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { partSize, readTask } from './task.ts';

const filesAtOnce = 16;
const partsAtOnce = 8;

const task = readTask();
const client = new S3Client({
  region: 'us-east-1',
  endpoint: task.endpoint,
  forcePathStyle: true,
  credentials: {
    accessKeyId: task.accessKey,
    secretAccessKey: task.secretAccessKey,
    sessionToken: task.sessionToken,
  },
});
const paths =
  task.shape === 'file' ? [task.path] : (await readdir(task.path)).map((name) => join(task.path, name));

async function lane(): Promise<void> {
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    await new Upload({
      client,
      params: { Bucket: task.bucket, Key: `${task.id}/${basename(path)}`, Body: createReadStream(path) },
      partSize,
      queueSize: partsAtOnce,
    }).done();
  }
}

await Promise.all(Array.from({ length: filesAtOnce }, lane));
client.destroy();
