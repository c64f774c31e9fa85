import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../main/ports.ts';
import type { StoredPart } from '../../../main/storage/storage.ts';
import { planFile } from '../../../main/transfer/plan.ts';
import { transfer } from '../../../main/transfer/transfer.ts';
import type { TransferFile, TransferRecord } from '../../../main/transfer/transfer-model.ts';
import type { TransferProgress } from '../../../main/transfer/transfer-progress.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type LineShape, SlowLineStorage, stepMs } from './slow-storage.ts';

/** A rural uplink. Loopback buffers whole parts; other networks about a megabyte. */
const village: LineShape = { rate: 1.2e6, delayMs: 75, buffers: 1e6 };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => reject(signal.reason));
    }),
};

async function filesOf(sizes: readonly number[]): Promise<TransferFile[]> {
  const files: TransferFile[] = [];
  for (const [id, size] of sizes.entries()) {
    const path = join(folder, String(size));
    const handle = await open(path, 'a');
    await handle.truncate(size);
    await handle.close();
    files.push({
      ...{ id, path, key: `key-${id}`, size, mtimeMs: 0, plan: planFile(size), uploadId: null },
      ...{ uploadChecksum: null, parts: [], completeSent: false },
    });
  }
  return files;
}

interface ShownProgress extends TransferProgress {
  /** ms since the start. */
  readonly at: number;
  readonly secondsLeft: number | null;
}

/** Sends the files and records the shown progress every quarter of a second. */
async function send(
  files: readonly TransferFile[],
  storage: SlowLineStorage,
  {
    during: duringStep = () => {},
    parts = new Map<number, StoredPart>(),
    signal = new AbortController().signal,
  } = {},
) {
  const startedAt = performance.now();
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const record = {
    uploadBegun: () => {},
    partConfirmed: async (_: number, part: StoredPart) => void parts.set(part.number, part),
    completeSent: () => {},
    fileConfirmed: async () => {},
    identityTaken: () => {},
    partsDropped: () => {},
    uploadForgotten: () => {},
    noteResent: () => {},
  } satisfies TransferRecord;
  let progress: TransferProgress | null = null;
  let end: unknown = null;
  let tookMs = 0;
  transfer(files, {
    ...{ storage, record, clock, random: () => 1, signal, credentialsEndAt: Date.now() + 3_600_000 },
    confirmedAmount: {
      bytes: files.flatMap((file) => file.parts).reduce((sum, { size }) => sum + size, 0),
      parts: files.flatMap((file) => file.parts).length,
    },
    onProgress: (told) => {
      progress = told;
      // The end waits for the disk, which ignores fake timers.
      if (told.acknowledged === total) tookMs ||= performance.now() - startedAt;
    },
  }).then(
    () => {
      end = 'done';
    },
    (error: unknown) => {
      end = error;
    },
  );
  const shownValues: ShownProgress[] = [];
  while (end === null) {
    for (let step = 0; step < 250 / stepMs && end === null; step++) {
      await vi.advanceTimersByTimeAsync(stepMs);
      storage.step();
      for (let turn = 0; turn < 5; turn++) await setImmediate();
    }
    duringStep();
    const lastProgress = progress as TransferProgress | null;
    if (!lastProgress || end !== null || tookMs > 0) continue;
    const { bytesPerSecond, acknowledged, onWire } = lastProgress;
    const secondsLeft = bytesPerSecond && (total - acknowledged - onWire) / bytesPerSecond;
    shownValues.push({ ...lastProgress, at: performance.now() - startedAt, secondsLeft });
  }
  return { shown: shownValues, tookMs, end };
}

const sumOf = ({ acknowledged, onWire }: TransferProgress) => acknowledged + onWire;

/** Expects the shown progress to be within a quarter of the real one from `fromMs` on. */
function expectHonest({ shown: shownValues, tookMs }: Awaited<ReturnType<typeof send>>, fromMs: number) {
  const laterValues = shownValues.filter(({ at }) => at >= fromMs && tookMs - at > 3_000);
  expect(laterValues.length).toBeGreaterThan(20);
  const ratios = laterValues.map(({ at, secondsLeft }) => (secondsLeft ?? 0) / ((tookMs - at) / 1000));
  expect(Math.min(...ratios)).toBeGreaterThan(0.75);
  expect(Math.max(...ratios)).toBeLessThan(1.25);
}

/** Expects progress each second, and no step back. */
function expectMoving({ shown: shownValues }: Awaited<ReturnType<typeof send>>) {
  for (const [index, value] of shownValues.entries()) {
    const previous = shownValues[index - 1];
    if (previous) expect(sumOf(value), `${value.at} ms`).toBeGreaterThanOrEqual(sumOf(previous));
    const earlierValue = shownValues[index - 5];
    if (earlierValue) expect(sumOf(value), `${value.at} ms`).toBeGreaterThan(sumOf(earlierValue));
  }
}

