import { isTiling } from '../../shared/assets.ts';
import { toTileliftError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { Clock } from '../outside.ts';
import type { Asset } from '../service/model.ts';
import { pauseAfter } from '../service/who-answered.ts';
import { troubledMs } from './poller.ts';
import type { FollowedAsset, TilingReads } from './tiling-reads.ts';

interface AccountAssetsOptions {
  readonly reads: TilingReads;
  readonly clock: Clock;
  /** How often assets under way are looked at, ms. Contract part 8: 10 seconds. */
  readonly pollMs: number;
  /** Whether someone looks on: else nothing is asked for. */
  readonly isSeen: () => boolean;
}

/** Assets of an account that are not any more what they were. */
export interface ChangedAssets {
  readonly accountId: string;
  /** New ones too. */
  readonly changed: readonly Asset[];
  /** Ids of those that are gone. */
  readonly removed: readonly number[];
}

/** At most this many assets are followed for those who look on: the newest. */
const maxFollowed = 200;

/**
 * The assets of the account that is looked at, and what becomes of those under way, whoever made them: from
 * the first list on they are followed as long as someone looks on.
 */
export class AccountAssets {
  readonly #with: AccountAssetsOptions;
  readonly #listeners = createListeners<[ChangedAssets]>();
  readonly #followed = new Map<number, FollowedAsset>();
  readonly #stopListening: () => void;
  #accountId: string | null = null;
  #known: ReadonlyMap<number, Asset> | null = null;
  #running: AbortController | null = null;

  constructor(options: AccountAssetsOptions) {
    this.#with = options;
    this.#stopListening = options.reads.onList((accountId, assets) => {
      if (accountId === this.#accountId) this.#take(assets);
    });
  }

  /** All of them, asked for now; from now on this account is the one that is looked at. */
  async list(accountId: string): Promise<readonly Asset[]> {
    if (accountId !== this.#accountId) {
      this.#forget();
      this.#accountId = accountId;
    }
    const assets = await this.#with.reads.list(accountId);
    this.#followUnderWay();
    return assets;
  }

  /** As it was last heard of, which is seconds ago; undefined for one that is not followed. */
  followed(accountId: string, assetId: number): Asset | undefined {
    return this.#followed.has(assetId) ? this.known(accountId, assetId) : undefined;
  }

  /** As it was last heard of; undefined where it was not. */
  known(accountId: string, assetId: number): Asset | undefined {
    return accountId === this.#accountId ? this.#known?.get(assetId) : undefined;
  }

  /** A record that was read by itself. */
  heard(accountId: string, asset: Asset): void {
    if (this.known(accountId, asset.id) === undefined) return;
    this.#merge([asset]);
    this.#followUnderWay();
  }

  /** Not called for the first list: whoever asked has it. Returns an unsubscribe function. */
  onChange(listener: (changed: ChangedAssets) => void): () => void {
    return this.#listeners.add(listener);
  }

  stop(): void {
    this.#stopListening();
    this.#forget();
    this.#listeners.clear();
  }

  #forget(): void {
    this.#running?.abort();
    this.#running = null;
    for (const { end } of this.#followed.values()) end();
    this.#followed.clear();
    this.#known = null;
    this.#accountId = null;
  }

  #take(assets: readonly Asset[]): void {
    const before = this.#known;
    const now = new Map(assets.map((asset) => [asset.id, asset]));
    this.#known = now;
    if (before === null || this.#accountId === null) return;
    const changed = assets.filter((asset) => isOther(before.get(asset.id), asset));
    const removed = [...before.keys()].filter((id) => !now.has(id));
    if (changed.length + removed.length > 0)
      this.#listeners.tell({ accountId: this.#accountId, changed, removed });
  }

  /** Records of some of them. */
  #merge(records: readonly Asset[]): void {
    const byId = new Map(records.map((asset) => [asset.id, asset]));
    this.#take([...(this.#known?.values() ?? [])].map((asset) => byId.get(asset.id) ?? asset));
  }

  #followUnderWay(): void {
    const accountId = this.#accountId;
    if (accountId === null || this.#known === null) return;
    const newest = [...this.#known.values()]
      .filter(({ status }) => isTiling(status))
      .sort((a, b) => b.id - a.id);
    const wanted = new Set(newest.slice(0, maxFollowed).map(({ id }) => id));
    for (const [id, followed] of this.#followed) {
      if (wanted.has(id)) continue;
      followed.end();
      this.#followed.delete(id);
    }
    for (const id of wanted)
      if (!this.#followed.has(id)) this.#followed.set(id, this.#with.reads.follow(accountId, id));
    if (this.#followed.size === 0 || this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#run(accountId, running.signal)
      .catch(() => {})
      .finally(() => {
        if (this.#running === running) this.#running = null;
      });
  }

  /** Rejects when it is stopped. What can't be read is tried again, ever more seldom. */
  async #run(accountId: string, signal: AbortSignal): Promise<void> {
    const { clock, pollMs, isSeen } = this.#with;
    let pause = pollMs;
    for (let failures = 0; this.#followed.size > 0; ) {
      await clock.sleep(pause, signal);
      pause = pollMs;
      if (!isSeen()) continue;
      try {
        const records = await Promise.all([...this.#followed.values()].map(({ read }) => read(signal)));
        signal.throwIfAborted();
        failures = 0;
        this.#merge(records);
        this.#followUnderWay();
      } catch (thrown) {
        signal.throwIfAborted();
        failures += 1;
        // One that is gone is not on the list either.
        if (toTileliftError(thrown).code === 'asset-not-found') await this.list(accountId).catch(() => {});
        pause = pauseAfter(toTileliftError(thrown), troubledMs(failures, pollMs));
      }
    }
  }
}

/** Whether a page shows it otherwise than before. */
function isOther(before: Asset | undefined, now: Asset): boolean {
  return before === undefined || shownFields.some((field) => before[field] !== now[field]);
}

const shownFields = [
  ...(['type', 'name', 'bytes', 'dateAdded'] as const),
  ...(['status', 'percentComplete', 'error', 'progressMessage'] as const),
] satisfies readonly (keyof Asset)[];
