import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { cliHouse, jsonLines, smallCity } from '../integration/cli/run-cli.ts';
import { objectStore } from './settings.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it('completes tilelift upload on a real object store after a kill: byte-equal, no duplicates', {
  timeout: 300_000,
}, async () => {
  const store = objectStore('command');
  const house = await cliHouse({ externalStorage: store });
  await house.signIn();
  const city = await smallCity(house.folder, 'city.gml', 120 * 1024 * 1024);
  const firstCommand = house.start(['upload', city, '--json']);
  await firstCommand.says(/"bytesDone":[1-9]/);
  firstCommand.child.kill('SIGKILL');
  await firstCommand.ended;

  const { code, stdout } = await house.run(['upload', city, '--json']);

  expect(code).toBe(0);
  const [firstEvent, ...furtherLines] = jsonLines(stdout);
  expect(firstEvent).toMatchObject({ event: 'upload', continued: true });
  const { jobs } = furtherLines.at(-1) as { jobs: [{ assetId: number }] };
  expect(house.service.control.assets()).toEqual([
    expect.objectContaining({ id: jobs[0].assetId, status: 'COMPLETE' }),
  ]);
  const owner = new S3Client({
    endpoint: store.endpoint,
    region: store.region,
    forcePathStyle: true,
    credentials: { accessKeyId: store.accessKey, secretAccessKey: store.secretKey },
  });
  const Key = `sources/${jobs[0].assetId}/city.gml`;
  const answer = await owner.send(new GetObjectCommand({ Bucket: store.bucket, Key }));
  const storedBytes = await answer.Body?.transformToByteArray();
  expect(sha256(storedBytes ?? new Uint8Array())).toBe(sha256(await readFile(city)));
});
