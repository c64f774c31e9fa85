import { setImmediate } from 'node:timers/promises';
import { type EndedPlace, type EndedRest, noRest } from '../../../shared/job.ts';
import { hasFailed } from '../../../shared/job-status.ts';
import { findJobs, type JobFilter, reachesEnded } from '../../../shared/search/job-filter.ts';
import type { Journal } from '../journal/journal-model.ts';

/** A few milliseconds' worth. */
const page = 200;

interface FoundEnded {
  readonly ids: readonly string[];
  /** Null if this is the last page. */
  readonly next: EndedPlace | null;
  readonly rest: EndedRest;
}

/**
 * Searches listed ended jobs, newest first, without replaced ones. Yields between pages.
 *
 * @throws TileliftError `journal-unusable`
 */
export async function findEnded(
  journal: Pick<Journal, 'endedFacts'>,
  filter: JobFilter,
  max: number,
  previousPlace?: EndedPlace,
): Promise<FoundEnded> {
  const ids: string[] = [];
  let [count, bytes, failed] = [0, 0, 0];
  let lastPlace: EndedPlace | null = null;
  if (!reachesEnded(filter)) return { ids, next: null, rest: noRest };
  for (let rows = journal.endedFacts(page, previousPlace); rows.length > 0; ) {
    for (const row of findJobs(rows, filter)) {
      if (ids.length < max) {
        ids.push(row.id);
        lastPlace = row.place;
      } else {
        count += 1;
        bytes += row.bytes;
        failed += Number(hasFailed(row.status));
      }
    }
    await setImmediate();
    rows = journal.endedFacts(page, rows.at(-1)?.place);
  }
  return { ids, next: count > 0 ? lastPlace : null, rest: { count, bytes, failed } };
}
