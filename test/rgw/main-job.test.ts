import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMainJob } from '../../scripts/terminal/main-job.ts';
import type { EmbeddedService } from '../service/model.ts';
import { allowInBrowser } from '../service/person.ts';
import { startEmbeddedService } from '../service/start-service.ts';
import { objectStore } from './settings.ts';

describe('the main job on a real object store with temporary credentials', () => {
  const store = objectStore('main-job');
  let folder: string;
  let service: EmbeddedService;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tilelift-rgw-'));
    service = await startEmbeddedService({ externalStorage: store, dataFolder: join(folder, 'service') });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('ends COMPLETE, and the objects are the source’s bytes', async () => {
    const source = join(folder, 'Flug 12 (Süd)');
    const files: Readonly<Record<string, Buffer>> = {
      // Above one part: three parts, the last one short.
      'ortho mosaic.tif': randomBytes(20 * 1024 * 1024 + 17),
      'bilder/IMG #1+2.jpg': randomBytes(300_000),
      'bilder/größe 50%.tfw': Buffer.from('0.2\n0\n0\n-0.2\n565000\n5934000\n'),
      'empty.prj': Buffer.alloc(0),
    };
    await mkdir(join(source, 'bilder'), { recursive: true });
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(source, name), bytes);

    const job = await runMainJob({
      folder: join(folder, 'tilelift'),
      baseUrl: service.baseUrl,
      authUrl: service.authUrl,
      source,
      assetType: 'IMAGERY',
      sourceType: 'RASTER_IMAGERY',
      name: undefined,
      person: (link) => allowInBrowser(link),
      onStep: () => {},
      onProgress: () => {},
    });
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
      const stored = await answer.Body?.transformToByteArray();
      expect(sha256(stored ?? new Uint8Array()), name).toBe(sha256(bytes));
    }
  });
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
