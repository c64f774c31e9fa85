/** The list of assets: words for the service's status values, and finding, sorting and filtering. */

import type { AssetView, JobView } from '../../preload/contract.ts';
import type { JobStatus } from '../../shared/job-status.ts';
import { formatPercent, perSpeech, say } from '../say.ts';
import { assetTypeLabel } from './kinds.ts';
import type { Tone } from './tone.ts';

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

/** Both are tiling to a person. */
const oneStatus: Readonly<Record<string, string>> = { NOT_STARTED: 'IN_PROGRESS' };

/** By what people tell assets apart: the service's status, both of tiling as one. */
export function statusGroup(status: string): string {
  return oneStatus[status] ?? status;
}

/** A group of statuses in words. */
export function statusGroupWord(group: string): string {
  return group === 'IN_PROGRESS'
    ? say('assets.status.tiling')
    : assetStatusWords({ status: group, percentComplete: 0 }).word;
}

export type SortKey = 'name' | 'type' | 'status' | 'bytes' | 'dateAdded' | 'id';

/** Which assets are listed, and how. */
export interface AssetQuery {
  /** Found in the name or the id; case and surrounding space do not matter. */
  readonly text: string;
  /** Null: every type. */
  readonly type: string | null;
  /** A group of statuses; null: every one. */
  readonly status: string | null;
  /** Only those that this computer uploaded. */
  readonly madeHere: boolean;
  /** Only those that uploads of this computer left behind. */
  readonly leftBehind: boolean;
  readonly sortBy: SortKey;
  readonly descending: boolean;
}

/** All of them, newest first. */
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

/** In the order of the query; equal ones newest id first. */
export function sortAssets(
  assets: readonly AssetView[],
  { sortBy, descending }: Pick<AssetQuery, 'sortBy' | 'descending'>,
): readonly AssetView[] {
  const sign = descending ? -1 : 1;
  return assets.toSorted((a, b) => sign * compare(a, b, sortBy) || b.id - a.id);
}

/** Those that the query names, in the order that they have. `left`: ids of what was left behind. */
export function findAssets(
  assets: readonly AssetView[],
  query: AssetQuery,
  left: ReadonlySet<number>,
): readonly AssetView[] {
  const text = query.text.trim().toLowerCase();
  return assets.filter(
    (asset) =>
      (!query.leftBehind || left.has(asset.id)) &&
      (!query.madeHere || asset.madeHere) &&
      (query.type === null || asset.type === query.type) &&
      (query.status === null || statusGroup(asset.status) === query.status) &&
      (asset.name.toLowerCase().includes(text) || String(asset.id).includes(text)),
  );
}

/** One filter of a query. */
export interface ActiveFilter {
  readonly key: 'text' | 'type' | 'status' | 'madeHere' | 'leftBehind';
  readonly words: string;
  /** The query without it. */
  readonly without: AssetQuery;
}

/** The filters of a query, in words. */
export function activeFilters(query: AssetQuery): readonly ActiveFilter[] {
  const { text, type, status, madeHere, leftBehind: left } = query;
  const filters: ActiveFilter[] = [];
  const add = (key: ActiveFilter['key'], words: string) =>
    filters.push({ key, words, without: { ...query, [key]: everyAsset[key] } });
  if (text.trim() !== '') add('text', say('assets.filter.text', { text: text.trim() }));
  if (type !== null) add('type', say('assets.filter.type', { type: assetTypeLabel(type) }));
  if (status !== null) add('status', say('assets.filter.status', { status: statusGroupWord(status) }));
  if (madeHere) add('madeHere', say('assets.madeHere'));
  if (left) add('leftBehind', say('assets.leftBehind.filter'));
  return filters;
}

/** Why a query finds nothing, in words. */
export function nothingFoundWords(query: AssetQuery): string {
  const filters = activeFilters(query);
  const [only] = filters;
  if (filters.length !== 1 || !only) return say('assets.nothingFound');
  return only.key === 'text'
    ? say('assets.nothingNamed', { text: query.text.trim() })
    : say('assets.nothingUnder', { filter: only.words });
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
