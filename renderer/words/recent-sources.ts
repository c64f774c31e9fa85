import type { JobView } from '../../preload/contract.ts';
import { say } from '../say.ts';
import { baseName } from './source.ts';

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
  const sources = new Map<string, RecentSource>();
  for (const { id, paths, byRule } of jobs.toSorted((a, b) => b.createdAt - a.createdAt)) {
    const [firstPath] = paths;
    const key = paths.join('\0');
    if (byRule || firstPath === undefined || sources.has(key)) continue;
    const name = paths.length === 1 ? baseName(firstPath) : say('newAsset.dropped', { count: paths.length });
    sources.set(key, { jobId: id, name, place: firstPath });
    if (sources.size === maxRecent) break;
  }
  return [...sources.values()];
}
