import { afterEach, beforeEach, expect, it } from 'vitest';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

it('a restarted job keeps polling while tiling', async () => {
  await house.close();
  house = await openHouse({ tilingMs: 300 });
  const id = house.add(await house.source({ 'a.gml': 500 }));
  await house.until(id, hasStatus('tiling'));

  await house.restart();

  await house.until(id, hasStatus('complete'));
  expect(historyTexts(house, id)).toContain('Resumed after a restart');
});

it('a restarted job repeats an unanswered completion', async () => {
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
