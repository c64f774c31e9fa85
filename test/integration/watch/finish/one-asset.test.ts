import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FixtureOptions, movableClock, openWatchFixture, type WatchFixture } from '../fixture.ts';

const hourMs = 60 * 60_000;
let fixture: WatchFixture;
const open = async (options?: FixtureOptions) => {
  fixture = await openWatchFixture(options);
  return fixture;
};
afterEach(() => fixture.close());

const refusal = (code: string) => JSON.stringify({ code, message: 'Not like this' });
/** Fails every request to this path until the faults are cleared. */
const refuse = (path: string, status: number, body: string) =>
  fixture.service.control.addFault({
    match: { room: 'api', path, times: 100_000 },
    action: { kind: 'status', status, body },
  });
const assetPath = '^/v1/assets/\\d+$';

/** Spends a day with a scan and all due retries every four hours. */
async function liveThroughDay(clock: ReturnType<typeof movableClock>, ruleId: string): Promise<void> {
  for (let hour = 0; hour < 24; hour += 4) {
    clock.move(4 * hourMs);
    const before = fixture.watch.rules()[0]?.lastLookAt ?? 0;
    fixture.watch.rescanAll('the test');
    await expect.poll(() => fixture.watch.rules()[0]?.lastLookAt ?? 0).toBeGreaterThan(before);
    await expect.poll(() => fixture.ledger().find(ruleId, 'Kai')?.retryAt ?? 0).not.toBe(1);
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
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    await expect.poll(() => fixture.jobs.list()[0]?.uploadedAt ?? null).not.toBeNull();
    await liveThroughDay(clock, rule.id);
    await fixture.restart();
    await liveThroughDay(clock, rule.id);
    expect(fixture.statuses()).toHaveLength(1);
  });

  it('continues with the same asset after a rename', async () => {
    const clock = movableClock();
    await open({ clock });
    refuse('uploadComplete', 503, refusal('ServiceUnavailable'));
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    await expect.poll(() => fixture.jobs.list()[0]?.uploadedAt ?? null).not.toBeNull();
    await rename(join(fixture.incoming, 'Kai'), join(fixture.incoming, 'Kai_2'));
    fixture.watch.rescanAll('the test');
    clock.move(hourMs);
    fixture.service.control.clearFaults();
    await expect.poll(() => fixture.statuses(), { timeout: 20_000 }).toEqual(['Kai COMPLETE']);
    clock.move(24 * hourMs);
    fixture.watch.rescanAll('the test');
    await fixture.write({ 'Next/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Next');
    expect(fixture.statuses()).toHaveLength(2);
  });

  it('creates another asset when a person retries it', async () => {
    await open();
    fixture.service.control.setTiling({ end: 'ERROR' });
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    const source = await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'failed');
    expect(source).toMatchObject({
      why: expect.stringContaining('Waiting for you'),
      actions: ['try-again', 'dismiss'],
    });
    fixture.service.control.setTiling({ end: 'COMPLETE' });
    await fixture.watch.act(rule.id, 'Kai', 'try-again');
    await fixture.untilComplete(rule, 'Kai');
    expect(fixture.statuses()).toEqual(['Kai ERROR', 'Kai COMPLETE']);
  });

  it('is complete when its upload, started again among the uploads, is', async () => {
    await open();
    fixture.service.control.setTiling({ end: 'DATA_ERROR', error: 'No positions' });
    const rule = await fixture.rule();
    await fixture.write({ 'Kai/a.jpg': 1_000 });
    const { jobId } = await fixture.untilSource(rule, 'Kai', ({ state }) => state === 'failed');
    fixture.service.control.setTiling({ end: 'COMPLETE' });
    await fixture.jobs.act(jobId ?? '', 'start-again');
    await fixture.untilComplete(rule, 'Kai');
    fixture.watch.rescanAll('the test');
    await fixture.write({ 'Next/a.jpg': 1_000 });
    await fixture.untilComplete(rule, 'Next');
    expect(fixture.statuses()).toEqual(['Kai DATA_ERROR', 'Kai COMPLETE', 'Next COMPLETE']);
    const outcomes = [...fixture.watch.receipts(rule.id)].map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['complete', 'complete', 'data-error']);
  });
});
