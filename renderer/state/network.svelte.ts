import type { ProxyAskView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

/** The way out of this computer's network: whom it trusts, and a proxy that asks who is there. */
export class NetworkState {
  caFile: string | null = $state(null);
  proxyAsks: ProxyAskView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Listens, and asks for what is so already. Returns the way to stop. */
  start(failed: (thrown: unknown) => void): () => void {
    const stop = this.#api.on('network.proxyAsks', (question) => {
      this.proxyAsks = question;
    });
    this.#api.call('network.state', null).then(({ caFile, proxyAsks }) => {
      this.caFile = caFile;
      this.proxyAsks = proxyAsks;
    }, failed);
    return stop;
  }

  /** Null: the person won't. Throws `ApiError`. */
  async answer(login: { readonly username: string; readonly password: string } | null): Promise<void> {
    await this.#api.call('network.answerProxy', login);
  }

  /** Throws `ApiError` where the chosen file can't be used. */
  async pickCaFile(): Promise<void> {
    this.caFile = await this.#api.call('network.pickCaFile', null);
  }

  /** Throws `ApiError`. */
  async forgetCaFile(): Promise<void> {
    await this.#api.call('network.forgetCaFile', null);
    this.caFile = null;
  }
}
