import { join } from 'node:path';
import { TileliftError } from '../errors.ts';
import { connectToRunning, type RunningTilelift } from '../socket/client.ts';
import type { Cli } from './cli.ts';
import { homeOf } from './compose.ts';
import type { Environment } from './process.ts';

/**
 * The Tilelift that runs for this user: the one of the home folder or, where none is named and none runs
 * there, the desktop. Null where there is neither.
 * @throws TileliftError `socket-version`, `socket-lost`
 */
export async function findRunning(cli: Cli): Promise<RunningTilelift | null> {
  const own = await connectToRunning(homeOf(cli));
  if (own || cli.common().home !== undefined || cli.env.TILELIFT_HOME) return own;
  const desktop = desktopHome(cli.platform, cli.env, cli.userHome);
  return desktop === null ? null : connectToRunning(desktop);
}

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