describe.each([
  ['a megabyte', 1e6],
  ['whatever comes', 64e6],
])('on a slow line whose buffers take %s', (_, buffers) => {
  it('C34: transfer estimates the remaining time within a quarter after 20 s and moves each second', async () => {
    const result = await send(await filesOf([100e6]), new SlowLineStorage({ ...village, buffers }));
    expect(result.tookMs).toBeLessThan((100e6 / 1.2e6) * 1000 * 1.07);
    expectHonest(result, 20_000);
    expectMoving(result);
  });

  it('transfer shows no speed before a confirmation, and never more than the line has', async () => {
    const { shown: shownValues } = await send(
      await filesOf([60e6]),
      new SlowLineStorage({ ...village, buffers }),
    );
    for (const { acknowledged, bytesPerSecond } of shownValues) {
      if (acknowledged === 0) expect(bytesPerSecond).toBeNull();
      expect(bytesPerSecond ?? 0).toBeLessThan(1.2e6 * 1.1);
    }
  });

  it('transfer confirms a part every few seconds without timeouts', async () => {
    const storage = new SlowLineStorage({ ...village, buffers, stallMs: 30_000 });
    const { shown: shownValues } = await send(await filesOf([100e6]), storage);
    expect(storage.stalls).toBe(0);
    const steps = shownValues.filter(
      (item, index) => item.acknowledged > (shownValues[index - 1]?.acknowledged ?? 0),
    );
    const [firstGap = 0, ...gaps] = steps.map(({ at }, index) => at - (steps[index - 1]?.at ?? 0));
    // Until then it may be a wide line.
    expect(firstGap).toBeLessThan(5_000 + 7_500);
    expect(Math.max(...gaps)).toBeLessThan(10_000);
    expect(storage.mostUnconfirmed).toBe(1);
    for (const { partsSentAgain } of shownValues) expect(partsSentAgain).toBe(0);
  });

  it('transfer confirms the first of several single-part files within seconds without timeouts', async () => {
    const storage = new SlowLineStorage({ ...village, buffers, stallMs: 30_000 });
    const { shown: shownValues } = await send(await filesOf(Array(10).fill(8e6)), storage);
    expect(storage.stalls).toBe(0);
    expect(shownValues.find(({ acknowledged }) => acknowledged > 0)?.at).toBeLessThan(12_500);
  });

  it('transfer estimates anew after a restart', async () => {
    const storage = new SlowLineStorage({ ...village, buffers });
    const [file] = await filesOf([100e6]);
    if (!file) throw new Error('no file');
    const stopController = new AbortController();
    const parts = new Map<number, StoredPart>();
    let failuresLeft = 120;
    const duringStep = () => {
      if (failuresLeft-- === 0) stopController.abort(new Error('stopped'));
    };
    const firstRun = await send([file], storage, {
      during: duringStep,
      parts,
      signal: stopController.signal,
    });
    expect(firstRun.end).toMatchObject({ message: 'stopped' });
    const secondRun = await send([{ ...file, uploadId: file.key, parts: [...parts.values()] }], storage);
    expect(secondRun.shown[0]?.acknowledged).toBeGreaterThan(0);
    expect(secondRun.shown[0]?.bytesPerSecond).toBeNull();
    for (const { bytesPerSecond } of secondRun.shown) expect(bytesPerSecond ?? 0).toBeLessThan(1.2e6 * 1.1);
    expectHonest(secondRun, 20_000);
  });

  it('transfer estimates a thousand small files correctly', async () => {
    const result = await send(
      await filesOf(Array(1_000).fill(65_536)),
      new SlowLineStorage({ ...village, buffers }),
    );
    expectHonest(result, 5_000);
    expectMoving(result);
  });

  it('transfer lowers the shown speed while the line stands still', async () => {
    const storage = new SlowLineStorage({ ...village, buffers });
    let checks = 0;
    const duringStep = () => {
      checks += 1;
      storage.isStanding = checks > 100 && checks < 300;
    };
    const { shown: shownValues } = await send(await filesOf([60e6]), storage, { during: duringStep });
    expect(shownValues.find(({ at }) => at > 24_000)?.bytesPerSecond).toBeGreaterThan(1e6);
    expect(shownValues.find(({ at }) => at > 73_000)?.bytesPerSecond).toBeLessThan(0.8e6);
  });
});

/** A line to another continent: 1 Gbit/s needs twenty connections. */
const continent: LineShape = { rate: 125e6, delayMs: 75, buffers: 1e6, window: 1e6 };
const mebibyte = 1024 * 1024;

