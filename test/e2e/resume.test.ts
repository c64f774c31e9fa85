import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';

const mebibyte = 1024 ** 2;
const partSize = 8 * mebibyte;
const parts = 12;

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney({ tilingMs: 300 });
});
afterEach(async () => {
  await journey.end();
});

it('goes on by itself after a kill, and sends only what storage lacks', async () => {
  const { control } = journey.service;
  const source = join(journey.folder, 'Flight');
  const bytes = randomBytes(parts * partSize);
  await mkdir(source);
  await writeFile(join(source, 'ortho.tif'), bytes);
  const accepted = () =>
    control
      .requests()
      .filter(
        ({ method, path, status }) => method === 'PUT' && path.includes('partNumber=') && status === 200,
      );

  const first = await journey.launch();
  await signIn(journey, first);
  control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'throttle', bytesPerSecond: 4 * mebibyte },
  });
  await dropAndUpload(first, source);
  await eventually(() => expect(accepted().length).toBeGreaterThanOrEqual(2), 60_000);
  first.kill();
  control.clearFaults();
  const beforeRestart = accepted().length;

  const second = await journey.launch();
  await second.page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });
  expect(control.assets()).toMatchObject([{ status: 'COMPLETE', bytes: bytes.length }]);
  const [object] = await control.objects();
  expect(object?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  // What storage had accepted before the kill is asked for again by nobody, but for answers that the kill took away.
  expect(accepted().length - beforeRestart).toBeLessThanOrEqual(parts - 2);
  expect(beforeRestart).toBeLessThan(parts);
});
