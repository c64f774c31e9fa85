import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginJourney, dropAndUpload, type Journey, signIn } from './support/journey.ts';

const gib = 1024 ** 3;
/**
 * 64 MiB of parts in flight, some 17 MiB for each thread: two that send, and for ten seconds the one that
 * walked and the one that looked inside.
 */
const mayGrow = 180 * 1024 ** 2;

let journey: Journey;
beforeEach(async () => {
  journey = await beginJourney({ keepObjects: 'discard' });
});
afterEach(async () => {
  await journey.end();
});

it('uploads a 2 GiB file with the main process’s memory growing by less than 180 MiB', {
  timeout: 600_000,
}, async () => {
  const source = join(journey.folder, 'Ortho');
  await mkdir(source);
  const file = await open(join(source, 'ortho.tif'), 'w');
  await file.truncate(2 * gib);
  await file.close();

  const window = await journey.launch();
  await signIn(journey, window);
  const memory = () => window.app.evaluate(() => process.memoryUsage.rss());
  const previousMemory = await memory();
  await dropAndUpload(window, source);
  let most = previousMemory;
  const done = window.page.getByText('Complete', { exact: true }).first();
  // Each look at the memory crosses to the main process and back; that alone paces the loop.
  while (!(await done.isVisible())) most = Math.max(most, await memory());

  process.stderr.write(`main process: ${mebibytes(previousMemory)} before, ${mebibytes(most)} at most\n`);
  expect(journey.service.control.assets()).toMatchObject([{ status: 'COMPLETE', bytes: 2 * gib }]);
  expect(most - previousMemory).toBeLessThan(mayGrow);
});

const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`;
