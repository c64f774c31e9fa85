import type { PowerSaveBlocker } from 'electron';
import type { SettingsStore } from '../settings.ts';
import { isUnderWay, type Work, type WorkWatch } from './work.ts';

/** Whether the computer is to stay awake: while bytes are under way, not while tiling (the service's work) or while a job waits for a person. Pure. */
export function needsAwake({ jobs }: Pick<Work, 'jobs'>, wanted: boolean): boolean {
  return wanted && jobs.some(isUnderWay);
}

/** Holds the system's sleep back while that is needed, and lets go at once. The screen may go dark all the same. Returns what looks at the setting again. */
export function setupKeepAwake(
  work: Pick<WorkWatch, 'now' | 'onChange'>,
  settings: SettingsStore,
  blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
): () => void {
  let held: number | undefined;
  const look = (now: Work) => {
    if (needsAwake(now, settings.get().background.keepAwake)) {
      held ??= blocker.start('prevent-app-suspension');
    } else if (held !== undefined) {
      blocker.stop(held);
      held = undefined;
    }
  };
  work.onChange(look);
  return () => look(work.now());
}
