import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../main/watch/model/rule.ts';
import { type SaidSource, saidSource } from '../../said.ts';
import { openWatchHouse, type WatchHouse } from './house.ts';

let house: WatchHouse;
let rule: WatchRule;

/** Requests scans until a source fits, since a watch rests for long on a busy computer. */
const until = (path: string, fits: (source: SaidSource) => boolean) =>
  expect
    .poll(
      () => {
        house.watch.lookAgain('test');
        return house.watch
          .sources(rule.id)
          .map(saidSource)
          .some((source) => source.path === path && fits(source));
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(true);
const untilComplete = (path: string) => until(path, ({ state }) => state === 'complete');

/** An error that only a later version can read. */
const asLater = `state = 'waits-for-change', error = '{"reason": "eclipse"}'`;

/** Damages the row of one of two finished sources and restarts Tilelift. */
async function restartWith(damage: string): Promise<void> {
  await house.write({ 'Kai/a.jpg': 100, 'Ost/a.jpg': 90 });
  await untilComplete('Kai');
  await untilComplete('Ost');
  await house.stop();
  const database = new DatabaseSync(house.journalPath);
  database.exec(`UPDATE ledger SET ${damage} WHERE path = 'Kai'`);
  database.close();
  await house.restart();
  await until('Kai', ({ state }) => state === 'held');
}

beforeEach(async () => {
  house = await openWatchHouse();
  rule = await house.rule();
});
afterEach(() => house.close());

describe('a ledger row that this version can’t read', () => {
  it('holds the source of an unreadable row while the rule continues', { timeout: 180_000 }, async () => {
    await restartWith(asLater);
    expect(house.watch.rules()[0]?.notice).toBeNull();
    await house.write({ 'West/a.jpg': 80 });
    await untilComplete('West');
    expect(house.watch.sources(rule.id).find(({ path }) => path === 'Ost')?.state).toBe('complete');
    expect([...house.statuses()].sort()).toEqual(['Kai COMPLETE', 'Ost COMPLETE', 'West COMPLETE']);
  });

  it('creates another asset for an unreadable row if a person chooses so', { timeout: 180_000 }, async () => {
    await restartWith("error = '[]', state = 'waits-for-retry', retry_at = 1");
    await house.watch.act(rule.id, 'Kai', 'make-asset');
    await untilComplete('Kai');
    expect(house.assets()).toHaveLength(3);
  });

  it('skips an unreadable row on request, even after a restart', { timeout: 180_000 }, async () => {
    await restartWith(asLater);
    await house.watch.act(rule.id, 'Kai', 'leave-it');
    await until('Kai', ({ state }) => state === 'skipped');
    await house.restart();
    await until('Kai', ({ state }) => state === 'skipped');
    expect(house.assets()).toHaveLength(2);
  });
});
