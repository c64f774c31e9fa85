import { hasEnded, waitsForPerson } from '../../../shared/job-status.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import type { Clock } from '../../ports.ts';
import { errorMessage, formatNames, say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import { createEndBatches } from './end-batches.ts';
import type { NoticeAction, Notify } from './notify.ts';

interface JobNoticesParts {
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly jobs: Pick<JobService, 'unfinishedJobs'>;
  readonly notify: Notify;
  readonly isLookedAt: () => boolean;
  /** One with details, several as a list. */
  readonly showJobs: (ids: readonly string[]) => void;
  /** As a table. */
  readonly copyList: (jobs: readonly JobSnapshot[]) => void;
  readonly offers: (job: JobSnapshot, assetId: number) => readonly NoticeAction[];
}

interface JobNotices {
  onEnd(job: JobSnapshot): void;
  /** Discards pending notices. */
  stop(): void;
}

/** Silent if the window is focused or notices are off. */
export function createJobNotices(parts: JobNoticesParts): JobNotices {
  const { settings, clock, jobs, notify, isLookedAt, showJobs, copyList, offers } = parts;
  const underWayCount = () => jobs.unfinishedJobs().filter(isAwaited).length;
  const isEnabled = () => settings.get().background.notify && !isLookedAt();
  const { add, stop } = createEndBatches<JobSnapshot>(clock, underWayCount, (endedJobs) => {
    if (!isEnabled()) return;
    // A retried job counts as it ended last.
    const latestJobs = [...new Map(endedJobs.map((job) => [job.id, job])).values()];
    const [job] = latestJobs;
    const show = () => showJobs(latestJobs.map(({ id }) => id));
    if (latestJobs.length > 1) {
      const actions = [
        { text: say('notify.open'), run: show },
        { text: say('queue.copyCsv'), run: () => copyList(latestJobs) },
      ];
      notify({ ...batchWords(latestJobs), onClick: show, actions });
    } else if (job) {
      const { assetId, ...words } = jobWords(job);
      notify({ ...words, onClick: show, actions: assetId === null ? [] : offers(job, assetId) });
    }
  });
  return {
    // Skip jobs that the user saw ending.
    onEnd: (job) => {
      if (isReported(job) && isEnabled()) add(job);
    },
    stop,
  };
}

/** Pure. */
function isAwaited(job: JobSnapshot): boolean {
  return !job.byRule && !hasEnded(job.status) && !waitsForPerson(job);
}

/** Watched folders have their own summary. */
function isReported({ byRule, status }: JobSnapshot): boolean {
  return !byRule && hasEnded(status) && status !== 'cancelled';
}

interface JobWords {
  readonly title: string;
  readonly body: string;
  /** Null for none. */
  readonly assetId: number | null;
}

/** Pure. */
function jobWords(job: JobSnapshot): JobWords {
  const { name, assetId, status } = job;
  const body = job.error ? errorMessage(job.error) : '';
  switch (status) {
    case 'complete': {
      const readyText =
        assetId === null ? say('notify.ready') : say('notify.readyAs', { id: String(assetId) });
      return { title: say('notify.complete', { name }), body: readyText, assetId };
    }
    case 'data-error':
      return { title: say('notify.dataError', { name }), body, assetId: null };
    case 'error':
      return { title: say('notify.tilingFailed', { name }), body, assetId: null };
    case 'expired':
      return { title: say('notify.expired', { name }), body, assetId: null };
    default:
      return { title: say('notify.failed', { name }), body, assetId: null };
  }
}

const maxNames = 3;

/** For example "10 complete, 2 failed". Pure. */
function batchWords(jobs: readonly JobSnapshot[]): { readonly title: string; readonly body: string } {
  const complete = jobs.filter(({ status }) => status === 'complete');
  const failedJobs = jobs.filter(({ status }) => status !== 'complete');
  const counts = { complete: complete.length, failed: failedJobs.length };
  if (failedJobs.length === 0)
    return { title: say('queue.batchComplete', counts), body: someNames(complete) };
  const title = complete.length === 0 ? say('queue.batchFailed', counts) : say('queue.batchMixed', counts);
  return { title, body: say('notify.batchFailed', { names: someNames(failedJobs) }) };
}

function someNames(jobs: readonly JobSnapshot[]): string {
  const names = formatNames(jobs.slice(0, maxNames).map(({ name }) => name));
  const furtherCount = jobs.length - maxNames;
  return furtherCount > 0 ? say('general.andMore', { names, more: furtherCount }) : names;
}
