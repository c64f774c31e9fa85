import type { App, BrowserWindow } from 'electron';
import { hasFailed } from '../../../shared/job-status.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { MainWindow } from '../window/main-window.ts';
import type { WorkWatch } from '../work.ts';
import { type TaskbarProgress, taskbarProgress } from './taskbar-progress.ts';

export interface TaskbarParts {
  readonly app: Pick<App, 'on' | 'setBadgeCount'>;
  readonly window: Pick<MainWindow, 'current'>;
  /** Tells at most twice a second. */
  readonly work: Pick<WorkWatch, 'now' | 'onChange'>;
}

export interface Taskbar {
  /** A failure that nobody sees now is shown until somebody looks. */
  onEnd(job: JobSnapshot): void;
  /** Leaves nothing behind. */
  stop(): void;
}

/** Progress and the number of unfinished jobs at the program's place in taskbar or dock. */
export function setupTaskbar({ app, window, work }: TaskbarParts): Taskbar {
  let failureUnseen = false;
  let badge = 0;
  let shown: { readonly on: BrowserWindow; readonly text: string } | undefined;
  const count = (unfinished: number) => {
    if (unfinished === badge) return;
    badge = unfinished;
    app.setBadgeCount(unfinished);
  };
  const show = ({ jobs } = work.now()) => {
    count(jobs.length);
    const open = window.current();
    if (!open) return;
    const progress = taskbarProgress(jobs, failureUnseen);
    const text = JSON.stringify(progress);
    if (shown?.on === open && shown.text === text) return;
    shown = { on: open, text };
    setProgress(open, progress);
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

/** Electron’s own measure: below 0 for nothing, above 1 for busy without an end in sight. */
function setProgress(window: BrowserWindow, progress: TaskbarProgress): void {
  if (progress.kind === 'none') window.setProgressBar(-1);
  else if (progress.kind === 'busy') window.setProgressBar(2, { mode: 'indeterminate' });
  else window.setProgressBar(progress.share, { mode: progress.kind === 'failed' ? 'error' : 'normal' });
}
