import { execFile } from 'node:child_process';
import type { Log } from '../../log.ts';
import type { Environment } from '../process.ts';

/** Notifies the service manager (systemd) of the service's state. */
export interface ServiceManager {
  notifyReady(): void;
  notifyStopping(): void;
  /** Stops the watchdog messages. */
  stop(): void;
}

const notifyMs = 10_000;

/**
 * Uses `systemd-notify(1)`, since Node has no datagram sockets: the unit needs `NotifyAccess=all`. Watchdog
 * messages come from the event loop and stop if it hangs (sd_watchdog_enabled(3)).
 * @param env `NOTIFY_SOCKET` (required), `WATCHDOG_USEC`, `WATCHDOG_PID`
 */
export function createServiceManager(env: Environment, pid: number, log: Log): ServiceManager {
  const { PATH, NOTIFY_SOCKET } = env;
  if (!NOTIFY_SOCKET) return { notifyReady: () => {}, notifyStopping: () => {}, stop: () => {} };
  let hasFailed = false;
  const notify = (...messages: readonly string[]) => {
    execFile('systemd-notify', messages, { timeout: notifyMs, env: { PATH, NOTIFY_SOCKET } }, (error) => {
      if (error && !hasFailed) log.warn({ error }, 'systemd could not be told');
      hasFailed ||= error !== null;
    });
  };
  const everyMs = watchdogMs(env, pid);
  let timer: NodeJS.Timeout | undefined;
  return {
    notifyReady: () => {
      notify('--ready');
      if (everyMs !== null) timer ??= setInterval(() => notify('WATCHDOG=1'), everyMs);
    },
    notifyStopping: () => notify('--stopping'),
    stop: () => clearInterval(timer),
  };
}

/** In ms; null if none is required. Pure. */
export function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: Environment, pid: number): number | null {
  if (WATCHDOG_PID !== undefined && Number(WATCHDOG_PID) !== pid) return null;
  const ms = Number(WATCHDOG_USEC ?? '') / 1000;
  return Number.isFinite(ms) && ms >= 100 ? Math.floor(ms / 2) : null;
}
