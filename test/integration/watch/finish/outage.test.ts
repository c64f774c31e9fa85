import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { type SaidSource, saidLines, saidSource } from '../../../said.ts';
import { movableClock, openWatchFixture, type WatchFixture } from '../fixture.ts';

const clock = movableClock();
const hour = 60 * 60_000;
const names = ['Kai', 'Ost', 'West'];
let fixture: WatchFixture;
let rule: WatchRule;

beforeEach(async () => {
  fixture = await openWatchFixture({ clock });
  rule = await fixture.rule();
});
afterEach(() => fixture.close());

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

/** Makes the service refuse three sources, as for a full account. */
async function outage(): Promise<void> {
  fixture.service.control.addFault({
    match: { room: 'api', method: 'POST', path: '^/v1/assets$', times: 1_000 },
    action: { kind: 'status', status: 400, body: '{"code": "QuotaExceeded", "message": "No room"}' },
  });
  for (const [index, name] of names.entries()) {
    // Write one by one, since simultaneous arrivals settle in any order.
    await fixture.write({ [`${name}/a.jpg`]: 100 + index });
    await until(name, ({ why }) => why.includes('Next try'));
  }
  const now = clock.now();
  // Reverse the retry order: the last arrival is due first.
  for (const [index, path] of names.entries())
    fixture.ledger().change(rule.id, path, { retryAt: now + (20 - index) * hour });
  fixture.service.control.clearFaults();
}

/** Paths that are due for a retry, in retry order. */
const dueNow = () =>
  fixture
    .ledger()
    .waitingForRetry(rule.id)
    .filter(({ retryAt }) => (retryAt ?? 0) <= clock.now())
    .map(({ path }) => path);

const lines = () => saidLines(fixture.watch.activity(rule.id)).map(({ text }) => text);

describe('the first success after a long outage', () => {
  it('makes all waiting sources due in order of arrival and reports the outage once', {
    timeout: 180_000,
  }, async () => {
    await outage();
    expect(lines().filter((text) => text.includes('Tilelift tries again automatically'))).toHaveLength(1);
    let dueAtTheEnd: readonly string[] = [];
    fixture.watch.onOutage(({ kind }) => {
      if (kind === 'over') dueAtTheEnd = dueNow();
    });
    clock.move(hour);
    await fixture.write({ 'Nord/a.jpg': 90 });
    for (const name of ['Nord', ...names]) await untilComplete(name);
    expect(dueAtTheEnd).toEqual(names);
    expect(fixture.statuses()[0]).toBe('Nord COMPLETE');
    const reported = lines().filter((text) => text.startsWith('Service and storage did not answer'));
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatch(
      /for 60\u00a0min, from \d+ \w+ \d{4} \d\d:\d\d\. 3 waiting sources continue now, in order of arrival/,
    );
  });

  it('detects the end of a long outage after a restart', { timeout: 180_000 }, async () => {
    await outage();
    await fixture.restart();
    clock.move(hour);
    await fixture.write({ 'Nord/a.jpg': 90 });
    for (const name of names) await untilComplete(name);
  });
});

describe('a success soon after a failure', () => {
  it('speeds up no retries, since permanent failures would repeat with each success', {
    timeout: 180_000,
  }, async () => {
    await outage();
    await fixture.write({ 'Nord/a.jpg': 90 });
    await untilComplete('Nord');
    expect(
      fixture
        .ledger()
        .waitingForRetry(rule.id)
        .map(({ path }) => path),
    ).toEqual([...names].reverse());
  });
});
