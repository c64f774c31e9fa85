import type { ProxyQuestion } from '../../preload/contract.ts';
import type { Api } from '../api.ts';
import { say } from '../say.ts';

/** Whether this computer has a network at all. */
export interface Connectivity {
  isUp(): boolean;
  /** Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
}

/** What a window knows of it. */
interface OnlineWindow {
  readonly navigator: { readonly onLine: boolean };
  addEventListener(name: 'online' | 'offline', listener: () => void): void;
  removeEventListener(name: 'online' | 'offline', listener: () => void): void;
}

/** As the system tells Chromium, and Chromium each of its pages at once. Main would have to poll. */
export function connectivityOf(window: OnlineWindow): Connectivity {
  const names = ['online', 'offline'] as const;
  return {
    isUp: () => window.navigator.onLine,
    onChange: (listener) => {
      for (const name of names) window.addEventListener(name, listener);
      return () => {
        for (const name of names) window.removeEventListener(name, listener);
      };
    },
  };
}

/** The way out of this computer's network: whether there is one, its authorities, and a proxy's sign-in. */
export class NetworkState {
  caFile: string | null = $state(null);
  /** Signed-in services (`baseUrl`) whose storage may be spoken to without encryption. */
  plainStorage: readonly string[] = $state.raw([]);
  proxyAsks: ProxyQuestion | null = $state.raw(null);
  online: boolean = $state(true);
  /** That the network went or came back, for those who listen rather than look. */
  announcement = $state('');
  readonly #api: Api;
  readonly #connectivity: Connectivity;

  constructor(api: Api, connectivity: Connectivity) {
    this.#api = api;
    this.#connectivity = connectivity;
    this.online = connectivity.isUp();
  }

  /** Listens, and asks for what is so already. Returns an unsubscribe function. */
  start(failed: (thrown: unknown) => void): () => void {
    const stopListening = this.#connectivity.onChange(() => this.#follow());
    const stopAsks = this.#api.on('network.proxyAsks', (question) => {
      this.proxyAsks = question;
    });
    this.#api.call('network.state', null).then(({ caFile, proxyAsks, plainStorage }) => {
      this.caFile = caFile;
      this.plainStorage = plainStorage;
      this.proxyAsks = proxyAsks;
    }, failed);
    return () => {
      stopListening();
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
    const online = this.#connectivity.isUp();
    if (online === this.online) return;
    this.online = online;
    this.announcement = say(online ? 'offline.back' : 'offline.went');
  }
}
