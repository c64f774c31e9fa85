import { execFile } from 'node:child_process';
import type { Log } from '../../log.ts';
import type { Environment } from '../process.ts';

/** Who has started the service and wants to know how it stands: systemd, where it asks for that. */
export interface ServiceManager {
  ready(): void;
  stopping(): void;
  /** Says no more that it lives. */
  stop(): void;
}

/** As long as systemd's own program may take, ms. */
const notifyMs = 10_000;

/**
 * systemd listens on a datagram socket, which Node has none of: its own program `systemd-notify` says it
 * (systemd-notify(1)), so the unit needs `NotifyAccess=all`. It is told that the program lives twice in the
 * time that it waits for that (sd_watchdog_enabled(3)), from the event loop, so that one that hangs does not.
 *
 * @param env `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`; nothing is said where the first is missing
 */
export function createServiceManager(env: Environment, pid: number, log: Log): ServiceManager {
  const { PATH, NOTIFY_SOCKET } = env;
  if (!NOTIFY_SOCKET) return { ready: () => {}, stopping: () => {}, stop: () => {} };
  let hasFailed = false;
  const notify = (...said: readonly string[]) => {
    execFile('systemd-notify', said, { timeout: notifyMs, env: { PATH, NOTIFY_SOCKET } }, (error) => {
      if (error && !hasFailed) log.warn({ error }, 'systemd could not be told');
      hasFailed ||= error !== null;
    });
  };
  const everyMs = watchdogMs(env, pid);
  let timer: NodeJS.Timeout | undefined;
  return {
    ready: () => {
      notify('--ready');
      if (everyMs !== null) timer ??= setInterval(() => notify('WATCHDOG=1'), everyMs);
    },
    stopping: () => notify('--stopping'),
    stop: () => clearInterval(timer),
  };
}

/** How often to say that the program lives, ms; null where nobody waits for that. Pure. */
export function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: Environment, pid: number): number | null {
  if (WATCHDOG_PID !== undefined && Number(WATCHDOG_PID) !== pid) return null;
  const ms = Number(WATCHDOG_USEC ?? '') / 1000;
  return Number.isFinite(ms) && ms >= 100 ? Math.floor(ms / 2) : null;
}
