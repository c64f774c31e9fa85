import type { AppInfo, ErrorRecord } from '../../preload/contract.ts';
import type { Api } from '../api.ts';

export type Appearance = AppInfo['appearance'];

/** What this start of Tilelift is, and how it looks. */
export class AppInfoState {
  info: AppInfo | null = $state.raw(null);
  appearance: Appearance = $state('system');
  language: AppInfo['language'] = $state('system');
  compactRows = $state(false);
  /** What went wrong at the start, until it is dismissed. */
  notices: readonly ErrorRecord[] = $state.raw([]);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Throws `ApiError`. */
  async load(): Promise<void> {
    const info = await this.#api.call('app.info', null);
    this.info = info;
    this.appearance = info.appearance;
    this.language = info.language;
    this.compactRows = info.compactRows;
    this.notices = await this.#api.call('app.notices', null);
  }

  /** Says that the first screen is on the window: what main has to do besides may have waited for it. */
  async drawn(): Promise<void> {
    // Where that can't be said, main waits no longer than it would for a slow page.
    await this.#api.call('app.drawn', null).catch(() => {});
  }

  dismiss(notice: ErrorRecord): void {
    this.notices = this.notices.filter((one) => one !== notice);
  }

  /** The page is drawn again in it. Throws `ApiError`. */
  async setLanguage(language: AppInfo['language']): Promise<void> {
    await this.#api.call('app.setLanguage', language);
  }

  /** Shown at once, kept where it can be. Throws `ApiError`. */
  async setCompactRows(compactRows: boolean): Promise<void> {
    this.compactRows = compactRows;
    await this.#api.call('app.setCompactRows', compactRows);
  }

  /** Shown at once; put back when it could not be kept. Throws `ApiError`. */
  async setAppearance(appearance: Appearance): Promise<void> {
    const before = this.appearance;
    this.appearance = appearance;
    try {
      await this.#api.call('app.setAppearance', appearance);
    } catch (thrown) {
      this.appearance = before;
      throw thrown;
    }
  }
}
