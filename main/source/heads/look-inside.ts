import type { Clock } from '../../outside.ts';
import type { SourceFile } from '../model.ts';
import { chooseForHeads, type Head } from './head.ts';
import type { LookAnswers } from './look-tasks.ts';
import type { LookThread } from './look-thread.ts';
import { sidecarsWithSystem } from './sidecar-names.ts';

/** What was seen in one file. */
export interface Look {
  readonly key: string;
  /** Null where it could not be read, or is not what its ending says. */
  readonly head: Head | null;
  /** A file beside it names its coordinate system. */
  readonly systemBeside: boolean;
}

/** Of all sources that are looked into together. */
const mostFiles = 20;
const longestMs = 500;

/**
 * Looks into the heads of a few files of each source: at most 20 files, 64 KiB of each, half a second in all. What can't be read in that time, or at all, is
 * left out: it serves a guess and a warning, and nothing waits for it.
 */
export async function lookInside(
  sources: readonly (readonly SourceFile[])[],
  clock: Clock,
  thread: LookThread,
): Promise<ReadonlyMap<string, Look>> {
  const looks = new Map<string, Look>();
  const each = Math.max(1, Math.floor(mostFiles / Math.max(1, sources.length)));
  const stop = new AbortController();
  const work = async () => {
    let left = mostFiles;
    for (const files of sources) {
      const chosen = chooseForHeads(files, Math.min(each, left));
      const pathOfSidecar = findSidecars(chosen, files);
      for (const file of chosen) {
        // One after the other: a drive that does not answer holds up one thread, not all.
        const look = await lookAt(thread, file, pathOfSidecar);
        if (stop.signal.aborted) return;
        looks.set(file.key, { key: file.key, head: null, systemBeside: false, ...look });
        left -= 1;
      }
      if (left === 0) return;
    }
  };
  await Promise.race([work(), clock.sleep(longestMs, stop.signal)]).finally(() => stop.abort());
  return looks;
}

/** Paths by keys in lower case: some programs write `a.PRJ` beside `A.asc`. */
function findSidecars(
  chosen: readonly SourceFile[],
  files: readonly SourceFile[],
): ReadonlyMap<string, string> {
  const wanted = new Set(
    chosen.flatMap(({ key }) => sidecarsWithSystem(key.toLowerCase()).map(({ name }) => name)),
  );
  const found = new Map<string, string>();
  for (const { key, path } of wanted.size > 0 ? files : []) {
    const low = key.toLowerCase();
    if (wanted.has(low)) found.set(low, path);
  }
  return found;
}

function lookAt(
  thread: LookThread,
  { key, path }: SourceFile,
  pathOfSidecar: ReadonlyMap<string, string>,
): Promise<LookAnswers['head'] | null> {
  const sidecars = sidecarsWithSystem(key.toLowerCase()).flatMap(({ name, mark }) => {
    const sidecar = pathOfSidecar.get(name);
    return sidecar === undefined ? [] : [{ path: sidecar, mark }];
  });
  return thread.ask({ kind: 'head', key, path, sidecars });
}
