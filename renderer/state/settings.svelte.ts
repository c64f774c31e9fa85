import type { BackgroundChoices, Bandwidth, Calls, ErrorRecord } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

class Setting<Name extends 'alerts.state' | 'background.state' | 'app.bandwidth'> {
  view: Calls[Name]['output'] | null = $state.raw(null);
  error: ErrorRecord | null = $state.raw(null);
  protected readonly api: Api;
  readonly #name: Name;

  constructor(api: Api, name: Name) {
    this.api = api;
    this.#name = name;
  }

  async read(): Promise<void> {
    this.view = await this.api.call(this.#name, null);
    this.error = null;
  }

  /** Like `read`, but stores the error. */
  async load(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.error = errorViewOf(error);
    }
  }

  /** Shows a change at once; reverts it if `storeChange` throws. */
  protected async show(
    requested: Calls[Name]['output'],
    storeChange: () => Promise<Calls[Name]['output']>,
  ): Promise<void> {
    const previous = this.view;
    this.view = requested;
    try {
      this.view = await storeChange();
    } catch (error) {
      this.view = previous;
      throw error;
    }
  }
}

export class BackgroundState extends Setting<'background.state'> {
  constructor(api: Api) {
    super(api, 'background.state');
  }

  /** Throws `ApiError`. */
  async set(part: Partial<BackgroundChoices>): Promise<void> {
    if (!this.view) return;
    const { canStartAtLogin, withoutWindow, ...choices } = this.view;
    const requested = { ...choices, ...part };
    await this.show({ ...requested, canStartAtLogin, withoutWindow }, () =>
      this.api.call('background.set', requested),
    );
  }
}

export class BandwidthState extends Setting<'app.bandwidth'> {
  constructor(api: Api) {
    super(api, 'app.bandwidth');
  }

  /** Throws `ApiError`. */
  async set(bandwidth: Bandwidth): Promise<void> {
    await this.show(bandwidth, async () => {
      await this.api.call('app.setBandwidth', bandwidth);
      return bandwidth;
    });
  }
}

/** Channels of alerts. Methods throw `ApiError`. */
export class AlertsState extends Setting<'alerts.state'> {
  constructor(api: Api) {
    super(api, 'alerts.state');
  }

  /** The system asks the person before the first mail to a new server. */
  async setMail(input: Calls['alerts.setMail']['input']): Promise<void> {
    this.view = await this.api.call('alerts.setMail', input);
  }

  async setWebhook(address: string | null): Promise<void> {
    this.view = await this.api.call('alerts.setWebhook', address);
  }

  /** Copies the webhook's key; `isNew` replaces it first. */
  async copyKey(isNew: boolean): Promise<void> {
    this.view = await this.api.call('alerts.copyKey', isNew);
  }

  async test(way: 'mail' | 'webhook'): Promise<string> {
    try {
      return await this.api.call('alerts.test', way);
    } finally {
      await this.load();
    }
  }

  async pickHeartbeat(): Promise<void> {
    this.view = await this.api.call('alerts.pickHeartbeat', null);
  }

  async setHeartbeat(minutes: number | null): Promise<void> {
    this.view = await this.api.call('alerts.setHeartbeat', minutes);
  }
}
