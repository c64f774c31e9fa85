import { afterEach, describe, expect, it } from 'vitest';
import type { FaultAction } from '../../../service/model.ts';
import { movableClock, openWatchFixture, type WatchFixture } from '../fixture.ts';

let fixture: WatchFixture;
afterEach(() => fixture.close());

const denied: FaultAction = {
  kind: 'status',
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
};
const refuse = (path: string) =>
  fixture.service.control.addFault({ match: { room: 'storage', path, times: 1_000 }, action: denied });
const patience = { timeout: 60_000, interval: 50 };

describe('a rule with a source that storage refuses', () => {
  it('pauses with the reason, retries one source on its own asset, then continues with all', async () => {
    const clock = movableClock();
    fixture = await openWatchFixture({ clock });
    refuse('.');
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    await fixture.write(Object.fromEntries(names.map((name) => [`${name}/a.jpg`, 1_000])));
    const rule = await fixture.rule();
    const failures = () =>
      fixture
        .ledger()
        .waitingForRetry(rule.id)
        .map(({ retries }) => retries);
    const refusedOnce = async (retries: number) => {
      await expect.poll(failures, patience).toEqual([retries]);
      expect(fixture.assets()).toHaveLength(1);
      expect(fixture.watch.rules()[0]?.notice).toMatchObject({ code: 'storage-denied' });
    };
    await refusedOnce(1);
    fixture.watch.rescanAll('woke');
    clock.move(40_000);
    fixture.service.control.clearFaults();
    refuse('.');
    await expect.poll(() => failures()[0], patience).toBe(2);
    expect(fixture.assets().length).toBeLessThanOrEqual(2);

    fixture.service.control.clearFaults();
    // An attempt under way may fail once more, which starts a pause of its own.
    const statuses = () => {
      clock.move(5_000);
      return fixture.statuses().toSorted();
    };
    await expect.poll(statuses, patience).toEqual(names.map((name) => `${name} COMPLETE`));
    await expect.poll(() => fixture.watch.rules()[0]?.notice, patience).toBeNull();
  }, 180_000);

  it('uploads other sources after repeated refusals of one, which then fails alone', async () => {
    const clock = movableClock();
    fixture = await openWatchFixture({ clock });
    refuse('refused');
    await fixture.write({ 'A/refused.jpg': 1_000 });
    const rule = await fixture.rule();
    const later = <Value>(read: () => Value) => {
      clock.move(2_000);
      return read();
    };
    const refusals = () => fixture.ledger().find(rule.id, 'A')?.retries ?? 0;
    // Others that are uploaded before the first refusal would prove nothing.
    await expect.poll(() => later(refusals), patience).toBe(1);
    await fixture.write({ 'B/b.jpg': 1_000, 'C/c.jpg': 1_000 });
    await expect.poll(() => later(refusals), patience).toBe(2);
    await expect
      .poll(() => later(() => fixture.statuses().toSorted()), patience)
      .toEqual(['A AWAITING_FILES', 'B COMPLETE', 'C COMPLETE']);
    await expect.poll(() => later(refusals), patience).toBeGreaterThanOrEqual(3);
    await expect.poll(() => fixture.watch.rules()[0]?.notice, patience).toBeNull();
  }, 180_000);
});
