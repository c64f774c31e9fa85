import { toTileliftError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { Clock } from '../outside.ts';
import type { Asset } from '../service/model.ts';
import type { SettingsPort } from '../settings-port.ts';
import { pollUntilEnded } from './poller.ts';
import type { TilingReads } from './tiling-reads.ts';

/** An asset of whose end a person wants to be told. */
export interface ToldAsset {
  readonly accountId: string;
  readonly assetId: number;
}

/** How it ended; null where the service does not know the asset any more. */
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

/** People want to be told of a few; of more, those that were wanted first go. */
const maxTold = 100;

/** Follows the assets of whose end a person wants to be told, across restarts, until they end. */
export class ToldAssets {
  readonly #with: ToldAssetsOptions;
  readonly #listeners = createListeners<[ToldEnd]>();
  readonly #running = new Map<string, AbortController>();

  constructor(options: ToldAssetsOptions) {
    this.#with = options;
  }

  /** Takes up all of them; those whose account is signed out are taken up again when it is there. */
  wake(): void {
    for (const told of this.#all()) this.#follow(told);
  }

  stop(): void {
    for (const running of this.#running.values()) running.abort();
    this.#running.clear();
    this.#listeners.clear();
  }

  isTold(told: ToldAsset): boolean {
    return this.#all().some((one) => keyOf(one) === keyOf(told));
  }

  set(told: ToldAsset, wanted: boolean): void {
    const others = this.#all().filter((one) => keyOf(one) !== keyOf(told));
    this.#with.settings.update({ toldAssets: (wanted ? [...others, told] : others).slice(-maxTold) });
    if (wanted) this.#follow(told);
    else this.#drop(told);
  }

  /** Called once for each that has ended. Returns an unsubscribe function. */
  onEnd(listener: (end: ToldEnd) => void): () => void {
    return this.#listeners.add(listener);
  }

  #all(): readonly ToldAsset[] {
    return this.#with.settings.get().toldAssets;
  }

  #drop(told: ToldAsset): void {
    this.#running.get(keyOf(told))?.abort();
    this.#running.delete(keyOf(told));
  }

  #follow(told: ToldAsset): void {
    const key = keyOf(told);
    if (this.#running.has(key)) return;
    const running = new AbortController();
    this.#running.set(key, running);
    this.#untilItEnds(told, running.signal)
      .then((asset) => {
        if (running.signal.aborted) return;
        this.set(told, false);
        this.#listeners.tell({ ...told, asset });
      })
      // Only a person can go on from here, by signing in again.
      .catch(() => {})
      .finally(() => {
        if (this.#running.get(key) === running) this.#running.delete(key);
      });
  }

  async #untilItEnds({ accountId, assetId }: ToldAsset, signal: AbortSignal): Promise<Asset | null> {
    const { reads, clock, pollMs } = this.#with;
    const followed = reads.follow(accountId, assetId);
    try {
      return await pollUntilEnded({
        ...{ read: followed.read, clock, intervalMs: pollMs, signal },
        onStatus: () => {},
      });
    } catch (thrown) {
      signal.throwIfAborted();
      if (toTileliftError(thrown).code === 'asset-not-found') return null;
      throw thrown;
    } finally {
      followed.end();
    }
  }
}

const keyOf = ({ accountId, assetId }: ToldAsset) => `${accountId} ${assetId}`;
