import type { ProxyAskView } from '../../preload/contract.ts';
import { say } from '../../strings/say.ts';
import type { Api } from '../api.ts';
import type { Line } from './line.ts';

/** The way out of this computer's network: whether there is one, whom it trusts, and a proxy that asks who is there. */
export class NetworkState {
  caFile: string | null = $state(null);
  /** Signed-in services (`baseUrl`) whose storage may be spoken to without encryption. */
  plainStorage: readonly string[] = $state.raw([]);
  proxyAsks: ProxyAskView | null = $state.raw(null);
  online: boolean = $state(true);
  /** That the network went or came back, for those who listen rather than look. */
  announcement = $state('');
  readonly #api: Api;
  readonly #line: Line;

  constructor(api: Api, line: Line) {
    this.#api = api;
    this.#line = line;
    this.online = line.isUp();
  }

  /** Listens, and asks for what is so already. Returns an unsubscribe function. */
  start(failed: (thrown: unknown) => void): () => void {
    const stopLine = this.#line.onChange(() => this.#follow());
    const stopAsks = this.#api.on('network.proxyAsks', (question) => {
      this.proxyAsks = question;
    });
    this.#api.call('network.state', null).then(({ caFile, proxyAsks, plainStorage }) => {
      this.caFile = caFile;
      this.plainStorage = plainStorage;
      this.proxyAsks = proxyAsks;
    }, failed);
    return () => {
      stopLine();
      stopAsks();
    };
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

  /** The system asks the person first. Throws `ApiError`. */
  async allowPlainStorage(accountId: string, allowed: boolean): Promise<void> {
    this.plainStorage = await this.#api.call('network.allowPlainStorage', { accountId, allowed });
  }

  #follow(): void {
    const online = this.#line.isUp();
    if (online === this.online) return;
    this.online = online;
    this.announcement = say(online ? 'offline.back' : 'offline.went');
  }
}
