import type { AppInfo, ErrorRecord } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

export type Appearance = AppInfo['appearance'];

export class AppInfoState {
  info: AppInfo | null = $state.raw(null);
  appearance: Appearance = $state('system');
  language: AppInfo['language'] = $state('system');
  compactRows = $state(false);
  notices: readonly ErrorRecord[] = $state.raw([]);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async load(): Promise<void> {
    const info = await this.#api.call('app.info', null);
    this.info = info;
    this.appearance = info.appearance;
    this.language = info.language;
    this.compactRows = info.compactRows;
    this.notices = await this.#api.call('app.notices', null);
  }

  /** Reports the first drawn screen: main may have postponed work until then. */
  async drawn(): Promise<void> {
    // Main continues after a timeout anyway.
    await this.#api.call('app.drawn', null).catch(() => {});
  }

  dismiss(notice: ErrorRecord): void {
    this.notices = this.notices.filter((item) => item !== notice);
  }

  /** Reloads the page. Throws `ApiError`. */
  async setLanguage(language: AppInfo['language']): Promise<void> {
    await this.#api.call('app.setLanguage', language);
  }

  /** Shown at once and persisted if possible. Throws `ApiError`. */
  async setCompactRows(compactRows: boolean): Promise<void> {
    this.compactRows = compactRows;
    await this.#api.call('app.setCompactRows', compactRows);
  }

  /** Shown at once; reverted if it can't be persisted. Throws `ApiError`. */
  async setAppearance(appearance: Appearance): Promise<void> {
    const previous = this.appearance;
    this.appearance = appearance;
    try {
      await this.#api.call('app.setAppearance', appearance);
    } catch (error) {
      this.appearance = previous;
      throw error;
    }
  }
}
