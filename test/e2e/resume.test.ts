import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './support/eventually.ts';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';
import type { TileliftWindow } from './support/tilelift-window.ts';

const mebibyte = 1024 ** 2;
const partSize = 8 * mebibyte;
const parts = 12;

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney();
});
afterEach(async () => {
  await journey.end();
});

const accepted = () =>
  journey.service.control
    .requests()
    .filter(({ method, path, status }) => method === 'PUT' && path.includes('partNumber=') && status === 200);

/** Begins an upload of twelve parts and stops it, in the given way, when storage has a few of them. */
async function interrupted(stop: (window: TileliftWindow) => Promise<void>): Promise<Buffer> {
  const source = join(journey.folder, 'Flight');
  const bytes = randomBytes(parts * partSize);
  await mkdir(source);
  await writeFile(join(source, 'ortho.tif'), bytes);
  const window = await journey.launch();
  await signIn(journey, window);
  journey.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'throttle', bytesPerSecond: 4 * mebibyte },
  });
  await dropAndUpload(window, source);
  await eventually(() => expect(accepted().length).toBeGreaterThanOrEqual(2), 60_000);
  await stop(window);
  journey.service.control.clearFaults();
  return bytes;
}

it.each([
  ['a kill', async (window: TileliftWindow) => window.kill()],
  [
    'a quit',
    async (window: TileliftWindow) => {
      const program = window.app.process();
      await window.close();
      expect(program.exitCode).toBe(0);
    },
  ],
])('resumes by itself after %s and sends only what storage lacks', async (_how, stop) => {
  const { control } = journey.service;
  const bytes = await interrupted(stop);
  const beforeRestart = accepted().length;

  const second = await journey.launch();
  await second.page.getByText('Complete', { exact: true }).first().waitFor({ timeout: 60_000 });

  expect(control.assets()).toMatchObject([{ status: 'COMPLETE', bytes: bytes.length }]);
  const [object] = await control.objects();
  expect(object?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  // What storage had accepted is sent again by nobody.
  expect(beforeRestart).toBeLessThan(parts);
  expect(accepted().length).toBe(parts);
});
