import type { AssetView, JobView } from '../../preload/contract.ts';
import type { JobStatus } from '../../shared/job-status.ts';
import { formatPercent, perSpeech, say } from '../say.ts';
import { assetTypeLabel } from './kinds.ts';
import type { Tone } from './tone.ts';

interface StatusWords {
  readonly word: string;
  readonly tone: Tone;
}

/** Text for a status of contract 3.1; unknown statuses stay as they are. */
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

/** Both mean tiling. */
const oneStatus: Readonly<Record<string, string>> = { NOT_STARTED: 'IN_PROGRESS' };

/** The status as shown to people: it joins both tiling statuses. */
export function statusGroup(status: string): string {
  return oneStatus[status] ?? status;
}

export function statusGroupWord(group: string): string {
  return group === 'IN_PROGRESS'
    ? say('assets.status.tiling')
    : assetStatusWords({ status: group, percentComplete: 0 }).word;
}

export type SortKey = 'name' | 'type' | 'status' | 'bytes' | 'dateAdded' | 'id';

/** Filters and order of the list. */
export interface AssetQuery {
  /** Matches name or id, ignoring case and surrounding spaces. */
  readonly text: string;
  /** Null: all types. */
  readonly type: string | null;
  /** A group of statuses; null: all. */
  readonly status: string | null;
  /** Only assets uploaded by this computer. */
  readonly madeHere: boolean;
  /** Only assets that uploads of this computer left behind. */
  readonly leftBehind: boolean;
  readonly sortBy: SortKey;
  readonly descending: boolean;
}

/** All assets, newest first. */
export const everyAsset: AssetQuery = {
  ...{ text: '', type: null, status: null, madeHere: false, leftBehind: false },
  ...{ sortBy: 'dateAdded', descending: true },
};

const byWord = perSpeech(({ locale }) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));

function compare(a: AssetView, b: AssetView, key: SortKey): number {
  if (key === 'bytes' || key === 'id') return a[key] - b[key];
  if (key === 'dateAdded') return a[key] < b[key] ? -1 : Number(a[key] > b[key]);
  return byWord().compare(a[key], b[key]);
}

export function sortAssets(
  assets: readonly AssetView[],
  { sortBy, descending }: Pick<AssetQuery, 'sortBy' | 'descending'>,
): readonly AssetView[] {
  const sign = descending ? -1 : 1;
  return assets.toSorted((a, b) => sign * compare(a, b, sortBy) || b.id - a.id);
}

/** Matching assets in their order. `left`: ids of assets left behind. */
export function findAssets(
  assets: readonly AssetView[],
  query: AssetQuery,
  leftIds: ReadonlySet<number>,
): readonly AssetView[] {
  const text = query.text.trim().toLowerCase();
  return assets.filter(
    (asset) =>
      (!query.leftBehind || leftIds.has(asset.id)) &&
      (!query.madeHere || asset.madeHere) &&
      (query.type === null || asset.type === query.type) &&
      (query.status === null || statusGroup(asset.status) === query.status) &&
      (asset.name.toLowerCase().includes(text) || String(asset.id).includes(text)),
  );
}

export interface ActiveFilter {
  readonly key: 'text' | 'type' | 'status' | 'madeHere' | 'leftBehind';
  readonly words: string;
  /** The query without this filter. */
  readonly without: AssetQuery;
}

export function activeFilters(query: AssetQuery): readonly ActiveFilter[] {
  const { text, type, status, madeHere, leftBehind: isLeftBehind } = query;
  const filters: ActiveFilter[] = [];
  const add = (key: ActiveFilter['key'], words: string) =>
    filters.push({ key, words, without: { ...query, [key]: everyAsset[key] } });
  if (text.trim() !== '') add('text', say('assets.filter.text', { text: text.trim() }));
  if (type !== null) add('type', say('assets.filter.type', { type: assetTypeLabel(type) }));
  if (status !== null) add('status', say('assets.filter.status', { status: statusGroupWord(status) }));
  if (madeHere) add('madeHere', say('assets.madeHere'));
  if (isLeftBehind) add('leftBehind', say('assets.leftBehind.filter'));
  return filters;
}

export function nothingFoundWords(query: AssetQuery): string {
  const filters = activeFilters(query);
  const [firstFilter] = filters;
  if (filters.length !== 1 || !firstFilter) return say('assets.nothingFound');
  return firstFilter.key === 'text'
    ? say('assets.nothingNamed', { text: query.text.trim() })
    : say('assets.nothingUnder', { filter: firstFilter.words });
}

const leavesBehind: ReadonlySet<JobStatus> = new Set(['cancelled', 'failed', 'expired']);

/**
 * Ids of assets that wait for files in vain: their jobs on this computer were cancelled or failed. Unknown if
 * the job was removed from the list.
 */
export function leftBehind(
  assets: readonly AssetView[],
  jobs: readonly Pick<JobView, 'assetId' | 'status'>[],
): ReadonlySet<number> {
  const endedIds = new Set(
    jobs.filter(({ status }) => leavesBehind.has(status)).map(({ assetId }) => assetId),
  );
  const running = new Set(
    jobs.filter(({ status }) => !leavesBehind.has(status)).map(({ assetId }) => assetId),
  );
  return new Set(
    assets
      .filter(({ id, status }) => status === 'AWAITING_FILES' && endedIds.has(id) && !running.has(id))
      .map(({ id }) => id),
  );
}
