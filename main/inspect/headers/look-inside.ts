import type { SourceFiles } from '../../files/model.ts';
import { sortedBy } from '../../files/places.ts';
import type { Clock } from '../../ports.ts';
import { chooseHeaderFiles } from './choose.ts';
import { isInspectedArchive, tasksFor } from './header-task.ts';
import type { HeaderAnswer, HeaderTask } from './read-header.ts';

/** Result of one file. */
export interface Look extends HeaderAnswer {
  readonly key: string;
  /** Key of the archive that contains it. */
  readonly archive?: string;
}

export const inspectedMembers = ({ key: archive, members }: Look): readonly Look[] =>
  (members?.heads ?? []).map(({ key, answer }) => ({ key, archive, ...answer }));

/** For all sources of one call. */
const maxHeaders = 20;
const maxSortedFiles = 10_000;
/** Time for headers if the user sees and can correct the result, ms. */
export const guessMs = 500;
/** Time for headers if the result isn't checked: a late kind is better than a wrong one. ms. */
export const decisionMs = 30_000;

/** Time for the members of an archive, ms: 20 archives must leave time for other files. */
export const membersMsOf = (longestMs: number): number => (longestMs === decisionMs ? 1_000 : 100);

/**
 * Reads the headers of a few files per source: at most 20 files. Omits files that can't be read in time.
 *
 * @param sources groups of the files
 * @param files all of them, with sidecars and volumes
 * @param longestMs `guessMs` or `decisionMs`
 * @param onLate gets the key of the file being read when the time is over
 */
export async function inspectFirstFiles(
  sources: readonly SourceFiles[],
  files: SourceFiles,
  clock: Clock,
  read: (task: HeaderTask) => Promise<HeaderAnswer | null>,
  longestMs: number,
  onLate?: (key: string) => void,
): Promise<ReadonlyMap<string, Look>> {
  const inspectedFiles = new Map<string, Look>();
  const filesPerSource = Math.max(1, Math.floor(maxHeaders / Math.max(1, sources.length)));
  const chosen = sources
    .flatMap((source) => chooseHeaderFiles(sortedFiles(source), filesPerSource))
    .slice(0, maxHeaders);
  const abortController = new AbortController();
  let currentKey = chosen[0]?.key ?? '';
  const readChosen = async () => {
    for (const task of chosen.length > 0 ? tasksFor(chosen, files) : []) {
      currentKey = task.key;
      // Sequential, so that a hanging drive blocks only one thread.
      const answer = await read(quickly(task, membersMsOf(longestMs)));
      if (abortController.signal.aborted) return;
      inspectedFiles.set(task.key, lookOf(task.key, answer));
    }
  };
  const waitForTimeout = async () => {
    await clock.sleep(longestMs, abortController.signal);
    onLate?.(currentKey);
  };
  await Promise.race([readChosen(), waitForTimeout()]).finally(() => abortController.abort());
  return inspectedFiles;
}

/** Limits the time for an archive's members. */
export const quickly = (task: HeaderTask, membersMs: number): HeaderTask =>
  isInspectedArchive(task.key) ? { ...task, membersMs } : task;

export const lookOf = (key: string, answer: HeaderAnswer | null): Look => ({
  key,
  ...(answer ?? { head: null, sidecarSystemName: null, verdict: null, unread: true }),
});

/** Sorts so that every front end reads the same files, unless sorting takes too long. */
const sortedFiles = (files: SourceFiles): SourceFiles =>
  files.length > maxSortedFiles ? files : sortedBy(Array.from(files), ({ key }) => key);
