import { execFile } from 'node:child_process';
import { lstat, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isProtectedOnPosix, isProtectedOnWindows } from './protection.ts';

export interface PolicyText {
  readonly text: string;
  /** Nobody but an administrator can have written it. */
  readonly isProtected: boolean;
}

/** Null where there is none. Rejects where there is one that can't be read, or nobody can tell who wrote it. */
export type ReadPolicyFile = (path: string) => Promise<PolicyText | null>;

const mostBytes = 1024 * 1024;
const root = 0;

/** Reads from this computer's disk. `administrator`: as in `isProtectedOnPosix`. */
export function policyFileReader(
  platform: NodeJS.Platform = process.platform,
  administrator = root,
): ReadPolicyFile {
  return async (path) => {
    if (!(await isThere(path))) return null;
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > mostBytes) throw new Error('no file, or far too large');
      // Whoever may write to the folder may put another file in its place. What lies above is the system's own.
      const folder = dirname(path);
      const isProtected =
        platform === 'win32'
          ? isProtectedOnWindows(await sddlOf(path), 'file') &&
            isProtectedOnWindows(await sddlOf(folder), 'folder')
          : isProtectedOnPosix(stats, administrator) && isProtectedOnPosix(await stat(folder), administrator);
      return { text: await file.readFile('utf8'), isProtected };
    } finally {
      await file.close();
    }
  };
}

/** A link that leads nowhere is there. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** As `policyPath`: by a path that no environment can change. */
const powershell = 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';
const patienceMs = 20_000;

/** Node knows nothing of access lists. Asked only where there is a policy, since it takes its time. */
async function sddlOf(path: string): Promise<string> {
  const script = `(Get-Acl -LiteralPath '${path.replaceAll("'", "''")}').Sddl`;
  const { stdout } = await promisify(execFile)(
    powershell,
    ['-NoProfile', '-NonInteractive', '-Command', script],
    { timeout: patienceMs, windowsHide: true },
  );
  return stdout.trim();
}
