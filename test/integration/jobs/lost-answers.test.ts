import { afterEach, beforeEach, expect, it } from 'vitest';
import { TileliftError } from '../../../main/errors.ts';
import type { JobEvent } from '../../../main/jobs/events.ts';
import type { Journal } from '../../../main/jobs/journal/journal-model.ts';
import type { RecordedRequest } from '../../service/model.ts';
import { type House, hasStatus, historyTexts, openHouse } from './house.ts';

let house: House;

beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());
const requests = (isMatch: (request: RecordedRequest) => boolean) =>
  house.service.control.requests().filter(isMatch);

/** A journal that can't store an event of this kind, as after a kill at that moment. */
function dyingBefore(kind: JobEvent['kind']) {
  return (journal: Journal): Journal => ({
    ...journal,
    append: (jobId, event) => {
      if (event.kind === kind) throw new TileliftError('journal-unusable', { subject: 'killed' });
      journal.append(jobId, event);
    },
  });
}

it.each([-20, 20])(
  'lost answer to creating: leads to a named orphan when the service’s clock is %i minutes off',
  async (minutes) => {
    house.service.control.skewClock(minutes * 60_000);
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '^/v1/assets$' },
      action: { kind: 'cut-answer', afterBytes: 0 },
    });
    const id = house.add(await house.source({ 'a.gml': 500 }));

    await house.until(id, hasStatus('complete'));

    const [orphan] = house.service.control.assets().filter(({ status }) => status === 'AWAITING_FILES');
    expect(historyTexts(house, id).join()).toContain(String(orphan?.id));
  },
);

it('lost answer to creating: keeps the asset after a kill between vault and journal', async () => {
  await house.restartOn(dyingBefore('asset-created'));
  const id = house.add(await house.source({ 'a.gml': 500 }));
  await house.until(id, (job) => job.error?.code === 'journal-unusable');

  await house.restart();

  await house.until(id, hasStatus('complete'));
  expect(house.service.control.assets()).toHaveLength(1);
});

it('lost answer to “upload complete”: completes if the repetition is refused and the asset can’t be read for a while', async () => {
  house.service.control.addFault({
    match: { room: 'api', method: 'POST', path: 'uploadComplete' },
    action: { kind: 'cut-answer', afterBytes: 0 },
  });
  house.service.control.addFault({
    match: { room: 'api', method: 'GET', path: '^/v1/assets/', times: 2 },
    action: { kind: 'status', status: 503 },
  });
  const id = house.add(await house.source({ 'a.gml': 500 }));

  const job = await house.until(id, ({ endedAt }) => endedAt !== null);

  expect(job).toMatchObject({ status: 'complete', error: null });
  expect(requests(({ path }) => path.includes('uploadComplete')).map(({ status }) => status)).toContain(409);
});

it('lost answer to “upload complete”: reads from the asset after a kill that the upload was complete', async () => {
  await house.restartOn(dyingBefore('completion-accepted'));
  const id = house.add(await house.source({ 'a.gml': 500 }));
  await house.until(id, (job) => job.error?.code === 'journal-unusable');

  await house.restart();

  await house.until(id, hasStatus('complete'));
  expect(house.service.control.assets()).toHaveLength(1);
});
