import { expect, it } from 'vitest';
import { actionsFor } from '../../../../main/jobs/actions.ts';
import type { JobEvent } from '../../../../main/jobs/events.ts';
import { openJournal } from '../../../../main/jobs/journal/journal.ts';
import type { JobCollaborators } from '../../../../main/jobs/steps/job-collaborators.ts';
import { LiveJob } from '../../../../main/jobs/steps/live-job.ts';
import { tileStep } from '../../../../main/jobs/steps/tile-step.ts';
import type { Asset } from '../../../../main/service/model.ts';
import { TilingReads } from '../../../../main/tiling/tiling-reads.ts';
import { jobRecord } from '../job-record.ts';
import { passingClock } from '../passing-clock.ts';

const onComplete = { method: 'POST', url: 'https://api.test/complete', fields: {} };
const toTiling: readonly JobEvent[] = [
  { kind: 'started', at: 1 },
  { kind: 'scanned', at: 2, files: 1, bytes: 1, parts: 1 },
  { kind: 'asset-created', at: 3, assetId: 42, credentialsEndAt: 9e9, onComplete },
  { kind: 'upload-finished', at: 4 },
  { kind: 'completion-accepted', at: 5 },
];
const record = jobRecord();

type TilingRead = readonly [status: string, percentComplete: number, progressMessage?: string];

const pollMs = 10_000;

/** Tiles with these poll results, restarting after each of `runs`; time passes only between polls. */
async function tiling(...runs: readonly (readonly TilingRead[])[]) {
  const clock = passingClock(10);
  const journal = openJournal(':memory:');
  journal.addJob(record);
  for (const event of toTiling) journal.append('a', event);
  const load = () => new LiveJob(record, journal.events('a'), { journal, clock, onChange: () => {} });
  let job = load();
  /** Times of the repeated completions, ms since the first poll. */
  const completedAt: number[] = [];
  /** Disruptions after each poll. */
  const troubleTexts: (string | null)[] = [];
  for (const run of runs) {
    const stop = new AbortController();
    job = load();
    const reads = run.values();
    let isFirst = true;
    const readAsset = async (): Promise<Asset> => {
      if (!isFirst) troubleTexts.push(job.trouble?.code ?? null);
      isFirst = false;
      const { value } = reads.next();
      if (!value) stop.abort();
      stop.signal.throwIfAborted();
      const [status, percentComplete, progressMessage] = value as TilingRead;
      const asset = { id: 42, type: 'TERRAIN', name: 'A', description: '', attribution: '', bytes: 1 };
      const fields = progressMessage === undefined ? {} : { progressMessage };
      return { ...asset, dateAdded: '', status, percentComplete, ...fields } as Asset;
    };
    const completeUpload = async () => void completedAt.push(clock.now() - 10);
    const serviceFor = () => ({ readAsset, completeUpload, listAssets: async () => [] });
    const tilingReads = new TilingReads({ serviceFor, clock, freshMs: 0 });
    const deps = { clock, journal, pollMs, serviceFor, reads: tilingReads };
    if (job.state.kind !== 'tiling') throw new Error(job.state.kind);
    await tileStep(
      job,
      job.state,
      deps as unknown as JobCollaborators,
      { signal: stop.signal } as Parameters<typeof tileStep>[3],
    ).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
  }
  const events = journal.events('a');
  return { job, completedAt, troubles: troubleTexts, events };
}

async function statusesOf(...runs: readonly (readonly TilingRead[])[]) {
  const { events } = await tiling(...runs);
  return events.flatMap((event) =>
    event.kind === 'asset-status' ? [[event.status, event.percent, event.message]] : [],
  );
}

const times = (count: number, status: string, percent = 0): readonly TilingRead[] =>
  Array.from({ length: count }, () => [status, percent] as const);
const minutes = (ms: number) => Math.round(ms / 60_000);

it('an asset that still awaits files after completion is completed again at growing intervals, a limited number of times, and reported', async () => {
  const { completedAt, troubles: troubleTexts } = await tiling(times(3_000, 'AWAITING_FILES'));
  expect(completedAt.map(minutes)).toEqual([1, 6, 21, 82]);
  expect(troubleTexts.slice(0, 6)).toEqual(Array(6).fill(null));
  expect(new Set(troubleTexts.slice(6))).toEqual(new Set(['files-awaited']));
});

it('an asset that still awaits files after completion ends its disruption once tiling begins', async () => {
  const { job, troubles: troubleTexts } = await tiling([...times(10, 'AWAITING_FILES'), ['IN_PROGRESS', 1]]);
  expect(troubleTexts.at(-2)).toBe('files-awaited');
  expect(job.trouble).toBeNull();
});

it.each(['FAILED', 'Complete', 'complete'])(
  'a status that the contract does not name reports %s after an hour, and never as an end',
  async (status) => {
    const { job, troubles: troubleTexts } = await tiling(times(400, status, 100));
    expect(troubleTexts.indexOf('status-unknown')).toBe(360);
    expect(job.trouble).toMatchObject({ code: 'status-unknown', subject: status });
    expect(job.state).toMatchObject({ kind: 'tiling', assetStatus: status });
    expect(actionsFor(job.state)).toContain('stop-following');
  },
);

it('a status that the contract does not name counts the hour across restarts', async () => {
  const { troubles: troubleTexts } = await tiling(times(200, 'FAILED'), times(200, 'FAILED'));
  expect(troubleTexts).toContain('status-unknown');
});

it('a status that the contract does not name restarts the hour while the percentage grows', async () => {
  const { troubles: troubleTexts } = await tiling([...times(300, 'BAKING', 1), ...times(300, 'BAKING', 30)]);
  expect(troubleTexts).not.toContain('status-unknown');
});

it('events of tiling are one for each status and quarter, whatever the messages and restarts between them', async () => {
  const crawl: readonly TilingRead[] = Array.from({ length: 100 }, (_, percent) => [
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

it('events of tiling do not repeat a quarter when the percentage goes back and forth', async () => {
  const sway: readonly TilingRead[] = Array.from({ length: 50 }, (_, at) => [
    'IN_PROGRESS',
    at % 2 ? 49 : 51,
  ]);
  expect(await statusesOf(sway)).toEqual([['IN_PROGRESS', 51, undefined]]);
});

it('events of tiling keep the beginning of a long message, without its secrets', async () => {
  const [[, , message] = []] = await statusesOf([
    ['IN_PROGRESS', 1, `x AKIAIOSFODNN7EXAMPLE ${'y'.repeat(9_000)}`],
  ]);
  expect(message).toHaveLength(500);
  expect(message).not.toContain('AKIAIOSFODNN7EXAMPLE');
});
