import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, expect, it } from 'vitest';
import { openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
afterEach(() => house.close());

const patience = { timeout: 200_000, interval: 200 };
const resolutionMs = 5;
const hourMs = 60 * 60_000;

/** 1,000 files of a byte in each of so many folders: empty ones would be waited for. */
async function fill(folders: number): Promise<void> {
  for (let flight = 0; flight < folders; flight++) {
    const folder = join(house.incoming, `flight-${flight}`);
    await mkdir(folder);
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => writeFile(join(folder, `${index}.las`), 'x')),
    );
  }
}

/** Looks through the folder and gives for how long the main thread was held, 99th percentile, ms. */
async function look(): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  const before = house.watch.rules()[0]?.lastLookAt ?? 0;
  delay.enable();
  house.watch.lookAgain('the test');
  await expect.poll(() => house.watch.rules()[0]?.lastLookAt ?? 0, patience).toBeGreaterThan(before);
  delay.disable();
  return delay.percentile(99) / 1e6 - resolutionMs;
}

/** A busy machine holds the thread too, but not every time; what our own work holds it for shows in every look. */
async function bestLook(): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let looks = 0; looks < 8 && best >= 50; looks++) best = Math.min(best, await look());
  return best;
}

it('looks through 20,000 sources without holding the main thread for 50 ms, known ones and new ones', async () => {
  house = await openWatchHouse({ timing: { settleMs: { local: hourMs, network: hourMs } } });
  await fill(20);
  const unit = { kind: 'files', patterns: ['*.las'] } as const;
  const rule = await house.rule({ unit });
  // The first one comes together with the beginning of the watching.
  await look();
  expect(await bestLook()).toBeLessThan(50);
  expect(house.watch.rules()[0]?.counts.settling).toBe(20_000);
  expect(house.watch.sources(rule.id)).toHaveLength(500);

  house.watch.remove(rule.id);
  const other = await house.rule({ unit }, false);
  await look();
  expect(await bestLook()).toBeLessThan(50);
  expect(house.watch.rules()[0]?.counts.settling).toBe(0);
  expect(house.ledger().counts(other.id).skipped).toBe(20_000);
}, 240_000);

it('takes the first of thousands that arrive together as soon as they have settled', async () => {
  house = await openWatchHouse();
  // So that they come to lie ahead of the line, however fast they would be sent.
  house.service.control.addFault({
    match: { room: 'storage', method: 'PUT', times: 1_000 },
    action: { kind: 'hold' },
  });
  await fill(3);
  await house.rule({ unit: { kind: 'files', patterns: ['*.las'] } });
  await expect.poll(() => house.watch.rules()[0]?.counts.underWay, patience).toBe(20);
}, 240_000);
