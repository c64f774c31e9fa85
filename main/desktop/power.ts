import type { PowerMonitor } from 'electron';
import type { Tilelift } from '../app.ts';

/**
 * After sleep and behind a lock much may have come and gone: connections are made anew, folders are looked through again and held jobs try once more. Those that wait for the network look
 * again within half a minute by themselves. A system that shuts down waits until work is put down.
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
