import type { AssetView, ErrorRecord } from '../../preload/contract.ts';
import { hasTilingEnded } from '../../shared/assets.ts';
import { type Api, errorViewOf } from '../api.ts';
import { say } from '../say.ts';
import { type AssetQuery, assetStatusWords, everyAsset } from '../words/assets.ts';

/** How long a list is as good as new, ms. */
const freshMs = 10_000;

/** The account's assets, as the service last listed them. */
export class AssetsState {
  /** Null until the service has answered once. */
  list: readonly AssetView[] | null = $state.raw(null);
  loading = $state(false);
  error: ErrorRecord | null = $state.raw(null);
  /** When the list was asked for, ms since the epoch; null while there is none. */
  listedAt: number | null = $state(null);
  /** Which are listed, and how: kept while the window is open. */
  query: AssetQuery = $state.raw(everyAsset);
  /** The asset whose details are shown, by its id. */
  opened: number | null = $state(null);
  /** The latest end of a tiling elsewhere, for those who listen rather than look. */
  announcement = $state('');
  readonly #api: Api;
  readonly #now: () => number;
  #asked = 0;

  constructor(api: Api, now: () => number) {
    this.#api = api;
    this.#now = now;
  }

  /** Follows what main says of them. Returns an unsubscribe function. */
  start(): () => void {
    return this.#api.on('assets.changed', ({ changed, removed }) => {
      if (this.list === null) return;
      const news = new Map(changed.map((asset) => [asset.id, asset]));
      const gone = new Set(removed);
      const kept = this.list.flatMap((known) => {
        const now = news.get(known.id);
        news.delete(known.id);
        if (now) this.#announce(known, now);
        return gone.has(known.id) ? [] : [now ?? known];
      });
      this.list = [...kept, ...news.values()];
    });
  }

  find(id: number): AssetView | undefined {
    return this.list?.find((asset) => asset.id === id);
  }

  /** Those of this computer are announced as uploads. */
  #announce(before: AssetView, now: AssetView): void {
    if (now.madeHere || hasTilingEnded(before.status) || !hasTilingEnded(now.status)) return;
    this.announcement = say('assets.announce', { name: now.name, status: assetStatusWords(now).word });
  }

  async refresh(): Promise<void> {
    const ask = ++this.#asked;
    const askedAt = this.#now();
    this.loading = true;
    try {
      const list = await this.#api.call('assets.list', null);
      if (ask !== this.#asked) return;
      this.list = list;
      this.listedAt = askedAt;
      this.error = null;
    } catch (thrown) {
      if (ask === this.#asked) this.error = errorViewOf(thrown);
    } finally {
      if (ask === this.#asked) this.loading = false;
    }
  }

  /** Asks only when nothing is known yet. */
  async ensure(): Promise<void> {
    if (this.list === null && !this.loading) await this.refresh();
  }

  /** Asks unless the list is only seconds old: what was just made is to be among the choices. */
  async renew(): Promise<void> {
    const isFresh = this.listedAt !== null && this.#now() - this.listedAt < freshMs;
    if (!isFresh && !this.loading) await this.refresh();
  }

  /** After signing out: another account has other assets. */
  forget(): void {
    this.#asked += 1;
    this.list = null;
    this.opened = null;
    this.query = everyAsset;
    this.listedAt = null;
    this.error = null;
    this.loading = false;
  }
}
