import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scanWorkerSource } from '../../../main/files/walk/scan-workers.ts';
import { decisionMs } from '../../../main/inspect/headers/look-inside.ts';
import { createInspector } from '../../../main/inspect/inspector.ts';
import { type Clock, systemClock } from '../../../main/outside.ts';
import { tiffFile } from '../../unit/inspect/formats/sample-heads.ts';

/** An inspector whose waits of at most `patienceMs` are over at once, and all others never. */
async function inspectorWith(patienceMs: number) {
  const folder = await mkdtemp(join(tmpdir(), 'tilelift-decided-'));
  await writeFile(join(folder, 'dem.tif'), tiffFile({ size: [2, 2], bits: 32, sampleFormat: 3 }));
  const sleep: Clock['sleep'] = (ms) => (ms <= patienceMs ? Promise.resolve() : new Promise(() => {}));
  const clock: Clock = { ...systemClock, sleep };
  const { signal } = new AbortController();
  const inspector = createInspector({ clock, worker: scanWorkerSource, signal });
  onTestFinished(async () => {
    inspector.close();
    await rm(folder, { recursive: true });
  });
  return { inspector, folder };
}

it('waits for headers where the kind is acted on, and only guesses for the sheet', async () => {
  const { inspector, folder } = await inspectorWith(decisionMs - 1);
  expect((await inspector.preview([folder])).suggestion?.sourceType).toBe('RASTER_IMAGERY');
  const { suggestion, inDoubt } = await inspector.inspect([folder]);
  expect([suggestion?.sourceType, inDoubt]).toEqual(['RASTER_TERRAIN', null]);
});

it('names the file that was not read in time', async () => {
  const { inspector, folder } = await inspectorWith(decisionMs);
  const { inDoubt } = await inspector.inspect([folder]);
  expect(inDoubt).toMatch(/dem\.tif$/);
});
