import { join } from 'node:path';
import { TileliftError } from '../errors.ts';
import { connectToRunning, type RunningTilelift } from '../socket/client.ts';
import { readAccess } from './access/access.ts';
import type { Cli } from './cli.ts';
import { homeOf } from './home.ts';
import type { Environment } from './process.ts';

/**
 * The Tilelift of the home folder, else, without a given home, the desktop.
 * @throws TileliftError `socket-version`, `socket-lost`
 */
async function findRunning(cli: Cli): Promise<RunningTilelift | null> {
  const running = await connectToRunning(homeOf(cli));
  if (running || isHomeNamed(cli)) return running;
  const desktop = desktopHome(cli.platform, cli.env, cli.userHome);
  return desktop === null ? null : connectToRunning(desktop);
}

/**
 * The home folder's Tilelift, else the desktop if the command never signed in: data never goes to another
 * account.
 * @throws UsageError if a secret can't be used; TileliftError like `findRunning`
 */
export async function findRunningAccount(cli: Cli): Promise<RunningTilelift | null> {
  const running = await connectToRunning(homeOf(cli));
  if (running || readAccess(homeOf(cli), cli.env).kind !== 'none') return running;
  return findRunning(cli);
}

const isHomeNamed = (cli: Cli) => cli.common().home !== undefined || Boolean(cli.env.TILELIFT_HOME);

/** @throws TileliftError `nothing-runs`, and errors of `findRunning` */
export async function runningTilelift(cli: Cli): Promise<RunningTilelift> {
  const running = await findRunning(cli);
  if (!running) throw new TileliftError('nothing-runs');
  return running;
}

/** Electron's `appData` and the product name. Pure. */
export function desktopHome(platform: NodeJS.Platform, env: Environment, userHome: string): string | null {
  const name = 'Tilelift';
  if (platform === 'win32') return env.APPDATA ? join(env.APPDATA, name) : null;
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', name);
  return join(env.XDG_CONFIG_HOME || join(userHome, '.config'), name);
}

/** Rejects with the signal's reason if it aborts first. */
export async function untilStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(stop.reason);
  if (stop.aborted) onAbort();
  stop.addEventListener('abort', onAbort, { once: true });
  // Avoid an unhandled rejection.
  work.catch(() => {});
  try {
    return await Promise.race([work, promise]);
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
}
