import { formatDuration } from '../../strings/format/time.ts';
import { say } from '../../strings/say.ts';
import { type ErrorRecord, saidError, TileliftError, toErrorRecord } from '../errors.ts';
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
    why:
      percentRead === null
        ? pendingWords(pending, elapsed)
        : say('sources.why.comparing', { percent: percentRead }),
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
    why: saidError(error).message,
    at,
    jobId: null,
    assetId: null,
    error,
    actions: [],
  };
}

function pendingWords({ settled, elsewhere, doubt, samples, settleTime }: Pending, elapsed: number): string {
  if (elsewhere) return say('sources.why.elsewhere');
  if (settled) return say('sources.why.turn');
  if (doubt) return doubt.reason;
  const time = formatDuration(elapsed - (samples[0]?.at ?? elapsed));
  const of = formatDuration(settleTime.ms);
  return settleTime.pauseMs === null
    ? say('sources.why.quiet', { time, of })
    : say('sources.why.quietLonger', { time, of, pause: formatDuration(settleTime.pauseMs) });
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
        why: say('sources.why.unwanted'),
        at: entry.takenAt,
        error,
        actions: ['try-again'],
      };
    case 'taken':
      return {
        ...known,
        state: 'under-way',
        why: underWayWords(job),
        at: entry.takenAt,
        error: job?.error ?? null,
        actions: [],
      };
    case 'complete':
      return {
        ...known,
        state: 'complete',
        why:
          entry.movedTo === null
            ? say('sources.why.complete')
            : say('sources.why.completeMoved', { place: entry.movedTo }),
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: [],
      };
    case 'waits-for-retry':
      return {
        ...known,
        state: 'waiting',
        why: say('sources.why.retryIn', {
          why: reason(error),
          time: formatDuration(Math.max(0, (entry.retryAt ?? now) - now)),
        }),
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: ['try-again'],
      };
    case 'waits-for-change':
    case 'waits-for-person':
      return {
        ...known,
        state: 'failed',
        why: say(entry.state === 'waits-for-change' ? 'sources.why.change' : 'sources.why.person', {
          why: reason(error),
        }),
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: ['try-again'],
      };
  }
}

function reason(error: ErrorRecord | null): string {
  return error ? saidError(error).message : say('sources.why.givenUp');
}

function underWayWords(job: JobSnapshot | undefined): string {
  if (!job) return say('sources.why.underWay');
  if (job.waitingFor === 'sign-in') return say('sources.why.signIn');
  if (job.waitingFor === 'network') return say('sources.why.network');
  if (job.waitingFor === 'source') return say('sources.why.source');
  if (job.waitingFor === 'confirmation') return say('sources.why.confirmation');
  if (job.waitingFor === 'line') return say('sources.why.line');
  if (job.status === 'uploading' && job.bytesTotal) {
    return say('sources.why.uploading', { percent: Math.floor((job.bytesDone / job.bytesTotal) * 100) });
  }
  if (job.status === 'tiling')
    return job.percentComplete === null
      ? say('sources.why.tiling')
      : say('sources.why.tilingAt', { percent: job.percentComplete });
  return say(job.status === 'completing' ? 'sources.why.completing' : 'sources.why.prepared');
}
