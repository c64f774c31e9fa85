import type { JobRecord } from '../../../main/jobs/journal/journal-model.ts';

/** A job's record in the journal with only the given facts. */
export const jobRecord = (id = 'a', facts: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, accountId: 'me', paths: ['/data'], createdAt: 1, acceptForecast: false },
  body: { name: 'A', type: 'TERRAIN', options: { sourceType: 'RASTER_TERRAIN' } },
  ...facts,
});
