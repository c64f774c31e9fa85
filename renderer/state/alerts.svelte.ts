import type { AlertsView, Calls, ErrorView } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

/** On which ways alerts go out, as it is set. */
export class AlertsState {
  /** Null until main has answered. */
  view: AlertsView | null = $state.raw(null);
  error: ErrorView | null = $state.raw(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async load(): Promise<void> {
    try {
      this.view = await this.#api.call('alerts.state', null);
      this.error = null;
    } catch (thrown) {
      this.error = errorViewOf(thrown);
    }
  }

  /** The system asks the person about a new place first. All of these throw `ApiError`. */
  async setMail(input: Calls['alerts.setMail']['input']): Promise<void> {
    this.view = await this.#api.call('alerts.setMail', input);
  }

  async setWebhook(address: string | null): Promise<void> {
    this.view = await this.#api.call('alerts.setWebhook', address);
  }

  /** Puts the webhook's key on the clipboard; a new one when `isNew`. */
  async copyKey(isNew: boolean): Promise<void> {
    this.view = await this.#api.call('alerts.copyKey', isNew);
  }

  /** Gives what the other side said. */
  async test(way: 'mail' | 'webhook'): Promise<string> {
    try {
      return await this.#api.call('alerts.test', way);
    } finally {
      await this.load();
    }
  }

  async pickHeartbeat(): Promise<void> {
    this.view = await this.#api.call('alerts.pickHeartbeat', null);
  }

  async setHeartbeat(minutes: number | null): Promise<void> {
    this.view = await this.#api.call('alerts.setHeartbeat', minutes);
  }
}
