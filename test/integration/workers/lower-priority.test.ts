import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStorageClient } from '../../../main/workers/storage-client.ts';
import { makeCertificate } from '../../../tools/bench/certificate.ts';
import { launchSink, type Sink } from '../../../tools/bench/sink/launch.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { orderWholeFile } from '../storage/part-order.ts';

/** Reason why this system can't show priorities; empty if it can. */
const elsewhere = hindrance();

let folder: string;
let sink: Sink;

beforeEach(async () => {
  folder = temporaryFolder();
  sink = await launchSink(await makeCertificate(folder));
});
afterEach(async () => {
  await sink.stop();
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

/** Nice value of each thread of this process (proc(5): field 19 of `stat`). */
function niceOfThreads(): ReadonlyMap<number, number> {
  const nice = new Map<number, number>();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
      nice.set(Number(thread), Number(fields.slice(fields.lastIndexOf(')') + 2).split(' ')[16]));
    } catch {
      // The thread has ended since.
    }
  }
  return nice;
}

describe.skipIf(elsewhere)(`upload threads${elsewhere}`, () => {
  it('upload threads run at lower priority than other programs, and other threads don’t', async () => {
    const order = await orderWholeFile(folder, 'file', 'a few bytes');
    // The tests themselves may run at lower priority.
    const behind = Math.max(5, getPriority());
    const previousNice = niceOfThreads();
    const { bucket, endpoint } = sink.target('http');
    const keys = { accessKey: 'key', secretAccessKey: 'secret', sessionToken: 'token' };
    const storage = createStorageClient({ bucket, endpoint, prefix: 'p/', ...keys }, { workers: 2 });
    const sentPart = await storage.sendPart(order);
    expect(sentPart.size).toBe(order.size);

    // An earlier file may have left lowered threads, which the client takes instead of new ones.
    const loweredThreads = () => [...niceOfThreads().values()].filter((nice) => nice === behind);
    await expect.poll(() => loweredThreads().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    for (const [thread, nice] of niceOfThreads())
      if (previousNice.has(thread)) expect([thread, nice]).toEqual([thread, previousNice.get(thread)]);
    storage.close();
  });
});
