import type { PowerMonitor, PowerSaveBlocker } from 'electron';
import type { Tilelift } from '../app.ts';
import type { SettingsStore } from '../settings.ts';
import { isUnderWay, type Work, type WorkWatch } from './work.ts';

/**
 * After sleep and behind a lock much may have come and gone: connections are created again, folders are
 * scanned again and held jobs try once more. Those that wait for the network look again within half a minute
 * by themselves. A system that shuts down waits until work is put down.
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
    watch.lookAgain('after sleep');
    // Timers stand still while the computer sleeps.
    accounts.keepFresh();
    for (const { id } of accounts.accounts()) jobs.wake(id);
  };
  power.on('resume', awake);
  power.on('unlock-screen', awake);
  // The types leave out the event, by which the system is asked to wait.
  power.on('shutdown', (event?: Pick<Event, 'preventDefault'>) => {
    event?.preventDefault();
    quit();
  });
}

/**
 * Whether the computer is to stay awake: while bytes are under way, not while tiling (the service's work) or
 * while a job waits for a person. Pure.
 */
export function needsAwake({ jobs }: Pick<Work, 'jobs'>, wanted: boolean): boolean {
  return wanted && jobs.some(isUnderWay);
}

/**
 * Holds the system's sleep back while that is needed, and lets go at once. The screen may go dark anyway.
 * Returns what looks at the setting again.
 */
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
