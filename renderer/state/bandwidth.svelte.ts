import type { BandwidthView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** How fast Tilelift may send, as it is set. */
export class BandwidthState {
  /** Null until main has answered. */
  view: BandwidthView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Throws `ApiError`. */
  async load(): Promise<void> {
    this.view = await this.#api.call('app.bandwidth', null);
  }

  /** Shown at once; put back when it could not be kept. Throws `ApiError`. */
  async set(view: BandwidthView): Promise<void> {
    const before = this.view;
    this.view = view;
    try {
      await this.#api.call('app.setBandwidth', view);
    } catch (thrown) {
      this.view = before;
      throw thrown;
    }
  }
}
