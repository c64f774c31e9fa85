import { isAbsolute, join, resolve } from 'node:path';
import type { Cli } from './cli.ts';
import type { Environment } from './process.ts';

interface Places {
  /** From `--home`. */
  readonly requestedHome: string | undefined;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
}

/**
 * `--home`, `$TILELIFT_HOME`, systemd's `$STATE_DIRECTORY`, or the system's data folder; not the desktop's,
 * whose vault needs another key. Absolute.
 */
function homeFolder({ requestedHome, env, platform, userHome }: Places): string {
  if (requestedHome !== undefined) return resolve(requestedHome);
  if (env.TILELIFT_HOME) return resolve(env.TILELIFT_HOME);
  // Colon-separated; our services have one.
  const state = env.STATE_DIRECTORY?.split(':')[0];
  if (state) return resolve(state);
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(userHome, 'AppData', 'Local'), 'Tilelift', 'cli');
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', 'Tilelift', 'cli');
  const data = env.XDG_DATA_HOME ?? '';
  return join(isAbsolute(data) ? data : join(userHome, '.local', 'share'), 'tilelift');
}

/** Absolute. */
export function homeOf(cli: Cli): string {
  const { env, platform, userHome } = cli;
  return homeFolder({ requestedHome: cli.common().home, env, platform, userHome });
}
