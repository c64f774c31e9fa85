import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../chaos/random.ts';
import type { SoakArguments } from './arguments.ts';
import type { WriterDesk } from './desk.ts';
import type { ExpectedSource } from './expected.ts';
import { burst, oneForEach, writers } from './writers.ts';

const hands = 4;
/** Waiting ends when no asset has completed for this long. */
const patienceMs = 150_000;

/** Writes one source for each rule, all at the same time. */
export async function eachOnce(momentName: string, desk: WriterDesk, chance: Chance): Promise<void> {
  await Promise.all(
    oneForEach.map((writer, index) =>
      writer(`${momentName}-${index + 1}`, desk, chance.branch(String(index))),
    ),
  );
}

/** Runs writers one after the other in each lane. `deadline`: as `performance.now()`. */
export async function write(desk: WriterDesk, deadline: number, chance: Chance): Promise<void> {
  let number = 0;
  const hand = async () => {
    while (performance.now() < deadline) {
      await chance.pickWeighted(writers)(`source-${++number}`, desk, chance);
      await pause(chance.between(200, 3_000));
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
}

/** Delivers folders in a burst after a fifth of the time. */
export async function arriveAtOnce(
  { minutes, burst: count }: SoakArguments,
  desk: WriterDesk,
): Promise<void> {
  await pause(minutes * 60_000 * 0.2);
  await burst(count, desk);
}

/** Waits until all sources are complete, or none completes for a while. */
export async function untilQuiet(
  expectedSources: ReadonlyMap<string, ExpectedSource>,
  completeCount: () => number,
  watchers: readonly { checkAlive(): void }[],
  say: (text: string) => void,
): Promise<void> {
  const wantedCount = [...expectedSources.values()].reduce((sum, { versions }) => sum + versions.length, 0);
  let seenCount = -1;
  let unchangedSince = performance.now();
  while (completeCount() < wantedCount && performance.now() - unchangedSince < patienceMs) {
    await pause(1_000);
    for (const watcher of watchers) watcher.checkAlive();
    if (completeCount() === seenCount) continue;
    seenCount = completeCount();
    unchangedSince = performance.now();
    if (seenCount % 50 === 0) say(`  ${seenCount} of ${wantedCount} are complete`);
  }
}
