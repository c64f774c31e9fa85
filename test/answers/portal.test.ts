import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { type AnswersHouse, openAnswersHouse } from './answers-house.ts';
import { type AnswersClock, fastClock } from './clocks.ts';
import type { HttpsCertificates } from './https-setup.ts';
import { ofOneJob, type Place } from './requests.ts';
import { makeSources, type Sources } from './sources.ts';
import { eventually, Stage } from './stage.ts';

/**
 * Names and certificates lead to another server for some time, as with a portal, a filter or a changed
 * network.
 */

const minute = 60_000;
const parts = 5;
const endless = 1_000_000;

let sources: Sources;
let house: AnswersHouse;

beforeAll(async () => {
  sources = await makeSources(parts);
});
afterEach(() => house.close());
afterAll(() => sources.remove());

async function open(factor: number, https: HttpsCertificates | null): Promise<AnswersClock> {
  const clock = fastClock(factor);
  house = await openAnswersHouse(https, clock, { parallelParts: 2, pollMs: 10_000 });
  return clock;
}

/** Advances the rest of that time and expects that nothing has ended. */
async function passesPortal(
  clock: AnswersClock,
  fromMs: number,
  ms: number,
  stage: Stage,
  status: string,
): Promise<void> {
  await eventually(() => clock.elapsed() - fromMs >= ms);
  expect(clock.elapsed() - fromMs).toBeGreaterThanOrEqual(ms);
  expect(stage.job).toMatchObject({ status, endedAt: null });
  expect(house.account.state().kind).toBe('signed-in');
}

const part = (number: number) => (place: Place) => ({
  room: 'storage' as const,
  path: `/sources/${place.assetId}/.*partNumber=${number}`,
});

async function complete(stage: Stage): Promise<void> {
  await stage.complete();
  expect(stage.findings).toEqual([]);
}

describe('job whose storage is replaced by another server for a minute', () => {
  it('G4: waits while a portal with its own certificate answers, then continues without sending confirmed parts again', async () => {
    const clock = await open(30, inject('https'));
    const stage = new Stage(house, null, sources, 'Altstadt');
    stage.start({
      large: true,
      on: { uploading: (place) => stage.fault(part(4)(place), { kind: 'impostor', connections: endless }) },
    });
    await stage.metFault();
    const startMs = clock.elapsed();
    const troubledJob = await stage.until('its trouble', ({ error }) => error !== null);
    expect(troubledJob.error).toMatchObject({ code: 'certificate-untrusted' });
    const confirmedParts = troubledJob.partsDone;

    await passesPortal(clock, startMs, minute, stage, 'uploading');
    house.service.control.clearFaults();

    expect(confirmedParts).toBeGreaterThanOrEqual(1);
    await complete(stage);
  });

  it('job whose storage is replaced by another server for a minute: waits while a portal answers storage requests over plain HTTP, then continues', async () => {
    const clock = await open(30, null);
    const stage = new Stage(house, null, sources, 'Altstadt');
    const page = {
      kind: 'status',
      status: 200,
      body: '<!DOCTYPE html><title>Sign in</title>',
      headers: { 'Content-Type': 'text/html', ETag: '"5f1b-60d"' },
    } as const;
    stage.start({ large: true });
    await stage.until('its second part', ({ partsDone }) => partsDone >= 2);
    const startMs = clock.elapsed();
    stage.fault({ room: 'storage', times: endless }, page);
    await stage.until('its trouble', ({ error }) => error !== null);

    await passesPortal(clock, startMs, minute, stage, 'uploading');
    house.service.control.clearFaults();

    await complete(stage);
  });
});

it.each([
  ['a portal with its own certificate', true],
  ['a portal over plain HTTP', false],
])(
  'job whose service is replaced by another server for ten minutes while tiling: waits behind %s, continues and becomes COMPLETE',
  async (_how, secure) => {
    const clock = await open(200, secure ? inject('https') : null);
    const stage = new Stage(house, null, sources, 'Altstadt');
    const redirect = {
      kind: 'status',
      status: 302,
      headers: { Location: 'http://portal.invalid/' },
    } as const;
    stage.start({
      on: {
        tiling: (place) =>
          secure
            ? stage.fault(ofOneJob['read asset'](place), { kind: 'impostor', connections: endless })
            : stage.fault({ ...ofOneJob['read asset'](place), times: endless }, redirect),
      },
    });
    await stage.metFault();
    const startMs = clock.elapsed();

    await passesPortal(clock, startMs, 10 * minute, stage, 'tiling');
    house.service.control.clearFaults();

    await complete(stage);
  },
);
