import { afterEach, describe, expect, it } from 'vitest';
import type { FaultAction } from '../../../service/model.ts';
import { movableClock, openWatchHouse, type WatchHouse } from '../house.ts';

let house: WatchHouse;
afterEach(() => house.close());

const denied: FaultAction = {
  kind: 'status',
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
};
const refuse = (path: string) =>
  house.service.control.addFault({ match: { room: 'storage', path, times: 1_000 }, action: denied });
const patience = { timeout: 60_000, interval: 50 };

describe('a rule with a source that storage refuses', () => {
  it('pauses with the reason, retries one source on its own asset, then continues with all', async () => {
    const clock = movableClock();
    house = await openWatchHouse({ clock });
    refuse('.');
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    await house.write(Object.fromEntries(names.map((name) => [`${name}/a.jpg`, 1_000])));
    const rule = await house.rule();
    const failures = () =>
      house
        .ledger()
        .waitingForRetry(rule.id)
        .map(({ retries }) => retries);
    const refusedOnce = async (retries: number) => {
      await expect.poll(failures, patience).toEqual([retries]);
      expect(house.assets()).toHaveLength(1);
      expect(house.watch.rules()[0]?.notice).toMatchObject({ code: 'storage-denied' });
    };
    await refusedOnce(1);
    house.watch.lookAgain('woke');
    clock.move(40_000);
    house.service.control.clearFaults();
    refuse('.');
    await expect.poll(() => failures()[0], patience).toBe(2);
    expect(house.assets().length).toBeLessThanOrEqual(2);

    house.service.control.clearFaults();
    // An attempt under way may fail once more, which starts a pause of its own.
    const statuses = () => {
      clock.move(5_000);
      return house.statuses().toSorted();
    };
    await expect.poll(statuses, patience).toEqual(names.map((name) => `${name} COMPLETE`));
    await expect.poll(() => house.watch.rules()[0]?.notice, patience).toBeNull();
  }, 180_000);

  it('uploads other sources after repeated refusals of one, which then fails alone', async () => {
    const clock = movableClock();
    house = await openWatchHouse({ clock });
    refuse('refused');
    await house.write({ 'A/refused.jpg': 1_000, 'B/b.jpg': 1_000, 'C/c.jpg': 1_000 });
    const rule = await house.rule();
    const refusals = () => {
      clock.move(2_000);
      return house.ledger().find(rule.id, 'A')?.retries;
    };
    await expect.poll(refusals, patience).toBe(2);
    for (const name of ['B', 'C']) await house.untilComplete(rule, name);
    await expect.poll(refusals, patience).toBe(3);
    await expect.poll(() => house.watch.rules()[0]?.notice, patience).toBeNull();
    expect(house.statuses().toSorted()).toEqual(['A AWAITING_FILES', 'B COMPLETE', 'C COMPLETE']);
  }, 180_000);
});
