import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientTask } from '../clients/task.ts';
import type { Command } from '../measure.ts';
import type { Target, Work } from '../work.ts';
import { bundledClient, type Client } from './bundled-clients.ts';
import { type Contender, credentials, type FoundContenders, plainEnvironment } from './contender.ts';

/** Keeps compiled code between runs, as aws-cli does. */
const compileCache = join(tmpdir(), 'tilelift-bench-compile-cache');

/** Command that runs a bundled program of `clients/`. */
export function clientCommand(
  client: Client,
  work: Work,
  target: Target,
  extraFields: Partial<ClientTask> = {},
): Command {
  const task: ClientTask = { ...credentials, ...target, ...work, watchLoop: false, ...extraFields };
  return {
    file: process.execPath,
    args: [bundledClient(client), JSON.stringify(task)],
    env: plainEnvironment({ NODE_EXTRA_CA_CERTS: target.caFile, NODE_COMPILE_CACHE: compileCache }),
  };
}

export const ourContender: Contender = {
  name: 'tilelift',
  role: 'ours',
  sendsChecksum: true,
  summary: 'scan, plan, journal on disk, transfer; 8 MiB parts; Content-MD5 and ETag compared',
  command: (work, target) => clientCommand('ours', work, target),
};

export const bare: Contender = {
  name: 'bare client',
  role: 'ceiling',
  sendsChecksum: false,
  summary:
    'node:http in one process, one buffer over and over: reads nothing, hashes nothing, signs nothing, records nothing',
  command: (work, target) => clientCommand('bare', work, target),
};

/** Finds `Upload` of `@aws-sdk/lib-storage`. */
export async function findLibStorage(): Promise<FoundContenders> {
  try {
    import.meta.resolve('@aws-sdk/lib-storage');
  } catch {
    return { missing: '@aws-sdk/lib-storage is not among the packages' };
  }
  return {
    contenders: [
      {
        name: 'lib-storage',
        role: 'peer',
        sendsChecksum: true,
        summary: 'Upload as it comes: 8 MiB parts, 8 at a time; 16 files at a time; CRC32',
        command: (work, target) => clientCommand('lib-storage', work, target),
      },
    ],
  };
}