describe('on a long and wide line', () => {
  it.each([
    ['1 Gbit/s', 125e6, 1024 * mebibyte, 0.82],
    ['1 Gbit/s for two seconds', 125e6, 256 * mebibyte, 0.54],
    ['200 Mbit/s', 25e6, 256 * mebibyte, 0.92],
  ])('transfer fills %s with at most 64 MiB of parts in memory', async (_, rate, bytes, fraction) => {
    const storage = new SlowLineStorage({ ...continent, rate });
    const result = await send(await filesOf([bytes]), storage);
    expect(bytes / rate / (result.tookMs / 1000)).toBeGreaterThan(fraction);
    expect(storage.mostInMemory).toBeLessThanOrEqual(64 * mebibyte);
    expect(storage.mostUnconfirmed).toBeLessThanOrEqual(32);
    expectMoving(result);
  });

  it.each([
    ['five megabytes', 5e6, 1024, 0.8],
    ['all', 64e6, 1024, 0.68],
    ['five megabytes', 5e6, 256, 0.5],
    ['all', 64e6, 256, 0.36],
  ])(
    'transfer fills the line when buffers take %s of each part at once: %#',
    async (_, buffers, size, fraction) => {
      const bytes = size * mebibyte;
      const result = await send(await filesOf([bytes]), new SlowLineStorage({ ...continent, buffers }));
      expect(bytes / 125e6 / (result.tookMs / 1000)).toBeGreaterThan(fraction);
    },
  );

  it.each([
    ['a megabyte', 1e6],
    ['four megabytes', 4e6],
  ])('transfer survives a line that becomes narrow, with %s in buffers', async (_, buffers) => {
    const bytes = 512 * mebibyte;
    const storage = new SlowLineStorage({ ...continent, buffers, stallMs: 30_000 });
    let checks = 0;
    const duringStep = () => {
      checks += 1;
      if (checks === 16) storage.share = 1.2 / 125;
    };
    const result = await send(await filesOf([bytes]), storage, { during: duringStep });
    // Parts under way time out once, together; after that the limit fits.
    expect(storage.stalls).toBeGreaterThan(0);
    expect(storage.stalls).toBeLessThanOrEqual(64);
    expect(result.tookMs).toBeGreaterThan(0);
    expect(result.tookMs / 1000).toBeLessThan((1.15 * bytes) / 1.2e6);
  });

  it.each([
    ['its first second', 4, 1e6],
    ['its first second', 4, 4e6],
    ['its first second', 4, 64e6],
    ['a second and a quarter', 5, 4e6],
  ])('transfer has no timeouts when the line is wide for %s alone: %#', async (_, wideFor, buffers) => {
    const bytes = 256 * mebibyte;
    const storage = new SlowLineStorage({ ...continent, buffers, stallMs: 30_000 });
    let checks = 0;
    const duringStep = () => {
      checks += 1;
      if (checks === wideFor) storage.share = 1.2 / 125;
    };
    const result = await send(await filesOf([bytes]), storage, { during: duringStep });
    expect(storage.stalls).toBe(0);
    expect(result.tookMs / 1000).toBeLessThan((1.05 * bytes) / 1.2e6);
  });

  it.each([2e6, 4e6, 8e6])(
    'transfer has no timeouts on a narrow line whose router buffers %i bytes',
    async (router) => {
      const bytes = 100e6;
      const line = { ...village, window: 1e6, buffers: 4e6, router, stallMs: 30_000 };
      const storage = new SlowLineStorage(line);
      const result = await send(await filesOf([bytes]), storage);
      expect(storage.stalls).toBe(0);
      expect(result.tookMs / 1000).toBeLessThan((1.05 * bytes) / village.rate);
    },
  );

  it('transfer fills a line with pauses of up to a second', async () => {
    const storage = new SlowLineStorage({ ...continent, rate: 25e6, stallMs: 30_000 });
    let checks = 0;
    const duringStep = () => {
      checks += 1;
      storage.isStanding = [1, 10, 11, 20, 21, 22].includes(checks % 30);
    };
    const bytes = 512 * mebibyte;
    const result = await send(await filesOf([bytes]), storage, { during: duringStep });
    expect(storage.stalls).toBe(0);
    // A fifth of the time.
    expect(bytes / 25e6 / (result.tookMs / 1000)).toBeGreaterThan(0.7);
  });

  it('transfer survives a connection cut every three seconds', async () => {
    const storage = new SlowLineStorage({ ...continent, rate: 25e6 });
    let checks = 0;
    const duringStep = () => {
      checks += 1;
      if (checks % 12 === 0) storage.reset();
    };
    const bytes = 512 * mebibyte;
    const result = await send(await filesOf([bytes]), storage, { during: duringStep });
    expect(bytes / 25e6 / (result.tookMs / 1000)).toBeGreaterThan(0.6);
  });

  it.each([
    ['100 Mbit/s', 12.5e6, 512 * mebibyte],
    ['1 Gbit/s', 125e6, 1024 * mebibyte],
  ])('transfer behaves as before when storage is near, at %s', async (_, rate, bytes) => {
    const storage = new SlowLineStorage({ rate, delayMs: 1, buffers: 1e6 });
    const { shown: shownValues } = await send(await filesOf([bytes]), storage);
    expect(storage.streamed).toBe(0);
    expect(storage.mostUnconfirmed).toBe(1);
    expect(Math.max(...shownValues.map(({ concurrency }) => concurrency))).toBeLessThanOrEqual(8);
  });
});
