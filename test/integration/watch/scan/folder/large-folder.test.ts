import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { las } from '../../../../deliveries/data.ts';
import { openWatchHouse, type WatchHouse } from '../../house.ts';

let house: WatchHouse;
afterEach(() => house.close());

const patience = { timeout: 200_000, interval: 200 };
const tickMs = 5;
const hourMs = 60 * 60_000;

const points = las();

/** 1,000 point clouds in each of so many folders. */
async function fill(folders: number): Promise<void> {
  for (let flight = 0; flight < folders; flight++) {
    const folder = join(house.incoming, `flight-${flight}`);
    await mkdir(folder);
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => writeFile(join(folder, `${index}.las`), points)),
    );
  }
}

interface Goes {
  readonly usual: number;
  readonly longest: number;
}

/**
 * What the main thread has worked so far, ms: what other threads and programs do on a busy machine is not in
 * it.
 */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Scans the folder and gives for how long the main thread worked in one go, ms: in 99 of 100 goes, and in the
 * longest.
 */
async function look(): Promise<Goes> {
  const goes: number[] = [];
  let worked = workedMs();
  const ticks = setInterval(() => {
    const now = workedMs();
    goes.push(now - worked);
    worked = now;
  }, tickMs);
  const before = house.watch.rules()[0]?.lastLookAt ?? 0;
  house.watch.lookAgain('the test');
  await expect.poll(() => house.watch.rules()[0]?.lastLookAt ?? 0, patience).toBeGreaterThan(before);
  clearInterval(ticks);
  const sorted = goes.toSorted((a, b) => a - b);
  return { usual: sorted[Math.floor(sorted.length * 0.99)] ?? 0, longest: sorted.at(-1) ?? 0 };
}

/** Collecting garbage is in it now and then; what our own work holds the thread for shows in every look. */
async function expectShortGoes(): Promise<void> {
  let best: Goes = await look();
  for (let looks = 1; looks < 8 && !areShort(best); looks++) {
    const { usual, longest } = await look();
    best = { usual: Math.min(best.usual, usual), longest: Math.min(best.longest, longest) };
  }
  expect(best).toSatisfy(areShort);
}

/**
 * One collection of garbage may be a long go, a look that is not done in pages is one of more than a second.
 */
const areShort = ({ usual, longest }: Goes) => usual < 50 && longest < 250;

it('looks through 20,000 sources without holding the main thread for 50 ms, known ones and new ones', async () => {
  house = await openWatchHouse({ timing: { settleMs: { local: hourMs, network: hourMs } } });
  await fill(20);
  const unit = { kind: 'files', patterns: ['*.las'] } as const;
  const rule = await house.rule({ unit });
  // The first one comes together with the beginning of the watching.
  await look();
  await expectShortGoes();
  expect(house.watch.rules()[0]?.counts.settling).toBe(20_000);
  expect(house.watch.sources(rule.id)).toHaveLength(500);

  house.watch.remove(rule.id);
  const other = await house.rule({ unit }, false);
  await look();
  await expectShortGoes();
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
