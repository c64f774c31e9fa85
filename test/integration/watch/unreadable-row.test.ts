import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../main/watch/model/rule.ts';
import { type SaidSource, saidSource } from '../../said.ts';
import { openWatchFixture, type WatchFixture } from './fixture.ts';

let fixture: WatchFixture;
let rule: WatchRule;

/** Requests scans until a source fits, since a watch rests for long on a busy computer. */
const until = (path: string, fits: (source: SaidSource) => boolean) =>
  expect
    .poll(
      () => {
        fixture.watch.rescanAll('test');
        return fixture.watch
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
  await fixture.write({ 'Kai/a.jpg': 100, 'Ost/a.jpg': 90 });
  await untilComplete('Kai');
  await untilComplete('Ost');
  await fixture.stop();
  const database = new DatabaseSync(fixture.journalPath);
  database.exec(`UPDATE ledger SET ${damage} WHERE path = 'Kai'`);
  database.close();
  await fixture.restart();
  await until('Kai', ({ state }) => state === 'held');
}

beforeEach(async () => {
  fixture = await openWatchFixture();
  rule = await fixture.rule();
});
afterEach(() => fixture.close());

describe('a ledger row that this version can’t read', () => {
  it('holds the source of an unreadable row while the rule continues', { timeout: 180_000 }, async () => {
    await restartWith(asLater);
    expect(fixture.watch.rules()[0]?.notice).toBeNull();
    await fixture.write({ 'West/a.jpg': 80 });
    await untilComplete('West');
    expect(fixture.watch.sources(rule.id).find(({ path }) => path === 'Ost')?.state).toBe('complete');
    expect([...fixture.statuses()].sort()).toEqual(['Kai COMPLETE', 'Ost COMPLETE', 'West COMPLETE']);
  });

  it('creates another asset for an unreadable row if a person chooses so', { timeout: 180_000 }, async () => {
    await restartWith("error = '[]', state = 'waits-for-retry', retry_at = 1");
    await fixture.watch.act(rule.id, 'Kai', 'make-asset');
    await untilComplete('Kai');
    expect(fixture.assets()).toHaveLength(3);
  });

  it('skips an unreadable row on request, even after a restart', { timeout: 180_000 }, async () => {
    await restartWith(asLater);
    await fixture.watch.act(rule.id, 'Kai', 'leave-it');
    await until('Kai', ({ state }) => state === 'skipped');
    await fixture.restart();
    await until('Kai', ({ state }) => state === 'skipped');
    expect(fixture.assets()).toHaveLength(2);
  });
});
