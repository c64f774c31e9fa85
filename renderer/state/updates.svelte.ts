import type { UpdatesView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** Updates: what is set, and where they stand. */
export class UpdatesState {
  /** Null until main has answered. */
  view: UpdatesView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Listens, and asks for what is so already. Returns an unsubscribe function. */
  start(failed: (thrown: unknown) => void): () => void {
    const stop = this.#api.on('updates.changed', (view) => {
      this.view = view;
    });
    this.#api.call('updates.state', null).then((view) => {
      this.view = view;
    }, failed);
    return stop;
  }

  /** Throws `ApiError`. */
  async set(part: Partial<Pick<UpdatesView, 'check' | 'channel'>>): Promise<void> {
    if (!this.view) return;
    const { check, channel } = this.view;
    this.view = await this.#api.call('updates.set', { check, channel, ...part });
  }

  /** Throws `ApiError`. */
  async checkNow(): Promise<void> {
    await this.#api.call('updates.checkNow', null);
  }

  /** Throws `ApiError`. */
  async restart(): Promise<void> {
    await this.#api.call('updates.restart', null);
  }

  /** Throws `ApiError`. */
  async openPage(): Promise<void> {
    await this.#api.call('updates.openPage', null);
  }
}
