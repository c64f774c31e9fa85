import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { scanWorkerSource } from '../../../main/files/walk/scan-workers.ts';
import { createInspector } from '../../../main/inspect/inspector.ts';
import { systemClock } from '../../../main/outside.ts';

it.each([
  ['5,000 files', 5_000, 2],
  ['a few', 20, 0],
])(
  'of %s, what a look has thrown away may be given back after it, and after the survey',
  async (_many, count, times) => {
    const folder = await mkdtemp(join(tmpdir(), 'tilelift-inspector-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (let at = 0; at < count; at++) closeSync(openSync(join(folder, `${at}.txt`), 'w'));
    const stop = new AbortController();
    const onLooked = vi.fn();
    const parts = { clock: systemClock, worker: scanWorkerSource, signal: stop.signal };
    const inspector = createInspector({ ...parts, onLooked });
    onTestFinished(() => inspector.close());
    const { files } = await inspector.inspect([folder]);
    expect(onLooked).toHaveBeenCalledTimes(times / 2);
    await inspector.survey(files, stop.signal, () => {});
    expect(onLooked).toHaveBeenCalledTimes(times);
  },
);
