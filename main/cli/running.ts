import { join } from 'node:path';
import { TileliftError } from '../errors.ts';
import { connectToRunning, type RunningTilelift } from '../socket/client.ts';
import { readAccess } from './access/access.ts';
import type { Cli } from './cli.ts';
import { homeOf } from './home.ts';
import type { Environment } from './process.ts';

/**
 * The Tilelift that runs for this user: the one of the home folder or, where none is named and none runs
 * there, the desktop. Null where there is neither.
 * @throws TileliftError `socket-version`, `socket-lost`
 */
async function findRunning(cli: Cli): Promise<RunningTilelift | null> {
  const own = await connectToRunning(homeOf(cli));
  if (own || isHomeNamed(cli)) return own;
  const desktop = desktopHome(cli.platform, cli.env, cli.userHome);
  return desktop === null ? null : connectToRunning(desktop);
}

/**
 * The Tilelift that has to do what an account is needed for: the one that holds the home folder's journal or,
 * where nobody has signed in with the command, the desktop. Data must not go to another account than the one
 * that was signed in to, so whoever has a sign-in of the command's own works with that.
 * @throws UsageError where a named secret can't be used; TileliftError as `findRunning`
 */
export async function findRunningAccount(cli: Cli): Promise<RunningTilelift | null> {
  const own = await connectToRunning(homeOf(cli));
  if (own || readAccess(homeOf(cli), cli.env).kind !== 'none') return own;
  return findRunning(cli);
}

const isHomeNamed = (cli: Cli) => cli.common().home !== undefined || Boolean(cli.env.TILELIFT_HOME);

/** @throws TileliftError `nothing-runs`, and what `findRunning` throws */
export async function runningTilelift(cli: Cli): Promise<RunningTilelift> {
  const running = await findRunning(cli);
  if (!running) throw new TileliftError('nothing-runs');
  return running;
}

/** Where the desktop keeps its journal: Electron's `appData` and the product's name. Pure. */
export function desktopHome(platform: NodeJS.Platform, env: Environment, userHome: string): string | null {
  const name = 'Tilelift';
  if (platform === 'win32') return env.APPDATA ? join(env.APPDATA, name) : null;
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', name);
  return join(env.XDG_CONFIG_HOME || join(userHome, '.config'), name);
}

/** What was asked for, until a signal comes: the other side may take its time. Throws its reason then. */
export async function untilStopped<T>(asked: Promise<T>, stop: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(stop.reason);
  if (stop.aborted) onAbort();
  stop.addEventListener('abort', onAbort, { once: true });
  // Nobody may be waiting for it any more.
  asked.catch(() => {});
  try {
    return await Promise.race([asked, promise]);
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
}
