import type { App, BrowserWindow } from 'electron';
import { hasFailed, waitsForAnother } from '../../../shared/job-status.ts';
import { queueSecondsLeft } from '../../../shared/queue.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { formatDuration, say } from '../../say.ts';
import { continuesUnattended, type WorkWatch } from '../launch/work.ts';
import type { MainWindow } from '../window/main-window.ts';

interface TaskbarParts {
  readonly app: Pick<App, 'on' | 'setBadgeCount'>;
  readonly window: Pick<MainWindow, 'current'>;
  /** At most twice a second. */
  readonly work: Pick<WorkWatch, 'current' | 'onChange'>;
}

interface Taskbar {
  onEnd(job: JobSnapshot): void;
  /** Clears the badge. */
  stop(): void;
}

/** Shows progress, time left and the number of unfinished jobs in the taskbar or dock. */
export function setupTaskbar({ app, window, work }: TaskbarParts): Taskbar {
  let failureUnseen = false;
  let badge = 0;
  let display: { readonly window: BrowserWindow; readonly text: string } | undefined;
  const count = (unfinishedCount: number) => {
    if (unfinishedCount === badge) return;
    badge = unfinishedCount;
    app.setBadgeCount(unfinishedCount);
  };
  const show = ({ jobs } = work.current()) => {
    count(jobs.length);
    const openWindow = window.current();
    if (!openWindow) return;
    const progress = taskbarProgress(jobs, failureUnseen);
    const secondsLeft = queueSecondsLeft(jobs);
    const title =
      secondsLeft === null ? [] : [say('job.detail.left', { left: formatDuration(secondsLeft * 1000) })];
    const text = JSON.stringify([progress, title]);
    if (display?.window === openWindow && display.text === text) return;
    display = { window: openWindow, text };
    setProgress(openWindow, progress);
    openWindow.setTitle([...title, 'Tilelift'].join(' · '));
  };
  work.onChange(show);
  app.on('browser-window-focus', () => {
    failureUnseen = false;
    show();
  });
  show();
  return {
    onEnd: ({ status }) => {
      if (!hasFailed(status) || window.current()?.isFocused()) return;
      failureUnseen = true;
      show();
    },
    stop: () => count(0),
  };
}

/** Electron: below 0 none, above 1 indeterminate. */
function setProgress(window: BrowserWindow, progress: TaskbarProgress): void {
  if (progress.kind === 'none') window.setProgressBar(-1);
  else if (progress.kind === 'busy') window.setProgressBar(2, { mode: 'indeterminate' });
  else window.setProgressBar(progress.share, { mode: progress.kind === 'failed' ? 'error' : 'normal' });
}

/** `share`: 0 to 1 of all bytes. */
type TaskbarProgress =
  | { readonly kind: 'none' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'sending' | 'failed'; readonly share: number };

const sending: ReadonlySet<JobSnapshot['status']> = new Set(['uploading', 'completing']);
const busy: ReadonlySet<JobSnapshot['status']> = new Set(['creating', 'tiling']);

/** `failureUnseen`: a job failed since the last focus. Pure. */
export function taskbarProgress(jobs: readonly JobSnapshot[], failureUnseen: boolean): TaskbarProgress {
  const movingJobs = jobs.filter((job) => isMoving(job));
  const sendingJobs = movingJobs.filter(({ status }) => sending.has(status));
  if (failureUnseen) return { kind: 'failed', share: sendingJobs.length > 0 ? shareDone(sendingJobs) : 1 };
  if (sendingJobs.length > 0) return { kind: 'sending', share: shareDone(sendingJobs) };
  return movingJobs.some(({ status }) => busy.has(status)) ? { kind: 'busy' } : { kind: 'none' };
}

function isMoving(job: JobSnapshot): boolean {
  return continuesUnattended(job) && !waitsForAnother(job);
}

function shareDone(jobs: readonly JobSnapshot[]): number {
  const total = jobs.reduce((sum, { bytesTotal }) => sum + (bytesTotal ?? 0), 0);
  const done = jobs.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  return total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
}
