import { toTileliftError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { Clock } from '../ports.ts';
import type { Asset } from '../service/model.ts';
import type { SettingsPort } from '../settings-port.ts';
import { pollUntilEnded } from './poller.ts';
import type { TilingReads } from './tiling-reads.ts';

/** An asset whose end the user subscribed to. */
export interface SubscribedAsset {
  readonly accountId: string;
  readonly assetId: number;
}

/** Null if the service no longer knows the asset. */
export interface SubscriptionEnd extends SubscribedAsset {
  readonly asset: Asset | null;
}

interface SubscribedAssetsOptions {
  readonly settings: SettingsPort<{ readonly toldAssets: readonly SubscribedAsset[] }>;
  readonly reads: TilingReads;
  readonly clock: Clock;
  /** Contract part 8: 10 seconds. */
  readonly pollMs: number;
}

/** Beyond this the oldest subscriptions are dropped. */
const maxSubscriptions = 100;

/** Follows subscribed assets across restarts. */
export class SubscribedAssets {
  readonly #deps: SubscribedAssetsOptions;
  readonly #listeners = createListeners<[SubscriptionEnd]>();
  readonly #activePolls = new Map<string, AbortController>();

  constructor(options: SubscribedAssetsOptions) {
    this.#deps = options;
  }

  /** Resumes all subscriptions; call again after a sign-in. */
  wakePolling(): void {
    for (const subscription of this.#subscriptions()) this.#follow(subscription);
  }

  stop(): void {
    for (const running of this.#activePolls.values()) running.abort();
    this.#activePolls.clear();
    this.#listeners.clear();
  }

  isTold(asset: SubscribedAsset): boolean {
    return this.#subscriptions().some((subscription) => keyOf(subscription) === keyOf(asset));
  }

  set(asset: SubscribedAsset, isSubscribed: boolean): void {
    const remaining = this.#subscriptions().filter((subscription) => keyOf(subscription) !== keyOf(asset));
    this.#deps.settings.update({
      toldAssets: (isSubscribed ? [...remaining, asset] : remaining).slice(-maxSubscriptions),
    });
    if (isSubscribed) this.#follow(asset);
    else this.#dropSubscription(asset);
  }

  /** Returns an unsubscribe function. */
  onEnd(listener: (end: SubscriptionEnd) => void): () => void {
    return this.#listeners.add(listener);
  }

  #subscriptions(): readonly SubscribedAsset[] {
    return this.#deps.settings.get().toldAssets;
  }

  #dropSubscription(subscription: SubscribedAsset): void {
    this.#activePolls.get(keyOf(subscription))?.abort();
    this.#activePolls.delete(keyOf(subscription));
  }

  #follow(subscription: SubscribedAsset): void {
    const key = keyOf(subscription);
    if (this.#activePolls.has(key)) return;
    const running = new AbortController();
    this.#activePolls.set(key, running);
    this.#untilItEnds(subscription, running.signal)
      .then((asset) => {
        if (running.signal.aborted) return;
        this.set(subscription, false);
        this.#listeners.emit({ ...subscription, asset });
      })
      // Only a new sign-in helps here.
      .catch(() => {})
      .finally(() => {
        if (this.#activePolls.get(key) === running) this.#activePolls.delete(key);
      });
  }

  async #untilItEnds({ accountId, assetId }: SubscribedAsset, signal: AbortSignal): Promise<Asset | null> {
    const { reads, clock, pollMs } = this.#deps;
    const followedAsset = reads.follow(accountId, assetId);
    try {
      return await pollUntilEnded({
        ...{ read: followedAsset.read, clock, intervalMs: pollMs, signal },
        onStatus: () => {},
      });
    } catch (error) {
      signal.throwIfAborted();
      if (toTileliftError(error).code === 'asset-not-found') return null;
      throw error;
    } finally {
      followedAsset.end();
    }
  }
}

const keyOf = ({ accountId, assetId }: SubscribedAsset) => `${accountId} ${assetId}`;
