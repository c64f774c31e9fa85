import type { ProxyQuestion } from '../../preload/contract.ts';
import type { Api } from '../api.ts';
import { say } from '../say.ts';

export interface Connectivity {
  isUp(): boolean;
  onChange(listener: () => void): () => void;
}

interface OnlineWindow {
  readonly navigator: { readonly onLine: boolean };
  addEventListener(name: 'online' | 'offline', listener: () => void): void;
  removeEventListener(name: 'online' | 'offline', listener: () => void): void;
}

/** Uses Chromium's events, which the system triggers; main would have to poll. */
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

/** Network state: connectivity, certificate authorities, proxy sign-in. Methods throw `ApiError`. */
export class NetworkState {
  caFile: string | null = $state(null);
  /** Base URLs of signed-in services whose storage may be used without encryption. */
  plainStorage: readonly string[] = $state.raw([]);
  proxyAsks: ProxyQuestion | null = $state.raw(null);
  isOnline: boolean = $state(true);
  announcement = $state('');
  readonly #api: Api;
  readonly #connectivity: Connectivity;

  constructor(api: Api, connectivity: Connectivity) {
    this.#api = api;
    this.#connectivity = connectivity;
    this.isOnline = connectivity.isUp();
  }

  /** Subscribes and loads the current state. Returns an unsubscribe function. */
  start(onFailure: (error: unknown) => void): () => void {
    const stopListening = this.#connectivity.onChange(() => this.#follow());
    const stopAsks = this.#api.on('network.proxyAsks', (question) => {
      this.proxyAsks = question;
    });
    this.#api.call('network.state', null).then(({ caFile, proxyAsks, plainStorage }) => {
      this.caFile = caFile;
      this.plainStorage = plainStorage;
      this.proxyAsks = proxyAsks;
    }, onFailure);
    return () => {
      stopListening();
      stopAsks();
    };
  }

  async answer(login: { readonly username: string; readonly password: string } | null): Promise<void> {
    await this.#api.call('network.answerProxy', login);
  }

  async pickCaFile(): Promise<void> {
    this.caFile = await this.#api.call('network.pickCaFile', null);
  }

  async forgetCaFile(): Promise<void> {
    await this.#api.call('network.forgetCaFile', null);
    this.caFile = null;
  }

  /** The system asks the person first. */
  async allowPlainStorage(accountId: string, isAllowed: boolean): Promise<void> {
    this.plainStorage = await this.#api.call('network.allowPlainStorage', { accountId, allowed: isAllowed });
  }

  #follow(): void {
    const isOnline = this.#connectivity.isUp();
    if (isOnline === this.isOnline) return;
    this.isOnline = isOnline;
    this.announcement = say(isOnline ? 'offline.back' : 'offline.went');
  }
}
