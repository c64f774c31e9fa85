import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { sortedBy } from '../../files/places.ts';
import type { Clock } from '../../ports.ts';
import { chooseHeaderFiles } from './choose.ts';
import { createHeaderTask, fileToInspect, guessMembers, withMembers } from './header-task.ts';
import type { InspectionThread } from './inspection-thread.ts';
import type { HeaderAnswer } from './read-header.ts';
import { hintKeyOf, sidecarsWithSystem } from './sidecar-names.ts';

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

/**
 * Reads the headers of a few files per source: at most 20 files, 64 KiB each. Omits files that can't be read
 * in time.
 *
 * @param longestMs `guessMs` or `decisionMs`
 * @param onLate gets the key of the file being read when the time is over
 */
export async function inspectFirstFiles(
  sources: readonly SourceFiles[],
  clock: Clock,
  thread: InspectionThread,
  longestMs: number,
  onLate?: (key: string) => void,
): Promise<ReadonlyMap<string, Look>> {
  const inspectedFiles = new Map<string, Look>();
  const filesPerSource = Math.max(1, Math.floor(maxHeaders / Math.max(1, sources.length)));
  const abortController = new AbortController();
  let currentKey = sources[0]?.at(0)?.key ?? '';
  const readSources = async () => {
    let remainingFiles = maxHeaders;
    for (const files of sources) {
      const chosen = chooseHeaderFiles(sortedFiles(files), Math.min(filesPerSource, remainingFiles));
      const sidecars = new Map(
        findSidecars(chosen, files).map((file) => [file.key.toLowerCase(), fileToInspect(file)]),
      );
      for (const file of chosen) {
        currentKey = file.key;
        // Sequential, so that a hanging drive blocks only one thread.
        const task = createHeaderTask(fileToInspect(file), (key) => sidecars.get(key));
        const inspectedFile = await thread.ask(withMembers(task, guessMembers));
        if (abortController.signal.aborted) return;
        inspectedFiles.set(file.key, {
          key: file.key,
          head: null,
          sidecarSystemName: null,
          verdict: null,
          ...inspectedFile,
        });
        remainingFiles -= 1;
      }
      if (remainingFiles === 0) return;
    }
  };
  const waitForTimeout = async () => {
    await clock.sleep(longestMs, abortController.signal);
    onLate?.(currentKey);
  };
  await Promise.race([readSources(), waitForTimeout()]).finally(() => abortController.abort());
  return inspectedFiles;
}

/** Sorts so that every front end reads the same files, unless sorting takes too long. */
const sortedFiles = (files: SourceFiles): SourceFiles =>
  files.length > maxSortedFiles ? files : sortedBy(Array.from(files), ({ key }) => key);

/** Returns the files that may hold the system or position of a chosen one. */
export function findSidecars(
  chosen: readonly SourceFile[],
  files: SourceFiles | readonly SourceFile[],
): readonly SourceFile[] {
  const sidecarNames = sidecarNamesOf(chosen);
  const sidecarFiles: SourceFile[] = [];
  for (const file of sidecarNames.size > 0 ? files : [])
    if (sidecarNames.has(file.key.toLowerCase())) sidecarFiles.push(file);
  return sidecarFiles;
}

function sidecarNamesOf(chosen: readonly SourceFile[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { key } of chosen) {
    const lowerCaseKey = key.toLowerCase();
    for (const { name } of sidecarsWithSystem(lowerCaseKey)) names.add(name);
    const hint = hintKeyOf(lowerCaseKey);
    if (hint !== null) names.add(hint);
  }
  return names;
}
