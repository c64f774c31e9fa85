import { isTiling } from '../../shared/assets.ts';
import { toTileliftError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { Clock } from '../ports.ts';
import type { Asset } from '../service/model.ts';
import { pauseAfter } from '../service/who-answered.ts';
import { troubledMs } from './poller.ts';
import type { FollowedAsset, TilingReads } from './tiling-reads.ts';

interface AccountAssetsOptions {
  readonly reads: TilingReads;
  readonly clock: Clock;
  /** Contract part 8: 10 seconds. */
  readonly pollMs: number;
  /** Nothing is requested for a hidden list. */
  readonly isSeen: () => boolean;
}

/** Changes of an account's assets. */
export interface ChangedAssets {
  readonly accountId: string;
  readonly changed: readonly Asset[];
  readonly removed: readonly number[];
}

const maxFollowed = 200;

/**
 * Keeps the visible account's assets current: after the first list it polls those being tiled, also
 * assets that were created elsewhere.
 */
export class AccountAssets {
  readonly #deps: AccountAssetsOptions;
  readonly #listeners = createListeners<[ChangedAssets]>();
  readonly #followedAssets = new Map<number, FollowedAsset>();
  readonly #stopListening: () => void;
  #accountId: string | null = null;
  #assets: ReadonlyMap<number, Asset> | null = null;
  #activeRun: AbortController | null = null;

  constructor(options: AccountAssetsOptions) {
    this.#deps = options;
    this.#stopListening = options.reads.onList((accountId, assets) => {
      if (accountId === this.#accountId) this.#replaceAssets(assets);
    });
  }

  async list(accountId: string): Promise<readonly Asset[]> {
    if (accountId !== this.#accountId) {
      this.#forget();
      this.#accountId = accountId;
    }
    const assets = await this.#deps.reads.list(accountId);
    this.#followUnderWay();
    return assets;
  }

  /** Undefined unless polled. */
  followedAsset(accountId: string, assetId: number): Asset | undefined {
    return this.#followedAssets.has(assetId) ? this.cachedAsset(accountId, assetId) : undefined;
  }

  cachedAsset(accountId: string, assetId: number): Asset | undefined {
    return accountId === this.#accountId ? this.#assets?.get(assetId) : undefined;
  }

  recordAsset(accountId: string, asset: Asset): void {
    if (this.cachedAsset(accountId, asset.id) === undefined) return;
    this.#merge([asset]);
    this.#followUnderWay();
  }

  /** After deleting an asset on the service. */
  removeAsset(accountId: string, assetId: number): void {
    if (this.cachedAsset(accountId, assetId) === undefined) return;
    this.#replaceAssets([...(this.#assets?.values() ?? [])].filter(({ id }) => id !== assetId));
    this.#followUnderWay();
  }

  /** Not called for the first list, which the caller has. Returns an unsubscribe function. */
  onChange(listener: (changed: ChangedAssets) => void): () => void {
    return this.#listeners.add(listener);
  }

  stop(): void {
    this.#stopListening();
    this.#forget();
    this.#listeners.clear();
  }

  #forget(): void {
    this.#activeRun?.abort();
    this.#activeRun = null;
    for (const { end } of this.#followedAssets.values()) end();
    this.#followedAssets.clear();
    this.#assets = null;
    this.#accountId = null;
  }

  #replaceAssets(assets: readonly Asset[]): void {
    const previous = this.#assets;
    const current = new Map(assets.map((asset) => [asset.id, asset]));
    this.#assets = current;
    if (previous === null || this.#accountId === null) return;
    const changedAssets = assets.filter((asset) => isOther(previous.get(asset.id), asset));
    const removedIds = [...previous.keys()].filter((id) => !current.has(id));
    if (changedAssets.length + removedIds.length > 0)
      this.#listeners.emit({ accountId: this.#accountId, changed: changedAssets, removed: removedIds });
  }

  #merge(records: readonly Asset[]): void {
    const byId = new Map(records.map((asset) => [asset.id, asset]));
    this.#replaceAssets([...(this.#assets?.values() ?? [])].map((asset) => byId.get(asset.id) ?? asset));
  }

  #followUnderWay(): void {
    const accountId = this.#accountId;
    if (accountId === null || this.#assets === null) return;
    const newest = [...this.#assets.values()]
      .filter(({ status }) => isTiling(status))
      .sort((a, b) => b.id - a.id);
    const idsToFollow = new Set(newest.slice(0, maxFollowed).map(({ id }) => id));
    for (const [id, followedAsset] of this.#followedAssets) {
      if (idsToFollow.has(id)) continue;
      followedAsset.end();
      this.#followedAssets.delete(id);
    }
    for (const id of idsToFollow)
      if (!this.#followedAssets.has(id)) this.#followedAssets.set(id, this.#deps.reads.follow(accountId, id));
    if (this.#followedAssets.size === 0 || this.#activeRun) return;
    const running = new AbortController();
    this.#activeRun = running;
    this.#run(accountId, running.signal)
      .catch(() => {})
      .finally(() => {
        if (this.#activeRun === running) this.#activeRun = null;
      });
  }

  /** Rejects when aborted. */
  async #run(accountId: string, signal: AbortSignal): Promise<void> {
    const { clock, pollMs, isSeen } = this.#deps;
    let pause = pollMs;
    for (let failures = 0; this.#followedAssets.size > 0; ) {
      await clock.sleep(pause, signal);
      pause = pollMs;
      if (!isSeen()) continue;
      try {
        const records = await Promise.all([...this.#followedAssets.values()].map(({ read }) => read(signal)));
        signal.throwIfAborted();
        failures = 0;
        this.#merge(records);
        this.#followUnderWay();
      } catch (error) {
        signal.throwIfAborted();
        failures += 1;
        if (toTileliftError(error).code === 'asset-not-found') await this.list(accountId).catch(() => {});
        pause = pauseAfter(toTileliftError(error), troubledMs(failures, pollMs));
      }
    }
  }
}

function isOther(previous: Asset | undefined, current: Asset): boolean {
  return previous === undefined || shownFields.some((field) => previous[field] !== current[field]);
}

const shownFields = [
  ...(['type', 'name', 'bytes', 'dateAdded'] as const),
  ...(['status', 'percentComplete', 'error', 'progressMessage'] as const),
] satisfies readonly (keyof Asset)[];
