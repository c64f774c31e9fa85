import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { launchSink, type Sink } from '../../../tools/bench/sink/launch.ts';

/** Why it can't be seen here; empty where it can. */
const elsewhere = hindrance();

let folder: string;
let sink: Sink;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-stand-back-'));
  sink = await launchSink(await makeCertificate(folder));
});
afterEach(async () => {
  await sink.stop();
  await rm(folder, { recursive: true, force: true });
});

function hindrance(): string {
  if (process.platform !== 'linux') return ' (only Linux has priorities of threads)';
  try {
    setPriority(process.pid, getPriority());
    return '';
  } catch {
    return ' (this machine lets no program set a priority)';
  }
}

/** Of each thread of this process how far it stands back, by its number (proc(5): field 19 of `stat`). */
function niceOfThreads(): ReadonlyMap<number, number> {
  const nice = new Map<number, number>();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      nice.set(Number(thread), Number(fields.slice(fields.lastIndexOf(')') + 2).split(' ')[16]));
    } catch {
      // It has ended meanwhile.
    }
  }
  return nice;
}

describe.skipIf(elsewhere)(`upload threads${elsewhere}`, () => {
  it('run at lower priority than other programs, and other threads don’t', async () => {
    const path = join(folder, 'file');
    await writeFile(path, 'a few bytes');
    const { mtimeMs, size } = await stat(path);
    // Whatever runs these tests may stand back further.
    const behind = Math.max(5, getPriority());
    const before = niceOfThreads();
    const { bucket, endpoint } = sink.target('http');
    const keys = { accessKey: 'key', secretAccessKey: 'secret', sessionToken: 'token' };
    const storage = createStorageClient({ bucket, endpoint, prefix: 'p/', ...keys }, { workers: 2 });
    const sent = await storage.sendPart({
      ...{ path, size, mtimeMs, key: 'file', uploadId: null, number: 1, offset: 0, length: size },
      ...{ mayCarryCrc32: true, adoptable: null },
    });
    expect(sent.size).toBe(size);

    const standing = () =>
      [...niceOfThreads()].filter(([thread, nice]) => nice === behind && !before.has(thread));
    await expect.poll(() => standing().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    for (const [thread, nice] of niceOfThreads())
      if (before.has(thread)) expect([thread, nice]).toEqual([thread, before.get(thread)]);
    storage.close();
  });
});
