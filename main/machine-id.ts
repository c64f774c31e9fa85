import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The system calls, injected. */
export interface MachineSources {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Null if missing or unreadable. */
  readonly readText: (path: string) => string | null;
  /** Null without output. */
  readonly ask: (file: string, args: readonly string[]) => Promise<string | null>;
}

/**
 * The computer's ID, which doesn't follow profiles or settings. Null if the system has none. Cloned disks may
 * share it.
 */
export async function machineId({ platform, env, readText, ask }: MachineSources): Promise<string | null> {
  switch (platform) {
    case 'linux':
      return cleanText(readText('/etc/machine-id')) ?? cleanText(readText('/var/lib/dbus/machine-id'));
    case 'win32': {
      const reg = `${env.SystemRoot ?? 'C:\\Windows'}\\System32\\reg.exe`;
      const output = await ask(reg, [
        'query',
        'HKLM\\SOFTWARE\\Microsoft\\Cryptography',
        '/v',
        'MachineGuid',
        '/reg:64',
      ]);
      return cleanText(/MachineGuid\s+REG_SZ\s+(\S+)/i.exec(output ?? '')?.[1]);
    }
    case 'darwin': {
      const output = await ask('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
      return cleanText(/"IOPlatformUUID"\s*=\s*"([^"]+)"/.exec(output ?? '')?.[1]);
    }
    default:
      return null;
  }
}

/** Hexadecimal with hyphens; `uninitialized` before a system's setup. */
function cleanText(text: string | null | undefined): string | null {
  const id = text?.trim().toLowerCase() ?? '';
  return /^[0-9a-f-]{16,64}$/.test(id) && !/^[0-]+$/.test(id) ? id : null;
}

/** Outside of roaming profiles; null if it can't be stored. */
export function keptMachineId(folder: string): string | null {
  const file = join(folder, 'machine');
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, randomUUID(), { flag: 'wx', mode: 0o600 });
  } catch {
    // The file exists, or the folder isn't writable.
  }
  try {
    return cleanText(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
