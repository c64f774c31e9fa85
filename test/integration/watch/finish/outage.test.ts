import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { type SaidSource, saidLines, saidSource } from '../../../said.ts';
import { movableClock, openWatchHouse, type WatchHouse } from '../house.ts';

const clock = movableClock();
const hour = 60 * 60_000;
const names = ['Kai', 'Ost', 'West'];
let house: WatchHouse;
let rule: WatchRule;

beforeEach(async () => {
  house = await openWatchHouse({ clock });
  rule = await house.rule();
});
afterEach(() => house.close());

/**
 * Waits until a source is what it should be; folders are scanned again meanwhile, since on a busy computer a
 * watch rests for long after each look.
 */
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

/** The service refuses everything, as it does where an account is full: three sources fail. */
async function outage(): Promise<void> {
  house.service.control.addFault({
    match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
    action: { kind: 'status', status: 400, body: '{"code": "QuotaExceeded", "message": "No room"}' },
  });
  for (const [index, name] of names.entries()) {
    // One after another: what comes at once settles in any order.
    await house.write({ [`${name}/a.jpg`]: 100 + index });
    await until(name, ({ why }) => why.includes('Next attempt'));
  }
  const now = clock.now();
  // The last that came would be the first to be tried again.
  for (const [index, path] of names.entries())
    house.ledger().change(rule.id, path, { retryAt: now + (20 - index) * hour });
  house.service.control.clearFaults();
}

/** What is to be tried again at once, in the order in which that is done. */
const dueNow = () =>
  house
    .ledger()
    .waitingForRetry(rule.id)
    .filter(({ retryAt }) => (retryAt ?? 0) <= clock.now())
    .map(({ path }) => path);

const lines = () => saidLines(house.watch.activity(rule.id)).map(({ text }) => text);

describe('the first success after a long outage', () => {
  it('makes everything due that waits, in the order in which it came, and tells of it once', {
    timeout: 180_000,
  }, async () => {
    await outage();
    expect(lines().filter((text) => text.includes('Tilelift tries again automatically'))).toHaveLength(1);
    let dueAtTheEnd: readonly string[] = [];
    house.watch.onOutage(({ kind }) => {
      if (kind === 'over') dueAtTheEnd = dueNow();
    });
    clock.move(hour);
    await house.write({ 'Nord/a.jpg': 90 });
    for (const name of ['Nord', ...names]) await untilComplete(name);
    expect(dueAtTheEnd).toEqual(names);
    expect(house.statuses()[0]).toBe('Nord COMPLETE');
    const told = lines().filter((text) => text.startsWith('Service and storage did not respond'));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /for 60\u00a0min, from \d+ \w+ \d{4} \d\d:\d\d\. 3 waiting sources continue now, in order of arrival/,
    );
  });

  it('is known as that after a restart, too', { timeout: 180_000 }, async () => {
    await outage();
    await house.restart();
    clock.move(hour);
    await house.write({ 'Nord/a.jpg': 90 });
    for (const name of names) await untilComplete(name);
  });
});

describe('a success soon after a failure', () => {
  it('hurries nothing: what always fails would be tried again with each of them', {
    timeout: 180_000,
  }, async () => {
    await outage();
    await house.write({ 'Nord/a.jpg': 90 });
    await untilComplete('Nord');
    expect(
      house
        .ledger()
        .waitingForRetry(rule.id)
        .map(({ path }) => path),
    ).toEqual([...names].reverse());
  });
});
