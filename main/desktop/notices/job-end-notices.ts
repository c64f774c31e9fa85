import { say } from '../../../strings/say.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { SettingsStore } from '../../settings.ts';
import { jobNotification } from './job-notification.ts';
import type { Notify } from './notify.ts';

export interface JobEndNoticesParts {
  readonly settings: SettingsStore;
  readonly notify: Notify;
  /** Whether the person looks at Tilelift now. */
  readonly isLookedAt: () => boolean;
  readonly showJob: (id: string) => void;
  readonly copyAssetId: (assetId: number) => void;
  /** In the browser, with the account that made it. */
  readonly openAsset: (accountId: string, assetId: number) => void;
}

/** Tells how a job has ended, unless the person sees it anyway or wants none of it. */
export function createJobEndNotices(parts: JobEndNoticesParts): (job: JobSnapshot) => void {
  const { settings, notify, isLookedAt, showJob, copyAssetId, openAsset } = parts;
  return (job) => {
    const told = jobNotification(job);
    if (!told || !settings.get().background.notify || isLookedAt()) return;
    const { title, body, assetId } = told;
    notify({
      title,
      body,
      onClick: () => showJob(job.id),
      actions:
        assetId === null
          ? []
          : [
              { text: say('notify.copyAssetId'), run: () => copyAssetId(assetId) },
              { text: say('notify.open'), run: () => openAsset(job.accountId, assetId) },
            ],
    });
  };
}
