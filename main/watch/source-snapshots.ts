import type { Said } from '../../strings/phrase.ts';
import { errorPhrase } from '../../strings/said-error.ts';
import { type ErrorRecord, TileliftError, toErrorRecord } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import type { LedgerEntry, SourceSnapshot } from './model.ts';
import { isWaiting, type Pending } from './settle/pending-sources.ts';

/**
 * A source that is not taken yet, as a person sees it.
 *
 * @param elapsed the watch's own clock, ms
 * @param percentRead how much of it has been read, to be held against what another computer made of it; null while it isn't
 */
export function pendingSnapshot(
  ruleId: string,
  pending: Pending,
  elapsed: number,
  percentRead: number | null = null,
): SourceSnapshot {
  const { found, settled, firstSeenAt } = pending;
  return {
    ruleId,
    path: found.path,
    files: found.files.length,
    bytes: found.bytes,
    state: isWaiting(pending) ? 'waiting' : 'settling',
    why: [
      percentRead === null
        ? pendingWhy(pending, elapsed)
        : { key: 'sources.why.comparing', values: { percent: percentRead } },
    ],
    at: firstSeenAt,
    jobId: null,
    assetId: null,
    error: null,
    actions: settled ? [] : ['take-now'],
  };
}

/** A source of which something can't be read. `path`: absolute, of that. */
export function unreadableSnapshot(ruleId: string, source: string, path: string, at: number): SourceSnapshot {
  const error = toErrorRecord(new TileliftError('source-unreadable', { subject: path }));
  return {
    ruleId,
    path: source,
    files: 0,
    bytes: 0,
    state: 'settling',
    why: [errorPhrase(error)],
    at,
    jobId: null,
    assetId: null,
    error,
    actions: [],
  };
}

function pendingWhy({ settled, elsewhere, doubt, samples, settleTime }: Pending, elapsed: number): Said {
  if (elsewhere) return { key: 'sources.why.elsewhere' };
  if (settled) return { key: 'sources.why.turn' };
  if (doubt) return doubt.reason;
  const time = { duration: elapsed - (samples[0]?.at ?? elapsed) };
  const of = { duration: settleTime.ms };
  return settleTime.pauseMs === null
    ? { key: 'sources.why.quiet', values: { time, of } }
    : { key: 'sources.why.quietLonger', values: { time, of, pause: { duration: settleTime.pauseMs } } };
}

/** A source that the ledger knows. `now`: ms since the epoch. */
export function knownSnapshot(entry: LedgerEntry, job: JobSnapshot | undefined, now: number): SourceSnapshot {
  const { ruleId, path, files, bytes, takenAt, jobId, assetId, error } = entry;
  const known = { ruleId, path, files, bytes, takenAt, jobId, assetId: assetId ?? job?.assetId ?? null };
  switch (entry.state) {
    case 'skipped':
      return {
        ...known,
        state: 'skipped',
        why: [{ key: 'sources.why.unwanted' }],
        at: entry.takenAt,
        error,
        actions: ['try-again'],
      };
    case 'taken':
      return {
        ...known,
        state: 'under-way',
        why: [underWayWhy(job)],
        at: entry.takenAt,
        error: job?.error ?? null,
        actions: [],
      };
    case 'complete':
      return {
        ...known,
        state: 'complete',
        why: [{ key: 'sources.why.complete' }],
        ...(entry.movedTo === null ? {} : { movedTo: entry.movedTo }),
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: [],
      };
    case 'waits-for-retry':
      return {
        ...known,
        state: 'waiting',
        why: [
          {
            key: 'sources.why.retryIn',
            values: {
              why: reason(error),
              time: { duration: Math.max(0, (entry.retryAt ?? now) - now) },
            },
          },
        ],
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: ['try-again'],
      };
    case 'waits-for-change':
    case 'waits-for-person':
      return {
        ...known,
        state: 'failed',
        why: [
          {
            key: entry.state === 'waits-for-change' ? 'sources.why.change' : 'sources.why.person',
            values: {
              why: reason(error),
            },
          },
        ],
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: ['try-again'],
      };
  }
}

function reason(error: ErrorRecord | null): Said {
  return error ? errorPhrase(error) : { key: 'sources.why.givenUp' };
}

function underWayWhy(job: JobSnapshot | undefined): Said {
  if (!job) return { key: 'sources.why.underWay' };
  if (job.waitingFor === 'sign-in') return { key: 'sources.why.signIn' };
  if (job.waitingFor === 'network') return { key: 'sources.why.network' };
  if (job.waitingFor === 'source') return { key: 'sources.why.source' };
  if (job.waitingFor === 'confirmation') return { key: 'sources.why.confirmation' };
  if (job.waitingFor === 'line') return { key: 'sources.why.line' };
  if (job.status === 'uploading' && job.bytesTotal) {
    return {
      key: 'sources.why.uploading',
      values: { percent: Math.floor((job.bytesDone / job.bytesTotal) * 100) },
    };
  }
  if (job.status === 'tiling')
    return job.percentComplete === null
      ? { key: 'sources.why.tiling' }
      : { key: 'sources.why.tilingAt', values: { percent: job.percentComplete } };
  return { key: job.status === 'completing' ? 'sources.why.completing' : 'sources.why.prepared' };
}
