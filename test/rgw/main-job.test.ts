import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { cliHouse, jsonLines } from '../integration/cli/run-cli.ts';
import { objectStore } from './settings.ts';

it('main job on a real object store with temporary credentials: completes with the source’s bytes in storage', async () => {
  const store = objectStore('main-job');
  const house = await cliHouse({ externalStorage: store });
  await house.signIn();
  const source = join(house.folder, 'Flug 12 (Süd)');
  const files: Readonly<Record<string, Buffer>> = {
    // Three parts, the last one short.
    'ortho mosaic.tif': randomBytes(20 * 1024 * 1024 + 17),
    'bilder/IMG #1+2.jpg': randomBytes(300_000),
    'bilder/größe 50%.tfw': Buffer.from('0.2\n0\n0\n-0.2\n565000\n5934000\n'),
    'empty.prj': Buffer.alloc(0),
  };
  await mkdir(join(source, 'bilder'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(source, name), bytes);

  const { stdout } = await house.run(['upload', source, '--source-type', 'RASTER_IMAGERY', '--json']);
  const { jobs } = jsonLines(stdout).at(-1) as { readonly jobs: readonly [{ readonly assetId: number }] };
  const [job] = jobs;
  expect(job).toMatchObject({ status: 'complete', assetStatus: 'COMPLETE', error: null });

  const owner = new S3Client({
    endpoint: store.endpoint,
    region: store.region,
    forcePathStyle: true,
    credentials: { accessKeyId: store.accessKey, secretAccessKey: store.secretKey },
  });
  for (const [name, bytes] of Object.entries(files)) {
    const key = `sources/${job.assetId}/${name.normalize('NFC')}`;
    const answer = await owner.send(new GetObjectCommand({ Bucket: store.bucket, Key: key }));
    const storedBytes = await answer.Body?.transformToByteArray();
    expect(sha256(storedBytes ?? new Uint8Array()), name).toBe(sha256(bytes));
  }
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
