import { lstat, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../errno.ts';
import { isProtectedOnPosix } from '../private-files.ts';
import { readOnWindows, type WindowsFile } from '../windows-file.ts';
import { isProtectedOnWindows } from '../windows-protection.ts';

export interface PolicyText {
  readonly text: string;
  readonly isProtected: boolean;
}

/** Null if missing. Rejects if unreadable or its writer is unknown. */
export type ReadPolicyFile = (path: string) => Promise<PolicyText | null>;

const root = 0;

interface ReaderOptions {
  readonly platform?: NodeJS.Platform;
  /** A user ID. Default: root. */
  readonly administrator?: number;
  /**
   * Parent folders that must be an administrator's too, since their writers could replace the file. Default:
   * one; the system protects the policy's.
   */
  readonly levels?: number;
  readonly maxBytes?: number;
  /** For tests. */
  readonly onWindows?: typeof readOnWindows;
}

export function policyFileReader(options: ReaderOptions = {}): ReadPolicyFile {
  const { platform = process.platform, administrator = root, levels = 1 } = options;
  const { maxBytes = 1024 * 1024, onWindows = readOnWindows } = options;
  return async (path) => {
    if (!(await exists(path))) return null;
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > maxBytes) throw new Error('no file, or far too large');
      if (platform === 'win32') return checkProtection(await onWindows(path, levels));
      const folders = await Promise.all(foldersAbove(path, levels).map((folder) => stat(folder)));
      const isProtected = [stats, ...folders].every((entry) => isProtectedOnPosix(entry, administrator));
      return { text: await file.readFile('utf8'), isProtected };
    } finally {
      await file.close();
    }
  };
}

function checkProtection({ text, sddl, folders }: WindowsFile): PolicyText {
  const isProtected =
    isProtectedOnWindows(sddl, 'file') && folders.every((folder) => isProtectedOnWindows(folder, 'folder'));
  return { text, isProtected };
}

/** Nearest first. */
function foldersAbove(path: string, levels: number): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folders.length < levels; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) break;
  }
  return folders;
}

/** Dangling links count as existing. */
async function exists(path: string): Promise<boolean> {
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

/** Null on other systems. Users could change `%ProgramData%`; Windows has installed to C: since Vista. */
export function policyPath(platform: NodeJS.Platform): string | null {
  return paths[platform] ?? null;
}
