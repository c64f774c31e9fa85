import { join } from 'node:path';
import { watch } from 'chokidar';
import { codeOf } from '../errno.ts';
import { TileliftError } from '../errors.ts';

interface FolderEventsOptions {
  /** Ignores an absolute path with all its content. */
  readonly isLeftOut: (path: string, isFolder: boolean) => boolean;
  /** For network drives. Detects new and removed entries, but no writes. */
  readonly polling: boolean;
  readonly intervalMs: number;
  /** Something may have changed at or below this absolute path. Called often and early. */
  readonly onHint: (path: string) => void;
  /** Called once per code: `watch-limit-reached`, `watch-events-missing`. */
  readonly onTrouble: (error: TileliftError) => void;
}

export interface FolderEvents {
  /** Resolves when every existing folder is watched; never rejects. */
  readonly ready: Promise<void>;
  /** No hint follows the call. */
  dispose(): Promise<void>;
}

const limits = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);
/** Scans report unreadable folders, and vanishing folders are normal. */
const harmless = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);
/**
 * More hints in a window cause one for the whole folder, because systems drop events in floods, Linux
 * silently.
 */
const maxHints = 2_000;
const windowMs = 1_000;

/**
 * Watches a folder recursively. Only folders have a watch, because systems limit the number.
 *
 * Events are only hints: they may be missing, late or irrelevant.
 */
export function listenToFolder(folder: string, options: FolderEventsOptions): FolderEvents {
  const { isLeftOut, polling, intervalMs, onTrouble } = options;
  const reportedCodes = new Set<string>();
  const { hint, stop } = createDamper(folder, options.onHint);
  const watcher = watch(folder, {
    backend: polling ? 'polling' : 'auto',
    pollingInterval: intervalMs,
    pollingBinaryInterval: intervalMs,
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    atomic: false,
    ignored: (path, stats) =>
      stats !== undefined && path !== folder && (!stats.isDirectory() || isLeftOut(path, true)),
  });
  watcher.on('raw', (_event, name: unknown, details: unknown) => {
    const watchedPath = watchedPathOf(details) ?? folder;
    const path = typeof name === 'string' ? join(polling ? '' : watchedPath, name) : watchedPath;
    if (!isLeftOut(path, false)) hint(path);
  });
  // Files may have arrived in a new folder before it was watched.
  watcher.on('addDir', (path) => hint(path));
  watcher.on('unlinkDir', (path) => hint(path));
  watcher.on('error', (error) => {
    const code = codeOf(error) ?? '';
    if (harmless.has(code)) return;
    const trouble = limits.has(code) ? 'watch-limit-reached' : 'watch-events-missing';
    if (reportedCodes.has(trouble)) return;
    reportedCodes.add(trouble);
    onTrouble(new TileliftError(trouble, { subject: folder, cause: error }));
  });
  return {
    ready: new Promise((resolve) => watcher.once('ready', resolve)),
    dispose: () => {
      stop();
      return watcher.close();
    },
  };
}

function watchedPathOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return;
  return typeof details.watchedPath === 'string' ? details.watchedPath : undefined;
}

/** During a flood, only hints at the whole folder: at its start and after each window. */
function createDamper(folder: string, onHint: (path: string) => void) {
  let count = 0;
  let timer: NodeJS.Timeout | null = null;
  const endWindow = () => {
    timer = null;
    const wasFlood = count > maxHints;
    count = 0;
    if (wasFlood) onHint(folder);
  };
  return {
    hint: (path: string) => {
      count++;
      timer ??= setTimeout(endWindow, windowMs).unref();
      if (count <= maxHints) onHint(path);
      else if (count === maxHints + 1) onHint(folder);
    },
    stop: () => {
      if (timer) clearTimeout(timer);
    },
  };
}
