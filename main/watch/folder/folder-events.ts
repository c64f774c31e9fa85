import { join } from 'node:path';
import { watch } from 'chokidar';
import { codeOf } from '../../errno.ts';
import { TileliftError } from '../../errors.ts';

interface FolderEventsOptions {
  /** True for an absolute path that is of no interest, with everything in it. */
  readonly isLeftOut: (path: string, isFolder: boolean) => boolean;
  /**
   * Look at the folders again and again instead of waiting for events: for network drives. Tells of new and
   * removed entries, not of writing into a file.
   */
  readonly polling: boolean;
  /** Between two looks when polling, ms. */
  readonly intervalMs: number;
  /**
   * Something may have changed at this absolute path or below it. Comes often, and early; the folder itself
   * means anything in it.
   */
  readonly onHint: (path: string) => void;
  /** Called once for each code: `watch-limit-reached`, `watch-events-missing`. The rest stays watched. */
  readonly onTrouble: (error: TileliftError) => void;
}

export interface FolderEvents {
  /** Settles when every folder that was there is watched; never rejects. */
  readonly ready: Promise<void>;
  /** Ends all watching; no hint comes after the call. */
  close(): Promise<void>;
}

const limits = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);
/** Folders that can’t be read are told of by the survey, folders that vanish are no trouble. */
const harmless = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR']);
/**
 * Hints in one window, beyond which the folder is hinted at as a whole: the system itself drops events when
 * many come at once, and Linux does so unheard.
 */
const maxHints = 2_000;
const windowMs = 1_000;

/**
 * Watches a folder with everything below it. A watch is held for every folder and none for files, since
 * systems limit their number; what happens to files shows in their folders.
 *
 * Events are hints only: they may be missing, late, or about nothing.
 */
export function listenToFolder(folder: string, options: FolderEventsOptions): FolderEvents {
  const { isLeftOut, polling, intervalMs, onTrouble } = options;
  const told = new Set<string>();
  const { hint, stop } = createDamper(folder, options.onHint);
  const watcher = watch(folder, {
    backend: polling ? 'polling' : 'auto',
    pollingInterval: intervalMs,
    pollingBinaryInterval: intervalMs,
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    atomic: false,
    // Asked first with the path alone, then with what is there.
    ignored: (path, stats) =>
      stats !== undefined && path !== folder && (!stats.isDirectory() || isLeftOut(path, true)),
  });
  watcher.on('raw', (_event, name: unknown, details: unknown) => {
    const at = watchedPathOf(details) ?? folder;
    const path = typeof name === 'string' ? join(polling ? '' : at, name) : at;
    if (!isLeftOut(path, false)) hint(path);
  });
  // Files may have come into a new folder before it was watched.
  watcher.on('addDir', (path) => hint(path));
  watcher.on('unlinkDir', (path) => hint(path));
  watcher.on('error', (error) => {
    const code = codeOf(error) ?? '';
    if (harmless.has(code)) return;
    const trouble = limits.has(code) ? 'watch-limit-reached' : 'watch-events-missing';
    if (told.has(trouble)) return;
    told.add(trouble);
    onTrouble(new TileliftError(trouble, { subject: folder, cause: error }));
  });
  return {
    ready: new Promise((resolve) => watcher.once('ready', resolve)),
    close: () => {
      stop();
      return watcher.close();
    },
  };
}

function watchedPathOf(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return;
  return typeof details.watchedPath === 'string' ? details.watchedPath : undefined;
}

/**
 * Passes hints on until they come in floods; then one for the whole folder when the flood begins, and one
 * after every window of it.
 */
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
