import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type HouseOptions, movableClock, openWatchHouse, type WatchHouse } from '../house.ts';

const hourMs = 60 * 60_000;
let house: WatchHouse;
const open = async (options?: HouseOptions) => {
  house = await openWatchHouse(options);
  return house;
};
afterEach(() => house.close());

const refusal = (code: string) => JSON.stringify({ code, message: 'Not like this' });
/** Fails every request to this path until the faults are cleared. */
const refuse = (path: string, status: number, body: string) =>
  house.service.control.addFault({
    match: { room: 'api', path, times: 100_000 },
    action: { kind: 'status', status, body },
  });
const assetPath = '^/v1/assets/\\d+$';

/** Spends a day with a scan and all due retries every four hours. */
async function liveThroughDay(clock: ReturnType<typeof movableClock>, ruleId: string): Promise<void> {
  for (let hour = 0; hour < 24; hour += 4) {
    clock.move(4 * hourMs);
    const before = house.watch.rules()[0]?.lastLookAt ?? 0;
    house.watch.lookAgain('the test');
    await expect.poll(() => house.watch.rules()[0]?.lastLookAt ?? 0).toBeGreaterThan(before);
    await expect.poll(() => house.ledger().find(ruleId, 'Kai')?.retryAt ?? 0).not.toBe(1);
  }
}

describe('a source whose bytes are all in storage', { timeout: 90_000 }, () => {
  it.each([
    ['refuses to read its asset', assetPath, 400, refusal('BadRequest')],
    ['refuses that its upload is complete', 'uploadComplete', 422, refusal('BadRequest')],
    ['returns unreadable responses', assetPath, 403, '<html>Blocked by the filter</html>'],
  ])('G1: keeps its one asset while the service %s for a whole day', async (_, path, status, body) => {
    const clock = movableClock();
    await open({ clock });
    refuse(path, status, body);
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    await expect.poll(() => house.jobs.list()[0]?.uploadedAt ?? null).not.toBeNull();
    await liveThroughDay(clock, rule.id);
    await house.restart();
    await liveThroughDay(clock, rule.id);
    expect(house.statuses()).toHaveLength(1);
  });

  it('continues with the same asset after a rename', async () => {
    const clock = movableClock();
    await open({ clock });
    refuse('uploadComplete', 503, refusal('ServiceUnavailable'));
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    await expect.poll(() => house.jobs.list()[0]?.uploadedAt ?? null).not.toBeNull();
    await rename(join(house.incoming, 'Kai'), join(house.incoming, 'Kai_2'));
    house.watch.lookAgain('the test');
    clock.move(hourMs);
    house.service.control.clearFaults();
    await expect.poll(() => house.statuses(), { timeout: 20_000 }).toEqual(['Kai COMPLETE']);
    clock.move(24 * hourMs);
    house.watch.lookAgain('the test');
    await house.write({ 'Next/a.jpg': 1_000 });
    await house.untilComplete(rule, 'Next');
    expect(house.statuses()).toHaveLength(2);
  });

  it('creates another asset when a person retries it', async () => {
    await open();
    house.service.control.setTiling({ end: 'ERROR' });
    const rule = await house.rule();
    await house.write({ 'Kai/a.jpg': 1_000 });
    const source = await house.untilSource(rule, 'Kai', ({ state }) => state === 'failed');
    expect(source).toMatchObject({
      why: expect.stringContaining('Waiting for you'),
      actions: ['try-again', 'dismiss'],
    });
    house.service.control.setTiling({ end: 'COMPLETE' });
    await house.watch.act(rule.id, 'Kai', 'try-again');
    await house.untilComplete(rule, 'Kai');
    expect(house.statuses()).toEqual(['Kai ERROR', 'Kai COMPLETE']);
  });
});
