import { setImmediate } from 'node:timers/promises';
import type { EndedPlace, EndedRest } from '../../../shared/job.ts';
import { findJobs, type JobFilter, reachesEnded } from '../../../shared/search/job-filter.ts';
import type { Journal } from '../journal/journal-model.ts';

/** Rows looked at in one go: a few milliseconds' worth. */
const page = 200;

/** Some of the ended jobs that a filter finds. */
interface FoundEnded {
  readonly ids: readonly string[];
  /** Where the next page goes on; null where this is the last. */
  readonly next: EndedPlace | null;
  /** What the filter finds besides. */
  readonly rest: EndedRest;
}

/**
 * Looks through the ended jobs on the list, newest first, without those that others took the place of. Only
 * the journal's rows are read, none of the jobs, and everything else has its turn between two pages of them.
 *
 * @param max how many are given
 * @param after where to begin; default: at the newest
 * @throws TileliftError `journal-unusable`
 */
export async function findEnded(
  journal: Pick<Journal, 'endedFacts'>,
  filter: JobFilter,
  max: number,
  after?: EndedPlace,
): Promise<FoundEnded> {
  const ids: string[] = [];
  let [count, bytes] = [0, 0];
  let last: EndedPlace | null = null;
  if (!reachesEnded(filter)) return { ids, next: null, rest: { count, bytes } };
  for (let rows = journal.endedFacts(page, after); rows.length > 0; ) {
    for (const row of findJobs(rows, filter)) {
      if (ids.length < max) {
        ids.push(row.id);
        last = row.place;
      } else {
        count += 1;
        bytes += row.bytes;
      }
    }
    await setImmediate();
    rows = journal.endedFacts(page, rows.at(-1)?.place);
  }
  return { ids, next: count > 0 ? last : null, rest: { count, bytes } };
}
