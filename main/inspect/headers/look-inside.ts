import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { sortedBy } from '../../files/places.ts';
import type { Clock } from '../../ports.ts';
import { chooseForHeads } from './choose.ts';
import { fewMembers, fileToLookAt, headTask, withMembers } from './head-task.ts';
import type { LookThread } from './look-thread.ts';
import type { HeadAnswer } from './read-head.ts';
import { hintBeside, sidecarsWithSystem } from './sidecar-names.ts';

/** Result of one file. */
export interface Look extends HeadAnswer {
  readonly key: string;
  /** Key of the archive that contains it. */
  readonly archive?: string;
}

export const looksInside = ({ key: archive, members }: Look): readonly Look[] =>
  (members?.heads ?? []).map(({ key, answer }) => ({ key, archive, ...answer }));

/** For all sources of one call. */
const maxFiles = 20;
const maxSorted = 10_000;
/** Time for headers if the user sees and can correct the result, ms. */
export const guessMs = 500;
/** Time for headers if the result isn't checked: a late kind is better than a wrong one. ms. */
export const decisionMs = 30_000;

/**
 * Reads the headers of a few files per source: at most 20 files, 64 KiB each. Omits files that can't be read
 * in time.
 *
 * @param longestMs `guessMs` or `decisionMs`
 * @param onLate gets the key of the file being read when the time is over
 */
export async function lookInside(
  sources: readonly SourceFiles[],
  clock: Clock,
  thread: LookThread,
  longestMs: number,
  onLate?: (key: string) => void,
): Promise<ReadonlyMap<string, Look>> {
  const looks = new Map<string, Look>();
  const each = Math.max(1, Math.floor(maxFiles / Math.max(1, sources.length)));
  const stop = new AbortController();
  let reading = sources[0]?.at(0)?.key ?? '';
  const work = async () => {
    let left = maxFiles;
    for (const files of sources) {
      const chosen = chooseForHeads(inOrder(files), Math.min(each, left));
      const sidecars = new Map(
        sidecarsOf(chosen, files).map((file) => [file.key.toLowerCase(), fileToLookAt(file)]),
      );
      for (const file of chosen) {
        reading = file.key;
        // Sequential, so that a hanging drive blocks only one thread.
        const task = headTask(fileToLookAt(file), (key) => sidecars.get(key));
        const look = await thread.ask(withMembers(task, fewMembers));
        if (stop.signal.aborted) return;
        looks.set(file.key, { key: file.key, head: null, systemBeside: null, verdict: null, ...look });
        left -= 1;
      }
      if (left === 0) return;
    }
  };
  const timeUp = async () => {
    await clock.sleep(longestMs, stop.signal);
    onLate?.(reading);
  };
  await Promise.race([work(), timeUp()]).finally(() => stop.abort());
  return looks;
}

/** Sorts so that every front end reads the same files, unless sorting takes too long. */
const inOrder = (files: SourceFiles): SourceFiles =>
  files.length > maxSorted ? files : sortedBy(Array.from(files), ({ key }) => key);

/** Returns the files that may hold the system or position of a chosen one. */
export function sidecarsOf(
  chosen: readonly SourceFile[],
  files: SourceFiles | readonly SourceFile[],
): readonly SourceFile[] {
  const wanted = namesBeside(chosen);
  const found: SourceFile[] = [];
  for (const file of wanted.size > 0 ? files : []) if (wanted.has(file.key.toLowerCase())) found.push(file);
  return found;
}

function namesBeside(chosen: readonly SourceFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { key } of chosen) {
    const low = key.toLowerCase();
    for (const { name } of sidecarsWithSystem(low)) names.add(name);
    const hint = hintBeside(low);
    if (hint !== null) names.add(hint);
  }
  return names;
}
