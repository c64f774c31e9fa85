import type { AssetView, ErrorRecord } from '../../preload/contract.ts';
import { hasTilingEnded } from '../../shared/assets.ts';
import { type Api, errorViewOf } from '../api.ts';
import { say } from '../say.ts';
import { type AssetQuery, assetStatusWords, everyAsset } from '../words/assets.ts';

/** Lifetime of a listing, ms. */
const freshMs = 10_000;

export class AssetsState {
  /** Null until the first answer. */
  list: readonly AssetView[] | null = $state.raw(null);
  isLoading = $state(false);
  error: ErrorRecord | null = $state.raw(null);
  /** Time of the listing's request, ms since the epoch; null before the first one. */
  listedAt: number | null = $state(null);
  /** Filter and order, kept while the window is open. */
  query: AssetQuery = $state.raw(everyAsset);
  openedId: number | null = $state(null);
  /** Announces the latest end of a tiling on another computer to screen readers. */
  announcement = $state('');
  readonly #api: Api;
  readonly #readTime: () => number;
  #requestCount = 0;

  constructor(api: Api, readTime: () => number) {
    this.#api = api;
    this.#readTime = readTime;
  }

  start(): () => void {
    return this.#api.on('assets.changed', ({ changed: changedAssets, removed: removedIds }) => {
      if (this.list === null) return;
      const changedById = new Map(changedAssets.map((asset) => [asset.id, asset]));
      const removedSet = new Set(removedIds);
      const remaining = this.list.flatMap((asset) => {
        const update = changedById.get(asset.id);
        changedById.delete(asset.id);
        if (update) this.#announce(asset, update);
        return removedSet.has(asset.id) ? [] : [update ?? asset];
      });
      this.list = [...remaining, ...changedById.values()];
    });
  }

  findAsset(id: number): AssetView | undefined {
    return this.list?.find((asset) => asset.id === id);
  }

  /** Only assets of other computers: local ones are announced as uploads. */
  #announce(previous: AssetView, current: AssetView): void {
    if (current.madeHere || hasTilingEnded(previous.status) || !hasTilingEnded(current.status)) return;
    this.announcement = say('assets.announce', {
      name: current.name,
      status: assetStatusWords(current).word,
    });
  }

  async refresh(): Promise<void> {
    const ask = ++this.#requestCount;
    const askedAt = this.#readTime();
    this.isLoading = true;
    try {
      const list = await this.#api.call('assets.list', null);
      if (ask !== this.#requestCount) return;
      this.list = list;
      this.listedAt = askedAt;
      this.error = null;
    } catch (error) {
      if (ask === this.#requestCount) this.error = errorViewOf(error);
    } finally {
      if (ask === this.#requestCount) this.isLoading = false;
    }
  }

  /** Main asks the person first, and reports what it has deleted. */
  async remove(ids: readonly number[]): Promise<void> {
    await this.#api.call('assets.delete', ids);
  }

  async ensure(): Promise<void> {
    if (this.list === null && !this.isLoading) await this.refresh();
  }

  /** Reloads the list unless it is fresh, so that a new asset can be chosen. */
  async renew(): Promise<void> {
    const isFresh = this.listedAt !== null && this.#readTime() - this.listedAt < freshMs;
    if (!isFresh && !this.isLoading) await this.refresh();
  }

  forget(): void {
    this.#requestCount += 1;
    this.list = null;
    this.openedId = null;
    this.query = everyAsset;
    this.listedAt = null;
    this.error = null;
    this.isLoading = false;
  }
}
