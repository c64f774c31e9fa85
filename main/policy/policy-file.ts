import { lstat, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../errno.ts';
import { isProtectedOnPosix } from '../private-files.ts';
import { readOnWindows, type WindowsFile } from '../windows-file.ts';
import { isProtectedOnWindows } from '../windows-protection.ts';

export interface PolicyText {
  readonly text: string;
  /** Nobody but an administrator can have written it. */
  readonly isProtected: boolean;
}

/** Null where there is none. Rejects where there is one that can't be read, or whose writer is unknown. */
export type ReadPolicyFile = (path: string) => Promise<PolicyText | null>;

const root = 0;

interface ReaderOptions {
  readonly platform?: NodeJS.Platform;
  /** The user id that everything of the system belongs to. Default: root. */
  readonly administrator?: number;
  /**
   * How many folders above the file have to be an administrator's too: whoever may write to one may put
   * another below it. Default: one. What is above a policy is the system's own.
   */
  readonly levels?: number;
  readonly maxBytes?: number;
  /** For tests. */
  readonly onWindows?: typeof readOnWindows;
}

/** Reads from this computer's disk. */
export function policyFileReader(options: ReaderOptions = {}): ReadPolicyFile {
  const { platform = process.platform, administrator = root, levels = 1 } = options;
  const { maxBytes = 1024 * 1024, onWindows = readOnWindows } = options;
  return async (path) => {
    if (!(await isThere(path))) return null;
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > maxBytes) throw new Error('no file, or far too large');
      if (platform === 'win32') return judged(await onWindows(path, levels));
      const folders = await Promise.all(foldersAbove(path, levels).map((folder) => stat(folder)));
      const isProtected = [stats, ...folders].every((one) => isProtectedOnPosix(one, administrator));
      return { text: await file.readFile('utf8'), isProtected };
    } finally {
      await file.close();
    }
  };
}

function judged({ text, sddl, folders }: WindowsFile): PolicyText {
  const isProtected =
    isProtectedOnWindows(sddl, 'file') && folders.every((folder) => isProtectedOnWindows(folder, 'folder'));
  return { text, isProtected };
}

/** The nearest first. */
function foldersAbove(path: string, levels: number): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folders.length < levels; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) break;
  }
  return folders;
}

/** A link that leads nowhere is there. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

const paths: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  linux: '/etc/tilelift/policy.json',
  darwin: '/Library/Application Support/Tilelift/policy.json',
  win32: 'C:\\ProgramData\\Tilelift\\policy.json',
};

/**
 * Where the policy of this computer is; null on a system that has no place for one. Nothing of the
 * environment moves it: `%ProgramData%` is a variable that each person can set, and a policy that whoever it
 * binds can point elsewhere binds nobody. Windows keeps the folder on the drive that it was installed on,
 * which its own set-up has called C: since Vista.
 */
export function policyPath(platform: NodeJS.Platform): string | null {
  return paths[platform] ?? null;
}
