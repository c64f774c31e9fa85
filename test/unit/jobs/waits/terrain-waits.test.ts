import { expect, it } from 'vitest';
import { openJournal } from '../../../../main/jobs/journal/journal.ts';
import { LiveJob } from '../../../../main/jobs/steps/live-job.ts';
import { TerrainWaits } from '../../../../main/jobs/waits/terrain-waits.ts';
import type { Asset } from '../../../../main/service/model.ts';
import { TilingReads } from '../../../../main/tiling/tiling-reads.ts';
import { jobRecord } from '../job-record.ts';
import { passingClock } from '../passing-clock.ts';

const terrainId = 4_711;
const record = jobRecord('a', {
  body: {
    name: 'A',
    type: '3DTILES',
    options: { sourceType: 'CITYGML', clampToTerrain: true, baseTerrainId: terrainId },
  },
});

/** Polls every ten seconds a job whose terrain has these statuses one after the other. */
async function waitingJob(statuses: readonly string[]) {
  const clock = passingClock(10);
  const journal = openJournal(':memory:');
  journal.addJob(record);
  const job = new LiveJob(record, [], { journal, clock, onChange: () => {} });
  const troubleTexts: (string | null)[] = [];
  const answers = statuses.values();
  const readAsset = async () => {
    troubleTexts.push(job.trouble?.code ?? null);
    const { value: status = 'COMPLETE' } = answers.next();
    return { id: terrainId, name: 'DGM1', type: 'TERRAIN', status, percentComplete: 0 } as Asset;
  };
  const reads = new TilingReads({
    serviceFor: () => ({ readAsset, listAssets: async () => [] }),
    ...{ clock, freshMs: 0 },
  });
  await new TerrainWaits({ clock, pollMs: 10_000, reads }).wait(job, new AbortController().signal);
  return { job, troubles: troubleTexts };
}
const times = (count: number, status: string) => Array<string>(count).fill(status);

it('a terrain whose status the contract does not name is reported after an hour and awaited until it is complete', async () => {
  const { job, troubles: troubleTexts } = await waitingJob(times(400, 'BAKING'));
  expect(troubleTexts.indexOf('terrain-status-unknown')).toBe(361);
  expect(troubleTexts.at(-1)).toBe('terrain-status-unknown');
  expect(job.trouble).toBeNull();
  expect(job.terrain).toBeNull();
});

it('a terrain whose status the contract does not name is not reported while its status changes or the contract names it', async () => {
  const changing = [...times(300, 'BAKING'), ...times(300, 'COOLING'), ...times(500, 'IN_PROGRESS')];
  expect(new Set((await waitingJob(changing)).troubles)).toEqual(new Set([null]));
});
