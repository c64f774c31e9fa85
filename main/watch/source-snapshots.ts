import { type ErrorRecord, TileliftError, toErrorRecord } from '../errors.ts';
import { durationWords } from '../jobs/history.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import type { LedgerEntry, SourceSnapshot } from './model.ts';
import type { Pending } from './pending-sources.ts';

/** A source that is not taken yet, as a person sees it. `elapsed`: the watch's own clock, ms. */
export function pendingSnapshot(ruleId: string, pending: Pending, elapsed: number): SourceSnapshot {
  const { found, settled, firstSeenAt } = pending;
  return {
    ruleId,
    path: found.path,
    files: found.files.length,
    bytes: found.bytes,
    state: settled || pending.elsewhere ? 'waiting' : 'settling',
    why: pendingWords(pending, elapsed),
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
    why: error.message,
    at,
    jobId: null,
    assetId: null,
    error,
    actions: [],
  };
}

function pendingWords({ settled, elsewhere, doubt, samples }: Pending, elapsed: number): string {
  if (elsewhere) return 'Another computer is taking it';
  if (settled) return 'Waits for its turn';
  if (doubt) return doubt.reason;
  return `Quiet for ${durationWords(elapsed - (samples[0]?.at ?? elapsed))}`;
}

/** A source that the ledger knows. `now`: ms since the epoch. */
export function knownSnapshot(entry: LedgerEntry, job: JobSnapshot | undefined, now: number): SourceSnapshot {
  const { ruleId, path, files, bytes, jobId, assetId, error } = entry;
  const known = { ruleId, path, files, bytes, jobId, assetId: assetId ?? job?.assetId ?? null };
  switch (entry.state) {
    case 'skipped':
      return {
        ...known,
        state: 'skipped',
        why: 'Was not wanted',
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
        why: entry.movedTo === null ? 'Complete' : `Complete, moved to ${entry.movedTo}`,
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: [],
      };
    case 'waits-for-retry':
      return {
        ...known,
        state: 'waiting',
        why: `${reason(error)} Tried again in ${durationWords(Math.max(0, (entry.retryAt ?? now) - now))}`,
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: ['try-again'],
      };
    case 'waits-for-change':
    case 'waits-for-person':
      return {
        ...known,
        state: 'failed',
        why: `${reason(error)} ${entry.state === 'waits-for-change' ? 'Waits for a change' : 'Waits for you'}`,
        at: entry.endedAt ?? entry.takenAt,
        error,
        actions: ['try-again'],
      };
  }
}

function reason(error: ErrorRecord | null): string {
  return error?.message ?? 'It was given up.';
}

function underWayWords(job: JobSnapshot | undefined): string {
  if (!job) return 'Under way';
  if (job.waitingFor === 'sign-in') return 'Waits for you to sign in';
  if (job.waitingFor === 'network') return 'Waits for the network';
  if (job.waitingFor === 'confirmation') return 'Waits for your word: the upload may outlive its credentials';
  if (job.waitingFor === 'line') return 'Waits for the line';
  if (job.status === 'uploading' && job.bytesTotal) {
    return `Uploading, ${Math.floor((job.bytesDone / job.bytesTotal) * 100)} %`;
  }
  if (job.status === 'tiling')
    return `Tiling${job.percentComplete === null ? '' : `, ${job.percentComplete} %`}`;
  return job.status === 'completing' ? 'Completing' : 'Being prepared';
}
