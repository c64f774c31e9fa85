import type { AssetView, ErrorRecord } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

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
  readonly #api: Api;
  readonly #now: () => number;
  #asked = 0;

  constructor(api: Api, now: () => number) {
    this.#api = api;
    this.#now = now;
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
    this.listedAt = null;
    this.error = null;
    this.loading = false;
  }
}
