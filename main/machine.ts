import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keptMachineId, machineId } from './machine-id.ts';

const patienceMs = 3_000;

/** Asks the system, else stores one in `userData`, which may follow its user. */
export async function thisMachine(userData: string): Promise<string | null> {
  const { platform, env } = process;
  const systemId = await machineId({
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
  return systemId ?? keptMachineId(env.LOCALAPPDATA ? join(env.LOCALAPPDATA, 'Tilelift') : userData);
}
