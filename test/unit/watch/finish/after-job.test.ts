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
const entry = { path: 'scan', retries: 0, restarts: 0 };

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
    random: () => 0.5,
    ...context,
  });

describe('the end of a job', () => {
  it('complete is complete, and earlier failures are forgotten', () => {
    const { change, nextStep, phrases } = follows(ended('complete'), { retries: 3, restarts: 1 });
    expect(change).toEqual({
      state: 'complete',
      assetId: 42,
      endedAt: currentTime - 10,
      error: null,
      retries: 0,
      restarts: 0,
      retryAt: null,
      standing: null,
    });
    expect(nextStep).toBe('nothing');
    expect(said(phrases)).toBe('scan is complete as asset 42.');
  });

  it('by a person waits for a person', () => {
    expect(follows(ended('cancelled'))).toMatchObject({
      change: { state: 'waits-for-person' },
      nextStep: 'nothing',
    });
    expect(follows(undefined)).toMatchObject({
      change: { state: 'waits-for-person', endedAt: currentTime, assetId: null },
      nextStep: 'nothing',
    });
  });

  it('with bad data waits for a change', () => {
    const { change, nextStep } = follows(ended('data-error', 'data-error'));
    expect(change).toMatchObject({ state: 'waits-for-change', error: { code: 'data-error' }, retryAt: null });
    expect(nextStep).toBe('nothing');
  });

  it('for want of the service is tried again, ever later, without end', () => {
    const delays = [0, 1, 2, 20, 500].map((retries) => {
      const { change, nextStep } = follows(ended('failed', 'service-unreachable'), { retries });
      expect(nextStep).toBe('try-again-later');
      expect(change).toMatchObject({ state: 'waits-for-retry', retries: retries + 1 });
      return ((change.retryAt ?? 0) - currentTime) / 1000;
    });
    expect(delays).toEqual([30, 60, 120, 86_400, 86_400]);
  });

  it.each([
    ['failed', 'source-unreadable'],
    ['failed', 'source-missing'],
  ] as const)('%s, %s, is tried again three times, then waits for a change', (status, code) => {
    const states = [0, 1, 2, 3].map((retries) => follows(ended(status, code), { retries }).change.state);
    expect(states).toEqual(['waits-for-retry', 'waits-for-retry', 'waits-for-retry', 'waits-for-change']);
  });

  it('without a reason named by the service waits for a person: its bytes are all there', () => {
    const { change, nextStep } = follows(ended('error', 'tiling-error'));
    expect(change).toMatchObject({ state: 'waits-for-person', retryAt: null });
    expect(nextStep).toBe('nothing');
  });

  it.each(codes.filter((code) => failureClassOf(code) !== 'person'))(
    'for %s after all bytes were on storage is tried again as itself, without end',
    (code) => {
      const job = { ...ended('failed', code), uploadedAt: 2 };
      const { change, nextStep } = follows(job, { retries: 500 });
      expect(change).toMatchObject({ state: 'waits-for-retry', retries: 501 });
      expect(nextStep).toBe('try-again-later');
    },
  );

  it.each(codes.filter((code) => failureClassOf(code) !== 'own'))(
    'for %s waits for a person where a second asset can’t be continued either',
    (code) => {
      expect(follows(ended('failed', code), { restarts: 1 })).toMatchObject({
        nextStep: 'nothing',
        change: { state: 'waits-for-person' },
      });
    },
  );

  it('that has not come changes nothing', () => {
    expect(follows(ended('tiling'))).toEqual({ change: {}, nextStep: 'nothing', phrases: [] });
  });

  it('is told without the rule when that is gone', () => {
    const context = { rule: undefined };
    expect(follows(ended('expired', 'credentials-expired'), {}, context).change.state).toBe(
      'waits-for-person',
    );
  });
});

describe('credentials that ended before the upload', () => {
  const expired = ended('expired', 'credentials-expired');

  it('start again at once where the rule wants it, once at most', () => {
    expect(follows(expired)).toMatchObject({ nextStep: 'start-again-now', change: { retryAt: currentTime } });
    expect(follows(expired, { restarts: 1 })).toMatchObject({
      nextStep: 'nothing',
      change: { state: 'waits-for-person' },
    });
  });

  it('are due at the next start where Tilelift ends before the new job is there', () => {
    expect(follows(expired).change).toMatchObject({ state: 'waits-for-retry', retryAt: currentTime });
  });

  it.each([
    ['the rule waits', { rule: { whenExpired: 'wait' } }],
    ['the forecast does not fit', { forecastFits: false }],
  ] as const)('wait for a person where %s', (_, context) => {
    const { change, nextStep } = follows(expired, {}, context);
    expect(change).toMatchObject({ state: 'waits-for-person', error: { code: 'credentials-expired' } });
    expect(change.restarts).toBeUndefined();
    expect(nextStep).toBe('nothing');
  });
});

describe('every error of the table', () => {
  it.each(codes)('%s has a class, and words', (code) => {
    expect(failureClassOf(code)).toMatch(/^(own|perhaps-own|others|person)$/);
    const { change, phrases } = follows(ended('failed', code));
    expect(change.state).toMatch(/^waits-/);
    expect(change.error?.code).toBe(code);
    expect(said(phrases)).toMatch(/^scan failed: .+\.$/);
  });

  it('is told with the remote side’s own words', () => {
    const error = toErrorRecord(new TileliftError('data-error', { remote: { message: 'No positions' } }));
    expect(said(follows({ ...ended('data-error'), error }).phrases)).toBe(
      'scan failed: The service found a problem in the data. (No positions) Tilelift tries again when it changes.',
    );
    expect(said(follows(ended('error'), { path: '.' }).phrases)).toBe(
      'The folder failed: no reason was given. Tilelift tries again automatically.',
    );
  });

  it('leads to a known state whatever came before', () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.nat(1e4), fc.nat(5), (code, retries, restarts) => {
        const { change, nextStep } = follows(ended('failed', code), { retries, restarts });
        expect(change.state === 'waits-for-retry').toBe(nextStep === 'try-again-later');
        expect(change.retryAt !== null).toBe(nextStep === 'try-again-later');
      }),
    );
  });

  it.each([
    ['own', 'waits-for-change'],
    ['person', 'waits-for-person'],
  ] as const)('of class %s is never tried again by itself', (kind, state) => {
    for (const code of codes.filter((one) => failureClassOf(one) === kind))
      expect(follows(ended('failed', code)).change.state).toBe(state);
  });
});
