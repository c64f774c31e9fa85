import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, TileliftError, toErrorRecord } from '../../../../main/errors.ts';
import type { JobSnapshot } from '../../../../main/jobs/model.ts';
import { type AfterJobContext, afterJob } from '../../../../main/watch/finish/after-job.ts';
import { failureClassOf } from '../../../../main/watch/state/ledger/asset-rules.ts';
import { sayPhrase } from '../../../../renderer/say.ts';
import { errorTable } from '../../../../shared/errors.ts';
import type { JobStatus } from '../../../../shared/job-status.ts';
import type { Phrase } from '../../../../strings/phrase.ts';

const currentTime = 1_800_000_000_000;
const codes = Object.keys(errorTable) as ErrorCode[];
const entry = { path: 'scan', retries: 0, restarts: 0, refusedAt: null as number | null };

function ended(status: JobStatus, code: ErrorCode | null = null): JobSnapshot {
  return {
    id: 'job',
    accountId: 'me',
    status,
    name: 'Scan',
    assetType: 'TERRAIN',
    sourceType: 'RASTER_TERRAIN',
    paths: ['/in/scan'],
    createdAt: 1,
    uploadedAt: status === 'failed' || status === 'expired' ? null : 2,
    endedAt: currentTime - 10,
    fileCount: 1,
    bytesTotal: 1,
    bytesDone: 1,
    bytesOnWire: 0,
    bytesPerSecond: null,
    secondsLeft: null,
    partsTotal: 1,
    partsDone: 1,
    partsOnWire: 0,
    credentialsEndAt: null,
    partsSentAgain: 0,
    concurrency: null,
    waitingFor: null,
    assetId: 42,
    assetStatus: null,
    percentComplete: null,
    progressMessage: null,
    error: code === null ? null : toErrorRecord(new TileliftError(code)),
    nextTryAt: null,
    byRule: true,
    actions: [],
    place: 1,
    isQueued: false,
    expected: null,
  };
}

const said = (words: readonly Phrase[]) => words.map(sayPhrase).join(' ');

const follows = (
  job: JobSnapshot | undefined,
  known: Partial<typeof entry> = {},
  context: Partial<AfterJobContext> = {},
) =>
  afterJob({ ...entry, ...known }, job, {
    rule: { whenExpired: 'start-again' },
    currentTime,
    forecastFits: true,
    isGone: false,
    random: () => 0.5,
    ...context,
  });

