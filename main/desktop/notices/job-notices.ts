import { hasEnded, waitsForPerson } from '../../../shared/job-status.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import type { Clock } from '../../outside.ts';
import { errorMessage, formatNames, say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import { createEndBatches } from './end-batches.ts';
import type { NoticeAction, Notify } from './notify.ts';

interface JobNoticesParts {
  readonly settings: Pick<SettingsStore, 'get'>;
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>;
  readonly jobs: Pick<JobService, 'unfinished'>;
  readonly notify: Notify;
  /** Whether the person looks at Tilelift now. */
  readonly isLookedAt: () => boolean;
  /** In the window: one with its details, several as all that are listed. */
  readonly showJobs: (ids: readonly string[]) => void;
  /** Puts them on the clipboard as a table. */
  readonly copyList: (jobs: readonly JobSnapshot[]) => void;
  /** What can be done with the asset that has come to be. */
  readonly offers: (job: JobSnapshot, assetId: number) => readonly NoticeAction[];
}

interface JobNotices {
  onEnd(job: JobSnapshot): void;
  /** What is held is then told no more. */
  stop(): void;
}

/**
 * Tells how jobs have ended, those of a batch in one notice, unless the person sees it anyway or wants none
 * of it.
 */
export function createJobNotices(parts: JobNoticesParts): JobNotices {
  const { settings, clock, jobs, notify, isLookedAt, showJobs, copyList, offers } = parts;
  const underWay = () => jobs.unfinished().filter(isAwaited).length;
  const wants = () => settings.get().background.notify && !isLookedAt();
  const { add, stop } = createEndBatches<JobSnapshot>(clock, underWay, (ended) => {
    if (!wants()) return;
    // One that was tried again and ended twice meanwhile counts as it ended last.
    const told = [...new Map(ended.map((job) => [job.id, job])).values()];
    const [job] = told;
    const show = () => showJobs(told.map(({ id }) => id));
    if (told.length > 1) {
      const actions = [
        { text: say('notify.open'), run: show },
        { text: say('queue.copyCsv'), run: () => copyList(told) },
      ];
      notify({ ...batchWords(told), onClick: show, actions });
    } else if (job) {
      const { assetId, ...words } = jobWords(job);
      notify({ ...words, onClick: show, actions: assetId === null ? [] : offers(job, assetId) });
    }
  });
  return {
    // What the person has seen end is not told later, with others.
    onEnd: (job) => {
      if (isTold(job) && wants()) add(job);
    },
    stop,
  };
}

/** Whether a person waits for a job's end, and it comes without their word. Pure. */
function isAwaited(job: JobSnapshot): boolean {
  return !job.byRule && !hasEnded(job.status) && !waitsForPerson(job);
}

/** Not what a person cancelled, nor what is a watched folder's: those are told of together. */
function isTold({ byRule, status }: JobSnapshot): boolean {
  return !byRule && hasEnded(status) && status !== 'cancelled';
}

/** What a person is told of a job's end. */
interface JobWords {
  readonly title: string;
  readonly body: string;
  /** The asset to copy the id of or to open; null where there is nothing to be had. */
  readonly assetId: number | null;
}

/** Of one job that has ended. Pure. */
function jobWords(job: JobSnapshot): JobWords {
  const { name, assetId, status } = job;
  const body = job.error ? errorMessage(job.error) : '';
  switch (status) {
    case 'complete': {
      const ready = assetId === null ? say('notify.ready') : say('notify.readyAs', { id: String(assetId) });
      return { title: say('notify.complete', { name }), body: ready, assetId };
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

/** So many names are in a notice; those that failed come first. */
const maxNames = 3;

/** "10 complete, 2 failed", and the names of a few. Pure. */
function batchWords(jobs: readonly JobSnapshot[]): { readonly title: string; readonly body: string } {
  const complete = jobs.filter(({ status }) => status === 'complete');
  const failed = jobs.filter(({ status }) => status !== 'complete');
  const counts = { complete: complete.length, failed: failed.length };
  if (failed.length === 0) return { title: say('queue.batchComplete', counts), body: someNames(complete) };
  const title = complete.length === 0 ? say('queue.batchFailed', counts) : say('queue.batchMixed', counts);
  return { title, body: say('notify.batchFailed', { names: someNames(failed) }) };
}

function someNames(jobs: readonly JobSnapshot[]): string {
  const names = formatNames(jobs.slice(0, maxNames).map(({ name }) => name));
  const more = jobs.length - maxNames;
  return more > 0 ? say('general.andMore', { names, more }) : names;
}
