import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is asked of the system, handed in. */
export interface MachineSources {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null where there is none, or it can't be read. */
  readonly readText: (path: string) => string | null;
  /** What a program of the system says; null where it says nothing. */
  readonly ask: (file: string, args: readonly string[]) => Promise<string | null>;
}

/**
 * The computer's own id, which no profile and no settings carry to another one; null where the system tells
 * none. A cloned disk may carry it, unless prepared.
 */
export async function machineId({ platform, env, readText, ask }: MachineSources): Promise<string | null> {
  switch (platform) {
    case 'linux':
      return plain(readText('/etc/machine-id')) ?? plain(readText('/var/lib/dbus/machine-id'));
    case 'win32': {
      const reg = `${env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
      const said = await ask(reg, [
        'query',
        'HKLM\\SOFTWARE\\Microsoft\\Cryptography',
        '/v',
        'MachineGuid',
        '/reg:64',
      ]);
      return plain(/MachineGuid\s+REG_SZ\s+(\S+)/i.exec(said ?? '')?.[1]);
    }
    case 'darwin': {
      const said = await ask('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
      return plain(/"IOPlatformUUID"\s*=\s*"([^"]+)"/.exec(said ?? '')?.[1]);
    }
    default:
      return null;
  }
}

/** Ids are hexadecimal, with hyphens; one of a system that was never set up is a word (`uninitialized`). */
function plain(text: string | null | undefined): string | null {
  const id = text?.trim().toLowerCase() ?? '';
  return /^[0-9a-f-]{16,64}$/.test(id) && !/^[0-]+$/.test(id) ? id : null;
}

/** One that was created here, in a folder that no profile carries along; null where it can't be kept. */
export function keptMachineId(folder: string): string | null {
  const file = join(folder, 'machine');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, randomUUID(), { flag: 'wx', mode: 0o600 });
  } catch {
    // It is there already, or can't be.
  }
  try {
    return plain(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
