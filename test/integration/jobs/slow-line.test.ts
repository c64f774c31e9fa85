import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../main/ports.ts';
import { openSlowLine } from '../../slow-line.ts';
import { openHouse, serviceApi } from './house.ts';

/** A rural uplink, bytes per second. */
const lineRate = 1.2e6;

interface Look {
  readonly at: number;
  readonly sent: number;
  readonly confirmed: number;
  readonly secondsLeft: number | null;
  readonly bytesPerSecond: number | null;
}

it('C34: forecasts the duration on a slow line within 25 % after 20 s, and updates it every second', async () => {
  const house = await openHouse(
    {},
    {
      clock: systemClock,
      accounts: {
        serviceFor: () => {
          const api = serviceApi(house.service);
          return {
            ...api,
            createAsset: async (...args) => {
              const created = await api.createAsset(...args);
              return { ...created, uploadLocation: { ...created.uploadLocation, endpoint: line.url } };
            },
          };
        },
      },
    },
  );
  onTestFinished(() => house.close());
  const line = await openSlowLine(house.service.storageUrl, lineRate);
  onTestFinished(() => line.close());

  const id = house.add(await house.source({ 'ortho.tif': 40e6 }));
  const samples: Look[] = [];
  const uploadedAt = await new Promise<number>((resolve, reject) => {
    const looking = setInterval(() => {
      const job = house.jobs.get(id);
      const at = performance.now();
      if (job?.uploadedAt) finish(() => resolve(at));
      else if (job?.endedAt) finish(() => reject(new Error(JSON.stringify(job.error))));
      else if (job?.status === 'uploading') {
        const { bytesDone, bytesOnWire, secondsLeft, bytesPerSecond } = job;
        samples.push({
          at,
          sent: bytesDone + bytesOnWire,
          confirmed: bytesDone,
          secondsLeft,
          bytesPerSecond,
        });
      }
    }, 250);
    const finish = (settle: () => void) => {
      clearInterval(looking);
      settle();
    };
  });

  for (const { confirmed, bytesPerSecond } of samples) {
    if (confirmed === 0) expect(bytesPerSecond).toBeNull();
    expect(bytesPerSecond ?? 0).toBeLessThan(lineRate * 1.25);
  }
  const began = samples.find(({ sent }) => sent > 0)?.at ?? 0;
  const later = samples.filter(({ at }) => at - began > 20_000 && uploadedAt - at > 3_000);
  expect(later.length).toBeGreaterThan(8);
  for (const { at, secondsLeft } of later) {
    const ratio = (secondsLeft ?? 0) / ((uploadedAt - at) / 1000);
    expect(ratio, `after ${Math.round(at - began)} ms`).toBeGreaterThan(0.75);
    expect(ratio, `after ${Math.round(at - began)} ms`).toBeLessThan(1.25);
  }
  for (const [index, { at, sent }] of samples.entries()) {
    const earlier = samples.slice(0, index).findLast((sample) => at - sample.at >= 1_000);
    const isBetween = earlier && earlier.sent > 0 && uploadedAt - at > 1_000;
    if (isBetween) expect(sent, `after ${Math.round(at - began)} ms`).toBeGreaterThan(earlier.sent);
  }
}, 120_000);
