import { TileliftError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { Clock } from '../ports.ts';
import type { Asset, ServiceApi } from '../service/model.ts';

interface TilingReadsOptions {
  readonly serviceFor: (accountId: string) => Pick<ServiceApi, 'readAsset' | 'listAssets'>;
  readonly clock: Clock;
  /** How long a record counts as fresh: a follower's poll interval, ms. */
  readonly freshMs: number;
}

/** An asset that a caller follows. */
export interface FollowedAsset {
  /** Returns a record requested after following began. Throws the request's error or the signal's reason. */
  read(signal?: AbortSignal): Promise<Asset>;
  end(): void;
}

/** A request that is aborted when its last waiter leaves. */
interface SharedRequest<T> {
  readonly startedAt: number;
  readonly answer: Promise<T>;
  readonly abortController: AbortController;
  waiters: number;
  hasEnded: boolean;
  hasFailed: boolean;
}

interface AccountReads {
  /** Number of followers by asset id. */
  readonly followedIds: Map<number, number>;
  readonly singleRequests: Map<number, SharedRequest<Asset>>;
  list: SharedRequest<readonly Asset[]> | null;
  length: number | null;
  /** The service refuses the list until then, monotonic ms. */
  noListUntil: number;
}

/**
 * Maximum list length per followed asset: a record has half a kilobyte, and a request costs as much as some
 * hundred records.
 */
const listedForEach = 500;
/** A refused list is requested again after this time, since permissions may change. */
const noListMs = 60 * 60_000;

/**
 * Reads records for all followers: a single asset individually (contract 4.9), several by one list (4.5).
 * Only an individual response proves that an asset is gone.
 */
export class TilingReads {
  readonly #deps: TilingReadsOptions;
  readonly #accounts = new Map<string, AccountReads>();
  readonly #listeners = createListeners<[accountId: string, assets: readonly Asset[]]>();

  constructor(options: TilingReadsOptions) {
    this.#deps = options;
  }

  /** Returns an unsubscribe function. */
  onList(listener: (accountId: string, assets: readonly Asset[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Concurrent callers share the response. */
  list(accountId: string, signal?: AbortSignal): Promise<readonly Asset[]> {
    const reads = this.#readsOf(accountId);
    const running =
      reads.list && !reads.list.hasEnded && !reads.list.abortController.signal.aborted ? reads.list : null;
    return shareRequest(running ?? this.#askList(accountId, reads), signal);
  }

  follow(accountId: string, assetId: number): FollowedAsset {
    const reads = this.#readsOf(accountId);
    reads.followedIds.set(assetId, (reads.followedIds.get(assetId) ?? 0) + 1);
    const followedSince = this.#deps.clock.elapsed();
    let hasEnded = false;
    // The list lacks the asset, so it is read individually.
    let isUnlisted = false;
    return {
      read: async (signal) => {
        signal?.throwIfAborted();
        const isFresh = this.#freshSince(followedSince);
        if (!isUnlisted && this.#listIsWorthIt(reads)) {
          const listedAssets = await this.#listedAssets(accountId, reads, isFresh, signal);
          const listedAsset = listedAssets?.find(({ id }) => id === assetId);
          if (listedAsset) return listedAsset;
          isUnlisted = listedAssets !== null;
        }
        const singleRequest = reads.singleRequests.get(assetId);
        return shareRequest(
          singleRequest && isFresh(singleRequest)
            ? singleRequest
            : this.#askSingle(accountId, reads, assetId),
          signal,
        );
      },
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        const followers = (reads.followedIds.get(assetId) ?? 1) - 1;
        if (followers > 0) reads.followedIds.set(assetId, followers);
        else {
          reads.followedIds.delete(assetId);
          reads.singleRequests.delete(assetId);
        }
      },
    };
  }

  #freshSince(followedSince: number): (request: SharedRequest<unknown>) => boolean {
    const nowMs = this.#deps.clock.elapsed();
    return ({ startedAt, hasEnded, hasFailed, abortController }) =>
      !hasFailed &&
      !abortController.signal.aborted &&
      startedAt >= followedSince &&
      (!hasEnded || nowMs - startedAt < this.#deps.freshMs);
  }

  #listIsWorthIt({ followedIds, length, noListUntil }: AccountReads): boolean {
    if (followedIds.size < 2 || this.#deps.clock.elapsed() < noListUntil) return false;
    return length === null || length <= followedIds.size * listedForEach;
  }

  async #listedAssets(
    accountId: string,
    reads: AccountReads,
    isFresh: (request: SharedRequest<unknown>) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly Asset[] | null> {
    try {
      const listRequest = reads.list && isFresh(reads.list) ? reads.list : this.#askList(accountId, reads);
      return await shareRequest(listRequest, signal);
    } catch (error) {
      if (!(error instanceof TileliftError) || !noListAtAll.has(error.code)) throw error;
      reads.noListUntil = this.#deps.clock.elapsed() + noListMs;
      return null;
    }
  }

  #askList(accountId: string, reads: AccountReads): SharedRequest<readonly Asset[]> {
    const listRequest = this.#ask(async (signal) => {
      const assets = await this.#deps.serviceFor(accountId).listAssets(signal);
      reads.length = assets.length;
      reads.noListUntil = 0;
      this.#listeners.emit(accountId, assets);
      return assets;
    });
    reads.list = listRequest;
    return listRequest;
  }

  #askSingle(accountId: string, reads: AccountReads, assetId: number): SharedRequest<Asset> {
    const singleRequest = this.#ask(async (signal) =>
      this.#deps.serviceFor(accountId).readAsset(assetId, signal),
    );
    reads.singleRequests.set(assetId, singleRequest);
    return singleRequest;
  }

  #ask<T>(request: (signal: AbortSignal) => Promise<T>): SharedRequest<T> {
    const abortController = new AbortController();
    const answer = request(abortController.signal);
    const startedAt = this.#deps.clock.elapsed();
    const sharedRequest: SharedRequest<T> = {
      startedAt,
      answer,
      abortController,
      waiters: 0,
      hasEnded: false,
      hasFailed: false,
    };
    answer.then(
      () => {
        sharedRequest.hasEnded = true;
      },
      () => {
        sharedRequest.hasEnded = true;
        sharedRequest.hasFailed = true;
      },
    );
    return sharedRequest;
  }

  #readsOf(accountId: string): AccountReads {
    const existing = this.#accounts.get(accountId);
    if (existing) return existing;
    const created: AccountReads = {
      ...{ followedIds: new Map(), singleRequests: new Map() },
      ...{ list: null, length: null, noListUntil: 0 },
    };
    this.#accounts.set(accountId, created);
    return created;
  }
}

/** The service itself gives this account no list. */
const noListAtAll: ReadonlySet<string> = new Set(['list-not-allowed', 'scope-missing', 'request-refused']);

/** Waits for a shared response; aborting affects no other waiter. */
function shareRequest<T>(request: SharedRequest<T>, signal: AbortSignal | undefined): Promise<T> {
  request.waiters += 1;
  return new Promise<T>((resolve, reject) => {
    const leaveRequest = () => {
      request.waiters -= 1;
      if (request.waiters === 0 && !request.hasEnded) request.abortController.abort();
      reject(signal?.reason);
    };
    if (signal?.aborted) return leaveRequest();
    signal?.addEventListener('abort', leaveRequest, { once: true });
    const stopListening = () => signal?.removeEventListener('abort', leaveRequest);
    request.answer.then(resolve, reject).finally(stopListening);
  });
}
