import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import type { Tilelift } from '../app.ts';
import type { SettingsStore } from '../settings.ts';
import { isUploadInProgress, type Work, type WorkWatch } from './launch/work.ts';

/**
 * Renews connections and wakes watching and jobs; jobs without network retry within half a minute anyway.
 * Delays a shutdown until work has stopped.
 */
export function setupPower(
  power: PowerMonitor,
  {
    watch,
    jobs,
    accounts,
    renewConnections,
  }: Pick<Tilelift, 'watch' | 'jobs' | 'accounts' | 'renewConnections'>,
  quit: () => void,
): void {
  const awake = () => {
    renewConnections();
    watch.rescanAll('after sleep');
    // Timers stop during sleep.
    accounts.keepFresh();
    for (const { id } of accounts.accounts()) jobs.wake(id);
  };
  power.on('resume', awake);
  power.on('unlock-screen', awake);
  // Electron's types omit the event.
  power.on('shutdown', (event?: Pick<Event, 'preventDefault'>) => {
    event?.preventDefault();
    quit();
  });
}

/** Not for tiling or waiting jobs. Pure. */
export function needsAwake({ jobs }: Pick<Work, 'jobs'>, isEnabled: boolean): boolean {
  return isEnabled && jobs.some(isUploadInProgress);
}

/** The screen may turn off. Returns a function that applies changed settings. */
export function setupKeepAwake(
  work: Pick<WorkWatch, 'current' | 'onChange'>,
  settings: SettingsStore,
  blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>,
): () => void {
  let blockerId: number | undefined;
  const update = (currentWork: Work) => {
    if (needsAwake(currentWork, settings.get().background.keepAwake)) {
      blockerId ??= blocker.start('prevent-app-suspension');
    } else if (blockerId !== undefined) {
      blocker.stop(blockerId);
      blockerId = undefined;
    }
  };
  work.onChange(update);
  return () => update(work.current());
}
