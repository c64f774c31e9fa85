import { toTileliftError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { Clock } from '../outside.ts';
import type { Asset } from '../service/model.ts';
import type { SettingsPort } from '../settings-port.ts';
import { pollUntilEnded } from './poller.ts';
import type { TilingReads } from './tiling-reads.ts';

/** An asset whose end the user subscribed to. */
export interface ToldAsset {
  readonly accountId: string;
  readonly assetId: number;
}

/** Null if the service no longer knows the asset. */
export interface ToldEnd extends ToldAsset {
  readonly asset: Asset | null;
}

interface ToldAssetsOptions {
  readonly settings: SettingsPort<{ readonly toldAssets: readonly ToldAsset[] }>;
  readonly reads: TilingReads;
  readonly clock: Clock;
  /** Contract part 8: 10 seconds. */
  readonly pollMs: number;
}

const maxTold = 100;

/** Follows subscribed assets across restarts. */
export class ToldAssets {
  readonly #deps: ToldAssetsOptions;
  readonly #listeners = createListeners<[ToldEnd]>();
  readonly #running = new Map<string, AbortController>();

  constructor(options: ToldAssetsOptions) {
    this.#deps = options;
  }

  /** Call again after a sign-in. */
  wake(): void {
    for (const subscription of this.#subscriptions()) this.#follow(subscription);
  }

  stop(): void {
    for (const running of this.#running.values()) running.abort();
    this.#running.clear();
    this.#listeners.clear();
  }

  isTold(asset: ToldAsset): boolean {
    return this.#subscriptions().some((subscription) => keyOf(subscription) === keyOf(asset));
  }

  set(asset: ToldAsset, isSubscribed: boolean): void {
    const remaining = this.#subscriptions().filter((subscription) => keyOf(subscription) !== keyOf(asset));
    this.#deps.settings.update({
      toldAssets: (isSubscribed ? [...remaining, asset] : remaining).slice(-maxTold),
    });
    if (isSubscribed) this.#follow(asset);
    else this.#drop(asset);
  }

  /** Returns an unsubscribe function. */
  onEnd(listener: (end: ToldEnd) => void): () => void {
    return this.#listeners.add(listener);
  }

  #subscriptions(): readonly ToldAsset[] {
    return this.#deps.settings.get().toldAssets;
  }

  #drop(subscription: ToldAsset): void {
    this.#running.get(keyOf(subscription))?.abort();
    this.#running.delete(keyOf(subscription));
  }

  #follow(subscription: ToldAsset): void {
    const key = keyOf(subscription);
    if (this.#running.has(key)) return;
    const running = new AbortController();
    this.#running.set(key, running);
    this.#untilItEnds(subscription, running.signal)
      .then((asset) => {
        if (running.signal.aborted) return;
        this.set(subscription, false);
        this.#listeners.tell({ ...subscription, asset });
      })
      // Only a new sign-in helps here.
      .catch(() => {})
      .finally(() => {
        if (this.#running.get(key) === running) this.#running.delete(key);
      });
  }

  async #untilItEnds({ accountId, assetId }: ToldAsset, signal: AbortSignal): Promise<Asset | null> {
    const { reads, clock, pollMs } = this.#deps;
    const followed = reads.follow(accountId, assetId);
    try {
      return await pollUntilEnded({
        ...{ read: followed.read, clock, intervalMs: pollMs, signal },
        onStatus: () => {},
      });
    } catch (error) {
      signal.throwIfAborted();
      if (toTileliftError(error).code === 'asset-not-found') return null;
      throw error;
    } finally {
      followed.end();
    }
  }
}

const keyOf = ({ accountId, assetId }: ToldAsset) => `${accountId} ${assetId}`;