describe('afterJob()', () => {
  it('marks a complete source and resets its failure counts', () => {
    const { change, phrases } = follows(ended('complete'), { retries: 3, restarts: 1 });
    expect(change).toEqual({
      state: 'complete',
      assetId: 42,
      endedAt: currentTime - 10,
      error: null,
      retries: 0,
      restarts: 0,
      refusedAt: null,
      retryAt: null,
      standing: null,
    });
    expect(said(phrases)).toBe('scan is complete as asset 42.');
  });

  it('waits for the user after the user cancelled or removed the job', () => {
    expect(follows(ended('cancelled'))).toMatchObject({ change: { state: 'waits-for-person' } });
    expect(follows(undefined)).toMatchObject({
      change: { state: 'waits-for-person', endedAt: currentTime, assetId: null },
    });
  });

  it('waits for a change after a data error', () => {
    const { change } = follows(ended('data-error', 'data-error'));
    expect(change).toMatchObject({ state: 'waits-for-change', error: { code: 'data-error' }, retryAt: null });
  });

  it('retries an unreachable service indefinitely, with growing delays', () => {
    const delays = [0, 1, 2, 20, 500].map((retries) => {
      const { change } = follows(ended('failed', 'service-unreachable'), { retries });
      expect(change).toMatchObject({ state: 'waits-for-retry', retries: retries + 1 });
      return ((change.retryAt ?? 0) - currentTime) / 1000;
    });
    expect(delays).toEqual([30, 60, 120, 86_400, 86_400]);
  });

  it.each([
    ['failed', 'source-unreadable'],
    ['failed', 'source-missing'],
  ] as const)('retries a %s job three times after %s, then waits for a change', (status, code) => {
    const states = [0, 1, 2, 3].map((retries) => follows(ended(status, code), { retries }).change.state);
    expect(states).toEqual(['waits-for-retry', 'waits-for-retry', 'waits-for-retry', 'waits-for-change']);
  });

  it('waits for the user if tiling failed without a reason, since all bytes are uploaded', () => {
    const { change } = follows(ended('error', 'tiling-error'));
    expect(change).toMatchObject({ state: 'waits-for-person', retryAt: null });
  });

  it.each(codes.filter((code) => failureClassOf(code) !== 'person'))(
    'retries the same job indefinitely for %s after all bytes are uploaded',
    (code) => {
      const job = { ...ended('failed', code), uploadedAt: 2 };
      const { change } = follows(job, { retries: 500 });
      expect(change).toMatchObject({ state: 'waits-for-retry', retries: 501 });
    },
  );

  it.each(codes.filter((code) => failureClassOf(code) !== 'own'))(
    'waits for the user after %s if a second asset can’t be continued either',
    (code) => {
      expect(follows(ended('failed', code), { restarts: 1 })).toMatchObject({
        change: { state: 'waits-for-person' },
      });
    },
  );

  it('changes nothing for a job that hasn’t ended', () => {
    expect(follows(ended('tiling'))).toEqual({ change: {}, phrases: [] });
  });

  it('waits for the user if the rule no longer exists', () => {
    const context = { rule: undefined };
    expect(follows(ended('expired', 'credentials-expired'), {}, context).change.state).toBe(
      'waits-for-person',
    );
  });
});

describe('afterJob() with expired credentials', () => {
  const expired = ended('expired', 'credentials-expired');

  it('restarts at once if the rule allows it, but only once', () => {
    expect(follows(expired)).toMatchObject({ change: { state: 'waits-for-retry', retryAt: currentTime } });
    expect(follows(expired, { restarts: 1 })).toMatchObject({ change: { state: 'waits-for-person' } });
  });

  it.each([
    ['the rule waits', { rule: { whenExpired: 'wait' } }],
    ['the forecast does not fit', { forecastFits: false }],
  ] as const)('waits for the user after expired credentials if %s', (_, context) => {
    const { change } = follows(expired, {}, context);
    expect(change).toMatchObject({ state: 'waits-for-person', error: { code: 'credentials-expired' } });
    expect(change.restarts).toBeUndefined();
  });
});

describe('afterJob() for every error code', () => {
  it.each(codes)('assigns %s a failure class and a message', (code) => {
    expect(failureClassOf(code)).toMatch(/^(own|perhaps-own|others|person)$/);
    const { change, phrases } = follows(ended('failed', code));
    expect(change.state).toMatch(/^waits-/);
    expect(change.error?.code).toBe(code);
    expect(said(phrases)).toMatch(/^scan failed: .+\.$/);
  });

  it('quotes the service’s message in the activity log', () => {
    const error = toErrorRecord(new TileliftError('data-error', { remote: { message: 'No positions' } }));
    expect(said(follows({ ...ended('data-error'), error }).phrases)).toBe(
      'scan failed: The service found a problem in the data. (No positions) Tilelift tries again when it changes.',
    );
    expect(said(follows(ended('error'), { path: '.' }).phrases)).toBe(
      'The folder failed: no reason was given. Tilelift tries again automatically.',
    );
  });

  it('schedules a retry exactly for sources that wait for one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.nat(1e4), fc.nat(5), (code, retries, restarts) => {
        const { change } = follows(ended('failed', code), { retries, restarts });
        expect(change.retryAt !== null).toBe(change.state === 'waits-for-retry');
      }),
    );
  });

  it.each([
    ['own', 'waits-for-change'],
    ['person', 'waits-for-person'],
  ] as const)('never retries errors of class %s automatically', (kind, state) => {
    for (const code of codes.filter((one) => failureClassOf(one) === kind))
      expect(follows(ended('failed', code)).change.state).toBe(state);
  });
});
