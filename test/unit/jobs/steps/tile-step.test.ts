import { describe, expect, it } from 'vitest';
import type { JobEvent } from '../../../../main/jobs/events.ts';
import type { JobCollaborators } from '../../../../main/jobs/job-collaborators.ts';
import { openJournal } from '../../../../main/jobs/journal/journal.ts';
import type { JobRecord } from '../../../../main/jobs/journal/journal-model.ts';
import { LiveJob } from '../../../../main/jobs/live-job.ts';
import { tileStep } from '../../../../main/jobs/steps/tile-step.ts';
import type { Asset } from '../../../../main/service/model.ts';
import { TilingReads } from '../../../../main/tiling/tiling-reads.ts';

const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };
const toTiling: readonly JobEvent[] = [
  { kind: 'started', at: 1 },
  { kind: 'scanned', at: 2, files: 1, bytes: 1, parts: 1 },
  { kind: 'asset-created', at: 3, assetId: 42, credentialsEndAt: 9e9, onComplete },
  { kind: 'upload-finished', at: 4 },
  { kind: 'completion-accepted', at: 5 },
];
const record: JobRecord = {
  id: 'a',
  accountId: 'me',
  paths: ['/data/a'],
  createdAt: 1,
  acceptForecast: false,
  body: { name: 'A', type: 'TERRAIN', options: { sourceType: 'RASTER_TERRAIN' } },
};

type Read = readonly [status: string, percentComplete: number, progressMessage?: string];

/** What the journal has of a tiling of which the polls read this, a restart after each of `runs`. */
async function statusesOf(...runs: readonly (readonly Read[])[]) {
  const clock = { now: () => 10, elapsed: () => 10, sleep: async () => {} };
  const journal = openJournal(':memory:');
  journal.addJob(record);
  for (const event of toTiling) journal.append('a', event);
  for (const run of runs) {
    const stop = new AbortController();
    const job = new LiveJob(record, journal.events('a'), { journal, clock, onChange: () => {} });
    const reads = run.values();
    const readAsset = async (): Promise<Asset> => {
      const { value } = reads.next();
      if (!value) stop.abort();
      stop.signal.throwIfAborted();
      const [status, percentComplete, progressMessage] = value as Read;
      const asset = { id: 42, type: 'TERRAIN', name: 'A', description: '', attribution: '', bytes: 1 };
      const more = progressMessage === undefined ? {} : { progressMessage };
      return { ...asset, dateAdded: '', status, percentComplete, ...more } as Asset;
    };
    const serviceFor = () => ({ readAsset, listAssets: async () => [] });
    const tilingReads = new TilingReads({ serviceFor, clock, freshMs: 0 });
    const deps = { clock, journal, pollMs: 1, serviceFor, reads: tilingReads };
    if (job.state.kind !== 'tiling') throw new Error(job.state.kind);
    await tileStep(
      job,
      job.state,
      deps as unknown as JobCollaborators,
      {
        signal: stop.signal,
      } as Parameters<typeof tileStep>[3],
    ).catch((thrown: unknown) => {
      if (!stop.signal.aborted) throw thrown;
    });
  }
  return journal
    .events('a')
    .flatMap((event) =>
      event.kind === 'asset-status' ? [[event.status, event.percent, event.message]] : [],
    );
}

describe('the events of a tiling', () => {
  it('are one for each status and each quarter, whatever is said between them, and across restarts', async () => {
    const crawl: readonly Read[] = Array.from({ length: 100 }, (_, percent) => [
      'IN_PROGRESS',
      percent,
      `Tile ${percent}`,
    ]);
    expect(await statusesOf([['NOT_STARTED', 0], ...crawl.slice(0, 60)], crawl.slice(60))).toEqual([
      ['NOT_STARTED', 0, undefined],
      ['IN_PROGRESS', 0, 'Tile 0'],
      ['IN_PROGRESS', 25, 'Tile 25'],
      ['IN_PROGRESS', 50, 'Tile 50'],
      ['IN_PROGRESS', 75, 'Tile 75'],
    ]);
  });

  it('do not repeat a quarter when the percentage goes back and forth', async () => {
    const sway: readonly Read[] = Array.from({ length: 50 }, (_, at) => ['IN_PROGRESS', at % 2 ? 49 : 51]);
    expect(await statusesOf(sway)).toEqual([['IN_PROGRESS', 51, undefined]]);
  });

  it('keep the beginning of a long message, without its secrets', async () => {
    const [[, , message] = []] = await statusesOf([
      ['IN_PROGRESS', 1, `x AKIAIOSFODNN7EXAMPLE ${'y'.repeat(9_000)}`],
    ]);
    expect(message).toHaveLength(500);
    expect(message).not.toContain('AKIAIOSFODNN7EXAMPLE');
  });
});
