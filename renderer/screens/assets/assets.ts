/** The list of assets: words for the service's status values, and finding, sorting and filtering. */

import type { AssetView, JobView } from '../../../preload/contract.ts';
import type { JobStatus } from '../../../shared/job-status.ts';
import { formatPercent, perSpeech, say } from '../../say.ts';
import type { Tone } from '../../words/tone.ts';

interface StatusWords {
  readonly word: string;
  readonly tone: Tone;
}

/** A status of contract 3.1 in words; one that the contract does not name is shown as it is. */
export function assetStatusWords(asset: Pick<AssetView, 'status' | 'percentComplete'>): StatusWords {
  switch (asset.status) {
    case 'AWAITING_FILES':
      return { word: say('assets.status.awaitingFiles'), tone: 'waiting' };
    case 'NOT_STARTED':
      return { word: say('assets.status.tiling'), tone: 'tiling' };
    case 'IN_PROGRESS':
      return {
        word: say('assets.status.tilingAt', { percent: formatPercent(asset.percentComplete / 100) }),
        tone: 'tiling',
      };
    case 'COMPLETE':
      return { word: say('assets.status.complete'), tone: 'complete' };
    case 'DATA_ERROR':
      return { word: say('assets.status.dataError'), tone: 'error' };
    case 'ERROR':
      return { word: say('assets.status.tilingFailed'), tone: 'error' };
    default:
      return { word: asset.status, tone: 'neutral' };
  }
}

export type SortKey = 'name' | 'type' | 'status' | 'bytes' | 'dateAdded' | 'id';

export interface AssetQuery {
  /** Found in the name or the id; case and surrounding space do not matter. */
  readonly text: string;
  /** Null: every type. */
  readonly type: string | null;
  /** Only these, by id; null: all. */
  readonly only?: ReadonlySet<number> | null;
  readonly sortBy: SortKey;
  readonly descending: boolean;
}

const byWord = perSpeech(({ locale }) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));

function compare(a: AssetView, b: AssetView, key: SortKey): number {
  if (key === 'bytes' || key === 'id') return a[key] - b[key];
  return byWord().compare(a[key], b[key]);
}

/** The assets that the query names, in its order; equal ones newest id first. */
export function findAssets(assets: readonly AssetView[], query: AssetQuery): readonly AssetView[] {
  const text = query.text.trim().toLowerCase();
  const sign = query.descending ? -1 : 1;
  return assets
    .filter(({ id }) => !query.only || query.only.has(id))
    .filter((asset) => query.type === null || asset.type === query.type)
    .filter((asset) => asset.name.toLowerCase().includes(text) || String(asset.id).includes(text))
    .toSorted((a, b) => sign * compare(a, b, query.sortBy) || b.id - a.id);
}

const leavesBehind: ReadonlySet<JobStatus> = new Set(['cancelled', 'failed', 'expired']);

/**
 * Ids of assets that wait for files which nobody sends any more: their jobs on this computer were cancelled
 * or came to nothing. Those whose job was removed from the list are not known.
 */
export function leftBehind(
  assets: readonly AssetView[],
  jobs: readonly Pick<JobView, 'assetId' | 'status'>[],
): ReadonlySet<number> {
  const ended = new Set(jobs.filter(({ status }) => leavesBehind.has(status)).map(({ assetId }) => assetId));
  const running = new Set(
    jobs.filter(({ status }) => !leavesBehind.has(status)).map(({ assetId }) => assetId),
  );
  return new Set(
    assets
      .filter(({ id, status }) => status === 'AWAITING_FILES' && ended.has(id) && !running.has(id))
      .map(({ id }) => id),
  );
}
