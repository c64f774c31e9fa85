import type { SourceFile, SourceFiles } from '../../files/model.ts';
import { createPage, type Page, sortInPages } from '../../files/pages.ts';
import type { Clock } from '../../outside.ts';
import { chooseInPages } from './choose.ts';
import type { LookThread } from './look-thread.ts';
import { fewMembers, fileToLookAt, headTask, withMembers } from './packed-files.ts';
import type { HeadAnswer } from './read-head.ts';
import { hintBeside, sidecarsWithSystem } from './sidecar-names.ts';

/** What was seen in one file. */
export interface Look extends HeadAnswer {
  readonly key: string;
  /** Key of the archive in which it is. */
  readonly archive?: string;
}

/** What was seen in the files of an archive; nothing for other files. */
export const looksInside = ({ key: archive, members }: Look): readonly Look[] =>
  (members?.heads ?? []).map(({ key, answer }) => ({ key, archive, ...answer }));

/** Of all sources that are looked into together. */
const maxFiles = 20;
const maxSorted = 10_000;
/** Time to read headers for a guess that a person sees and can correct, ms. */
export const guessMs = 500;
/** Time to read headers for a decision that nobody checks: a wrong kind is worse than a late one. ms. */
export const decisionMs = 30_000;

/**
 * Reads the headers of a few files of each source: at most 20 files, 64 KiB of each, `longestMs` in all.
 * Files that can't be read in that time are missing from the result.
 *
 * @param longestMs `guessMs` or `decisionMs`
 * @param onLate called with the key of the file that was being read when the time was over
 */
export async function lookInside(
  sources: readonly SourceFiles[],
  clock: Clock,
  thread: LookThread,
  longestMs: number,
  { page = createPage(), onLate }: { readonly page?: Page; readonly onLate?: (key: string) => void } = {},
): Promise<ReadonlyMap<string, Look>> {
  const looks = new Map<string, Look>();
  const each = Math.max(1, Math.floor(maxFiles / Math.max(1, sources.length)));
  const stop = new AbortController();
  let reading = sources[0]?.at(0)?.key ?? '';
  const work = async () => {
    let left = maxFiles;
    for (const files of sources) {
      const chosen = await chooseInPages(await inOrder(files, page), Math.min(each, left), page);
      const sidecars = await findSidecars(chosen, files, page);
      for (const file of chosen) {
        reading = file.key;
        // One after the other: a drive that does not answer holds up one thread, not all.
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

/** The same files are looked at in whatever order a front end found them; sorting more takes too long. */
const inOrder = async (files: SourceFiles, page: Page): Promise<SourceFiles> =>
  files.length > maxSorted ? files : sortInPages(Array.from(files), ({ key }) => key, page);

/** By keys in lower case. */
async function findSidecars(chosen: readonly SourceFile[], files: SourceFiles, page: Page) {
  const wanted = namesBeside(chosen);
  const found = new Map<string, ReturnType<typeof fileToLookAt>>();
  for (const file of wanted.size > 0 ? files : []) {
    const low = file.key.toLowerCase();
    if (wanted.has(low)) found.set(low, fileToLookAt(file));
    if (page.isFull()) await page.turn();
  }
  return found;
}

/**
 * Files that may name the system or the place of one of the chosen, as far as they are among `files`, which
 * are those of one folder.
 */
export function sidecarsOf(
  chosen: readonly SourceFile[],
  files: readonly SourceFile[],
): readonly SourceFile[] {
  const wanted = namesBeside(chosen);
  return wanted.size > 0 ? files.filter(({ key }) => wanted.has(key.toLowerCase())) : [];
}

/** In lower case. */
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
