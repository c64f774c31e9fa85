import { isAbsolute, join, resolve } from 'node:path';
import type { Cli } from './cli.ts';
import type { Environment } from './process.ts';

/** Where the command may keep what it knows. */
interface Places {
  /** As it was asked for: `--home`. */
  readonly given: string | undefined;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** The user's own folder. */
  readonly userHome: string;
}

/**
 * The folder of journal, settings and vault: what was asked for, `$TILELIFT_HOME`, what systemd has made for
 * a service (`$STATE_DIRECTORY`), else the system's place for data of programs. Not the desktop's: each has
 * a journal of its own, since neither can open the other's vault. Absolute. Pure but for the current folder.
 */
function homeFolder({ given, env, platform, userHome }: Places): string {
  if (given !== undefined) return resolve(given);
  if (env.TILELIFT_HOME) return resolve(env.TILELIFT_HOME);
  // Several are separated by colons; each service of ours has one.
  const state = env.STATE_DIRECTORY?.split(':')[0];
  if (state) return resolve(state);
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(userHome, 'AppData', 'Local'), 'Tilelift', 'cli');
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', 'Tilelift', 'cli');
  const data = env.XDG_DATA_HOME ?? '';
  return join(isAbsolute(data) ? data : join(userHome, '.local', 'share'), 'tilelift');
}

/** The home folder of this run, absolute. */
export function homeOf(cli: Cli): string {
  const { env, platform, userHome } = cli;
  return homeFolder({ given: cli.common().home, env, platform, userHome });
}
