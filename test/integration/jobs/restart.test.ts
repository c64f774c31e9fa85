import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

describe('restarted job', () => {
  it('stays unchanged if it has ended', async () => {
    const id = house.add(await house.source({ 'a.gml': 500 }));
    const done = await house.until(id, hasStatus('complete'));

    await house.restart();

    expect(house.jobs.get(id)).toEqual({ ...done, progressMessage: null });
    expect(house.service.control.assets()).toHaveLength(1);
  });

  it('keeps polling while tiling', async () => {
    await house.close();
    house = await openHouse({ tilingMs: 300 });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('tiling'));

    await house.restart();

    await house.until(id, hasStatus('complete'));
    expect(historyTexts(house, id)).toContain('Resumed after a restart');
  });

  it('repeats an unanswered completion', async () => {
    house.service.control.addFault({
      match: { room: 'api', path: 'uploadComplete', times: 1000 },
      action: { kind: 'stall' },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.until(id, hasStatus('completing'));
    await house.jobs.stop();
    house.service.control.clearFaults();

    await house.restart();

    await house.until(id, hasStatus('complete'));
  });

  it('searches for an orphan if its creation was unanswered', async () => {
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
      action: { kind: 'stall' },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));
    await house.untilAsked();
    await house.jobs.stop();
    const orphan = house.service.control.seedAsset({
      name: 'Altstadt',
      type: '3DTILES',
      status: 'AWAITING_FILES',
    });

    await house.restart();

    const job = await house.until(id, hasStatus('complete'));
    expect(job.assetId).not.toBe(orphan);
    expect(historyTexts(house, id)).toContainEqual(
      expect.stringContaining(`Asset ${orphan} was left behind`),
    );
  });
});
