import { TileliftError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { Clock } from '../outside.ts';
import type { Asset, ServiceApi } from '../service/model.ts';

interface TilingReadsOptions {
  /** Throws where the account's service may not be used. */
  readonly serviceFor: (accountId: string) => Pick<ServiceApi, 'readAsset' | 'listAssets'>;
  readonly clock: Clock;
  /** A record is good for this long, ms: as long as one who follows an asset waits between two looks. */
  readonly freshMs: number;
}

/** One asset that someone follows. */
export interface FollowedAsset {
  /**
   * Its record, asked for after the following began and within the last interval. Throws what the request
   * does; the signal's reason.
   */
  read(signal?: AbortSignal): Promise<Asset>;
  /** Nobody follows it here any more. */
  end(): void;
}

/** A request that several wait for. It is given up when nobody does any more. */
interface Asked<T> {
  readonly at: number;
  readonly answer: Promise<T>;
  readonly giveUp: AbortController;
  waiting: number;
  over: boolean;
  /** A refusal counts once: whoever comes later asks anew. */
  failed: boolean;
}

interface AccountReads {
  /** How many follow an asset, by its id. */
  readonly followed: Map<number, number>;
  /** The last request for an asset's record, by its id. */
  readonly single: Map<number, Asked<Asset>>;
  list: Asked<readonly Asset[]> | null;
  /** How long the list was; null while nobody has seen it. */
  length: number | null;
  /** The service gives no list to this account until then, monotonic ms. */
  noListUntil: number;
}

/**
 * A list of more assets than this for each one that is followed costs more than to read these one by one: a
 * record has about half a kilobyte, and a request with its answer costs about as much as some hundred of
 * them.
 */
const listedForEach = 500;
/** A refused list is asked for again after this time, ms: rights may have been given. */
const noListMs = 60 * 60_000;

/**
 * The records of assets that are followed, whoever follows them: where one is under way it is read by itself
 * (contract 4.9), where several are, one list (4.5) says how all of them are. What the list does not hold is
 * read by itself: only that answer says that an asset is gone. A refusal of the list is none of an asset.
 */
export class TilingReads {
  readonly #with: TilingReadsOptions;
  readonly #accounts = new Map<string, AccountReads>();
  readonly #listeners = createListeners<[accountId: string, assets: readonly Asset[]]>();

  constructor(options: TilingReadsOptions) {
    this.#with = options;
  }

  /** Called with every whole list that came, whoever asked. Returns an unsubscribe function. */
  onList(listener: (accountId: string, assets: readonly Asset[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** All assets of an account, asked for now; those who ask at the same time share one answer. */
  list(accountId: string, signal?: AbortSignal): Promise<readonly Asset[]> {
    const reads = this.#of(accountId);
    const running = reads.list && !reads.list.over && !reads.list.giveUp.signal.aborted ? reads.list : null;
    return shared(running ?? this.#askList(accountId, reads), signal);
  }

  follow(accountId: string, assetId: number): FollowedAsset {
    const reads = this.#of(accountId);
    reads.followed.set(assetId, (reads.followed.get(assetId) ?? 0) + 1);
    const since = this.#with.clock.elapsed();
    let ended = false;
    /** The list does not hold it: it is asked for no more. */
    let unlisted = false;
    return {
      read: async (signal) => {
        signal?.throwIfAborted();
        const fresh = this.#freshSince(since);
        if (!unlisted && this.#listIsWorthIt(reads)) {
          const listed = await this.#listed(accountId, reads, fresh, signal);
          const found = listed?.find(({ id }) => id === assetId);
          if (found) return found;
          unlisted = listed !== null;
        }
        const known = reads.single.get(assetId);
        return shared(known && fresh(known) ? known : this.#askSingle(accountId, reads, assetId), signal);
      },
      end: () => {
        if (ended) return;
        ended = true;
        const others = (reads.followed.get(assetId) ?? 1) - 1;
        if (others > 0) reads.followed.set(assetId, others);
        else {
          reads.followed.delete(assetId);
          reads.single.delete(assetId);
        }
      },
    };
  }

  /** Whether an answer, or one that is on its way, is good enough for one who follows since `since`. */
  #freshSince(since: number): (asked: Asked<unknown>) => boolean {
    const now = this.#with.clock.elapsed();
    return ({ at, over, failed, giveUp }) =>
      !failed && !giveUp.signal.aborted && at >= since && (!over || now - at < this.#with.freshMs);
  }

  #listIsWorthIt({ followed, length, noListUntil }: AccountReads): boolean {
    if (followed.size < 2 || this.#with.clock.elapsed() < noListUntil) return false;
    return length === null || length <= followed.size * listedForEach;
  }

  /** Null where the service refuses the list. */
  async #listed(
    accountId: string,
    reads: AccountReads,
    fresh: (asked: Asked<unknown>) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly Asset[] | null> {
    try {
      const known = reads.list && fresh(reads.list) ? reads.list : this.#askList(accountId, reads);
      return await shared(known, signal);
    } catch (thrown) {
      if (!(thrown instanceof TileliftError) || !noListAtAll.has(thrown.code)) throw thrown;
      reads.noListUntil = this.#with.clock.elapsed() + noListMs;
      return null;
    }
  }

  #askList(accountId: string, reads: AccountReads): Asked<readonly Asset[]> {
    const asked = this.#ask(async (signal) => {
      const assets = await this.#with.serviceFor(accountId).listAssets(signal);
      reads.length = assets.length;
      reads.noListUntil = 0;
      this.#listeners.tell(accountId, assets);
      return assets;
    });
    reads.list = asked;
    return asked;
  }

  #askSingle(accountId: string, reads: AccountReads, assetId: number): Asked<Asset> {
    const asked = this.#ask(async (signal) => this.#with.serviceFor(accountId).readAsset(assetId, signal));
    reads.single.set(assetId, asked);
    return asked;
  }

  #ask<T>(request: (signal: AbortSignal) => Promise<T>): Asked<T> {
    const giveUp = new AbortController();
    const answer = request(giveUp.signal);
    const at = this.#with.clock.elapsed();
    const asked: Asked<T> = { at, answer, giveUp, waiting: 0, over: false, failed: false };
    answer.then(
      () => {
        asked.over = true;
      },
      () => {
        asked.over = true;
        asked.failed = true;
      },
    );
    return asked;
  }

  #of(accountId: string): AccountReads {
    const known = this.#accounts.get(accountId);
    if (known) return known;
    const made: AccountReads = {
      ...{ followed: new Map(), single: new Map() },
      ...{ list: null, length: null, noListUntil: 0 },
    };
    this.#accounts.set(accountId, made);
    return made;
  }
}

/** The service was heard, and gives no list to this account. */
const noListAtAll: ReadonlySet<string> = new Set(['list-not-allowed', 'scope-missing', 'request-refused']);

/** Waits for an answer that others wait for too; who stops waiting takes it from nobody else. */
function shared<T>(asked: Asked<T>, signal: AbortSignal | undefined): Promise<T> {
  asked.waiting += 1;
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      asked.waiting -= 1;
      if (asked.waiting === 0 && !asked.over) asked.giveUp.abort();
      reject(signal?.reason);
    };
    if (signal?.aborted) return leave();
    signal?.addEventListener('abort', leave, { once: true });
    const heard = () => signal?.removeEventListener('abort', leave);
    asked.answer.then(resolve, reject).finally(heard);
  });
}
