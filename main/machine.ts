import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import { keptMachineId, machineId } from './machine-id.ts';

/** How long a program of the system may take to tell the computer's id, ms. */
const patienceMs = 3_000;

/**
 * This computer's own id; null where the system tells none and none can be kept. `userData`: the folder of
 * the user's data, which may follow its user.
 */
export async function thisMachine(userData: string): Promise<string | null> {
  const { platform, env } = process;
  const known = await machineId({
    platform,
    env,
    readText: (path) => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return null;
      }
    },
    ask: async (file, args) => {
      try {
        const { stdout } = await promisify(execFile)(file, [...args], {
          timeout: patienceMs,
          windowsHide: true,
        });
        return stdout;
      } catch {
        return null;
      }
    },
  });
  return known ?? keptMachineId(env.LOCALAPPDATA ? join(env.LOCALAPPDATA, 'Tilelift') : userData);
}

interface SystemPlaces {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's own folder. */
  readonly home: string;
}

/**
 * Where this system keeps what programs know of themselves on this computer, apart from the user's data,
 * which backups and profiles carry: `$XDG_STATE_HOME` (XDG Base Directory Specification), `%LOCALAPPDATA%`,
 * `~/Library/Caches`. Null where there is none. Pure.
 */
export function stateFolder({ platform, env, home }: SystemPlaces): string | null {
  switch (platform) {
    case 'win32':
      return rooted(win32, env.LOCALAPPDATA, 'Tilelift');
    case 'darwin':
      return rooted(posix, home, 'Library/Caches/Tilelift');
    default: {
      // By the specification a path that is not absolute counts for nothing.
      const state = env.XDG_STATE_HOME ?? '';
      return posix.isAbsolute(state)
        ? posix.join(state, 'tilelift')
        : rooted(posix, home, '.local/state/tilelift');
    }
  }
}

function rooted(path: typeof posix, root: string | undefined, below: string): string | null {
  return root !== undefined && path.isAbsolute(root) ? path.join(root, below) : null;
}
