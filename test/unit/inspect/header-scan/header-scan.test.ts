import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import {
  type HeaderScanParts,
  type HeaderScanProgress,
  longestMs,
  scanHeaders,
  silentMs,
} from '../../../../main/inspect/header-scan/header-scan.ts';
import { HeaderCache } from '../../../../main/inspect/headers/header-cache.ts';
import type { HeaderAnswer, HeaderTask } from '../../../../main/inspect/headers/read-header.ts';
import type { LonLat } from '../../../../shared/source.ts';

const ring: readonly LonLat[] = [
  [9, 50],
  [9, 51],
  [10, 51],
  [9, 50],
];
const head: HeaderAnswer = {
  head: { kind: 'grid', corners: null },
  sidecarSystemName: 'EPSG:25832',
  verdict: null,
};
const file = (key: string): SourceFile => ({
  ...{ key, path: `/data/${key}`, size: 100, mtimeMs: 1 },
  identity: { fileId: null, ctimeMs: 2 },
});
const tiles = (count: number) => Array.from({ length: count }, (_, at) => file(`${at}.asc`));

/** A survey whose clock advances only by reads of `readMs`. */
function setUp(readMs = 0.1, changedParts: Partial<HeaderScanParts> = {}) {
  const progress: HeaderScanProgress[] = [];
  const readHere: string[] = [];
  const readElsewhere: string[] = [];
  const stop = new AbortController();
  let now = 0;
  let pauses = 0;
  const read = (target: string[]) => async (task: HeaderTask) => {
    now += readMs;
    target.push(task.key);
    return head;
  };
  const parts: Omit<HeaderScanParts, 'findings'> = {
    cache: new HeaderCache(),
    outline: () => ring,
    read: read(readHere),
    openReaders: () => ({ readers: Array.from({ length: 16 }, () => read(readElsewhere)), close: () => {} }),
    currentTime: () => now,
    pause: async () => {
      pauses++;
    },
    wait: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    notify: (message) => progress.push(message),
    ...changedParts,
  };
  return {
    ...{ told: progress, here: readHere, elsewhere: readElsewhere, stop, parts },
    pauses: () => pauses,
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    run: (files: readonly SourceFile[]) => {
      const findings = createFindings(files, null);
      return scanHeaders(files, { ...parts, findings }, stop.signal);
    },
  };
}

it('a survey inspects all files, reports progress and finally its end', async () => {
  const { run, told: progress, here: readHere, pauses } = setUp(10);
  await run(tiles(8));
  expect(readHere).toHaveLength(8);
  expect(progress.at(-1)?.seen).toMatchObject({ state: 'done', looked: 8, total: 8, placed: 8 });
  const { run: runAgain, told: longerProgress, elsewhere: readElsewhere } = setUp(10);
  await runAgain(tiles(200));
  expect(readElsewhere).toHaveLength(191);
  expect(longerProgress.length).toBeGreaterThan(3);
  expect(longerProgress.slice(0, -1).every(({ seen }) => seen.state === 'looking')).toBe(true);
  // Each footprint is sent once.
  expect(longerProgress.flatMap(({ footprints }) => footprints.keys).sort()).toEqual(
    tiles(200)
      .map(({ key }) => key)
      .sort(),
  );
  expect(pauses()).toBeGreaterThan(0);
});

it('a survey reads fast files in one thread and yields every few milliseconds', async () => {
  const { run, here: readHere, elsewhere: readElsewhere, pauses } = setUp(1);
  await run(tiles(500));
  expect([readHere.length, readElsewhere.length]).toEqual([500, 0]);
  expect(pauses()).toBeGreaterThanOrEqual(30);
});

it('a survey reads slow files in parallel', async () => {
  const { run, here: readHere, elsewhere: readElsewhere, told: progress } = setUp(3);
  await run(tiles(100));
  expect([readHere.length, readElsewhere.length]).toEqual([9, 91]);
  expect(progress.at(-1)?.seen.state).toBe('done');
});

it('a survey stops reading on abort and reports it', async () => {
  const { parts, stop, told: progress } = setUp(1);
  let reads = 0;
  const read: HeaderScanParts['read'] = async () => {
    if (++reads === 30) stop.abort();
    return head;
  };
  const findings = createFindings(tiles(1000), null);
  await scanHeaders(tiles(1000), { ...parts, findings, read }, stop.signal);
  expect(reads).toBe(30);
  expect(progress.at(-1)?.seen).toMatchObject({ state: 'stopped', total: 1000 });
  // Reads in progress are not awaited.
  expect(progress.at(-1)?.seen.looked).toBeLessThan(30);
});

it('a survey skips a reader that waits for a drive', async () => {
  const neverResolve = () => new Promise<never>(() => {});
  let isClosed = false;
  const {
    told: progress,
    run,
    stop,
  } = setUp(5, {
    openReaders: () => ({
      readers: [
        neverResolve,
        () => {
          stop.abort();
          return neverResolve();
        },
      ],
      close: () => {
        isClosed = true;
      },
    }),
  });
  await run(tiles(50));
  expect(isClosed).toBe(true);
  expect(progress.at(-1)?.seen).toMatchObject({ state: 'stopped', looked: 9 });
  // Half a minute of silence is the limit.
  const lateSetup: ReturnType<typeof setUp> = setUp(5, {
    openReaders: () => ({ readers: [neverResolve], close: () => {} }),
    wait: async (ms) => {
      await setImmediate();
      lateSetup.pass(ms);
    },
  });
  await lateSetup.run(tiles(50));
  expect(lateSetup.now()).toBeLessThan(longestMs + silentMs);
  expect(lateSetup.told.at(-1)?.seen).toMatchObject({ state: 'stopped', looked: 9 });
});

it('a survey ends after two minutes', async () => {
  const { run, told: progress } = setUp(1000);
  await run(tiles(1000));
  const lastFacts = progress.at(-1)?.seen;
  expect(lastFacts).toMatchObject({ state: 'stopped', total: 1000 });
  // Interrupted reads are counted.
  expect(lastFacts?.looked).toBeLessThanOrEqual(120 + 16);
});

it('a survey opens no unchanged file twice', async () => {
  const firstSetup = setUp();
  await firstSetup.run(tiles(30));
  const { cache } = firstSetup.parts;
  const secondSetup = setUp(0.1, { cache });
  const changed = { ...file('7.asc'), mtimeMs: 9 };
  await secondSetup.run(tiles(30).with(7, changed));
  expect(secondSetup.here).toEqual(['7.asc']);
  expect(secondSetup.told.at(-1)?.seen).toMatchObject({ state: 'done', looked: 30 });
});

it('a survey is empty when no file contains data', async () => {
  const { run, told: progress } = setUp();
  await run([file('notes.txt')]);
  expect(progress.map(({ seen }) => [seen.state, seen.total])).toEqual([['done', 0]]);
});
