import type { BackgroundView, ErrorView } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

/** What Tilelift does while nobody looks, as it is set. */
export class BackgroundState {
  /** Null until main has answered. */
  view: BackgroundView | null = $state.raw(null);
  error: ErrorView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async load(): Promise<void> {
    try {
      this.view = await this.#api.call('background.state', null);
      this.error = null;
    } catch (thrown) {
      this.error = errorViewOf(thrown);
    }
  }

  /** Shown at once; put back when it could not be set. Throws `ApiError`. */
  async set(part: Partial<Omit<BackgroundView, 'canStartAtLogin'>>): Promise<void> {
    const before = this.view;
    if (!before) return;
    const { canStartAtLogin, ...kept } = before;
    const wanted = { ...kept, ...part };
    this.view = { ...wanted, canStartAtLogin };
    try {
      this.view = await this.#api.call('background.set', wanted);
    } catch (thrown) {
      this.view = before;
      throw thrown;
    }
  }
}
