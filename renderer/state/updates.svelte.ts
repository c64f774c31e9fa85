import type { UpdatesView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** Settings and progress of updates. Methods throw `ApiError`. */
export class UpdatesState {
  view: UpdatesView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  start(onFailure: (error: unknown) => void): () => void {
    const stop = this.#api.on('updates.changed', (view) => {
      this.view = view;
    });
    this.#api.call('updates.state', null).then((view) => {
      this.view = view;
    }, onFailure);
    return stop;
  }

  async set(part: Partial<Pick<UpdatesView, 'check' | 'channel'>>): Promise<void> {
    if (!this.view) return;
    const { check, channel } = this.view;
    this.view = await this.#api.call('updates.set', { check, channel, ...part });
  }

  async checkNow(): Promise<void> {
    await this.#api.call('updates.checkNow', null);
  }

  async restart(): Promise<void> {
    await this.#api.call('updates.restart', null);
  }

  async openPage(): Promise<void> {
    await this.#api.call('updates.openPage', null);
  }
}
