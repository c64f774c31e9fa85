import type { JobView } from '../../preload/contract.ts';
import { say } from '../say.ts';
import { baseName } from './source.ts';

/** A source that a person has uploaded before. */
export interface RecentSource {
  /** Of the last job that was made of it. */
  readonly jobId: string;
  /** `LoD2_Altstadt`, or `3 dropped items`. */
  readonly name: string;
  /** Where it is: the whole path, or that of the first item. */
  readonly place: string;
}

const maxRecent = 10;

/**
 * The sources of the uploads in the list, the last one first, each once; those of watched folders are none.
 */
export function recentSources(
  jobs: readonly Pick<JobView, 'id' | 'paths' | 'createdAt' | 'byRule'>[],
): readonly RecentSource[] {
  const found = new Map<string, RecentSource>();
  for (const { id, paths, byRule } of jobs.toSorted((one, other) => other.createdAt - one.createdAt)) {
    const [first] = paths;
    const key = paths.join('\0');
    if (byRule || first === undefined || found.has(key)) continue;
    const name = paths.length === 1 ? baseName(first) : say('newAsset.dropped', { count: paths.length });
    found.set(key, { jobId: id, name, place: first });
    if (found.size === maxRecent) break;
  }
  return [...found.values()];
}
