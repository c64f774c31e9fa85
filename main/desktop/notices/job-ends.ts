import { gatherChanges } from '../../gather-changes.ts';
import type { JobService, JobSnapshot } from '../../jobs/model.ts';
import { errorMessage, say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import type { NoticeAction, Notify } from './notify.ts';

/** A job looked at after this time (ms), so that a busy one costs no more than four looks a second. */
const lookAfterMs = 250;

/**
 * Tells of each job as it ends, also of one that ends a second time after it was tried again. Those that had
 * ended before are not told. Returns an unsubscribe function.
 */
export function watchJobEnds(
  jobs: Pick<JobService, 'list' | 'get' | 'onChange'>,
  tell: (job: JobSnapshot) => void,
): () => void {
  const toldOf = new Map<string, number>();
  for (const { id, endedAt } of jobs.list()) if (endedAt !== null) toldOf.set(id, endedAt);
  const changed = gatherChanges<string>(lookAfterMs, (ids) => {
    for (const id of ids) {
      const job = jobs.get(id);
      // One that was removed may be brought back.
      if (job && job.endedAt !== null && toldOf.get(id) !== job.endedAt) {
        toldOf.set(id, job.endedAt);
        tell(job);
      }
    }
  });
  const stopListening = jobs.onChange(changed.add);
  return () => {
    stopListening();
    changed.stop();
  };
}

interface JobEndNoticesParts {
  readonly settings: SettingsStore;
  readonly notify: Notify;
  /** Whether the person looks at Tilelift now. */
  readonly isLookedAt: () => boolean;
  readonly showJob: (id: string) => void;
  /** What can be done with the asset that has come to be. */
  readonly offers: (job: JobSnapshot, assetId: number) => readonly NoticeAction[];
}

/** Tells how a job has ended, unless the person sees it anyway or wants none of it. */
export function createJobEndNotices(parts: JobEndNoticesParts): (job: JobSnapshot) => void {
  const { settings, notify, isLookedAt, showJob, offers } = parts;
  return (job) => {
    const told = jobNotification(job);
    if (!told || !settings.get().background.notify || isLookedAt()) return;
    const { title, body, assetId } = told;
    notify({
      title,
      body,
      onClick: () => showJob(job.id),
      actions: assetId === null ? [] : offers(job, assetId),
    });
  };
}

/** What a person is told of a job's end, and what they may do with it then. */
interface JobNotification {
  readonly title: string;
  readonly body: string;
  /** The asset to copy the id of or to open; null where there is nothing to be had. */
  readonly assetId: number | null;
}

/**
 * Of a job that a person began. Null for what nobody waits for: a person cancelled it, or it is a watched
 * folder's, which are told of together. Pure.
 */
function jobNotification(job: JobSnapshot): JobNotification | null {
  if (job.byRule) return null;
  const why = job.error ? errorMessage(job.error) : '';
  const { name } = job;
  switch (job.status) {
    case 'complete':
      return { title: say('notify.complete', { name }), body: assetWords(job), assetId: job.assetId };
    case 'data-error':
      return { title: say('notify.dataError', { name }), body: why, assetId: null };
    case 'error':
      return { title: say('notify.tilingFailed', { name }), body: why, assetId: null };
    case 'failed':
      return { title: say('notify.failed', { name }), body: why, assetId: null };
    case 'expired':
      return { title: say('notify.expired', { name }), body: why, assetId: null };
    default:
      return null;
  }
}

function assetWords({ assetId }: JobSnapshot): string {
  return assetId === null ? say('notify.ready') : say('notify.readyAs', { id: String(assetId) });
}
