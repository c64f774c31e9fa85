import type { JobView } from '../../preload/contract.ts';
import { say } from '../say.ts';
import { baseName } from './source.ts';

/** A source of an earlier upload. */
export interface RecentSource {
  /** Its latest job. */
  readonly jobId: string;
  /** `LoD2_Altstadt`, or `3 dropped items`. */
  readonly name: string;
  /** Path of the source, or of its first item. */
  readonly place: string;
}

const maxRecent = 10;

/** Sources of listed uploads, newest first, each once; without those of watched folders. */
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
