import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
