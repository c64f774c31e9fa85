import type { BackgroundChoices, Bandwidth, Calls, ErrorRecord } from '../../preload/contract.ts';
import { type Api, errorViewOf } from '../api.ts';

/** What main has set, as a page shows and changes it. */
class Setting<Name extends 'alerts.state' | 'background.state' | 'app.bandwidth'> {
  /** Null until main has answered. */
  view: Calls[Name]['output'] | null = $state.raw(null);
  /** Why it could not be read. */
  error: ErrorRecord | null = $state.raw(null);
  protected readonly api: Api;
  readonly #name: Name;

  constructor(api: Api, name: Name) {
    this.api = api;
    this.#name = name;
  }

  /** Throws `ApiError`. */
  async read(): Promise<void> {
    this.view = await this.api.call(this.#name, null);
    this.error = null;
  }

  /** Likewise, and keeps why it could not be read. */
  async load(): Promise<void> {
    try {
      await this.read();
    } catch (thrown) {
      this.error = errorViewOf(thrown);
    }
  }

  /** Shown at once; put back when it could not be kept. Throws what `keep` throws. */
  protected async show(
    wanted: Calls[Name]['output'],
    keep: () => Promise<Calls[Name]['output']>,
  ): Promise<void> {
    const before = this.view;
    this.view = wanted;
    try {
      this.view = await keep();
    } catch (thrown) {
      this.view = before;
      throw thrown;
    }
  }
}

/** What Tilelift does while nobody looks. */
export class BackgroundState extends Setting<'background.state'> {
  constructor(api: Api) {
    super(api, 'background.state');
  }

  /** Throws `ApiError`. */
  async set(part: Partial<BackgroundChoices>): Promise<void> {
    if (!this.view) return;
    const { canStartAtLogin, withoutWindow, ...kept } = this.view;
    const wanted = { ...kept, ...part };
    await this.show({ ...wanted, canStartAtLogin, withoutWindow }, () =>
      this.api.call('background.set', wanted),
    );
  }
}

/** How fast Tilelift may send. */
export class BandwidthState extends Setting<'app.bandwidth'> {
  constructor(api: Api) {
    super(api, 'app.bandwidth');
  }

  /** Throws `ApiError`. */
  async set(wanted: Bandwidth): Promise<void> {
    await this.show(wanted, async () => {
      await this.api.call('app.setBandwidth', wanted);
      return wanted;
    });
  }
}

/** On which ways alerts go out. */
export class AlertsState extends Setting<'alerts.state'> {
  constructor(api: Api) {
    super(api, 'alerts.state');
  }

  /** The system asks the person about a new place first. All of these throw `ApiError`. */
  async setMail(input: Calls['alerts.setMail']['input']): Promise<void> {
    this.view = await this.api.call('alerts.setMail', input);
  }

  async setWebhook(address: string | null): Promise<void> {
    this.view = await this.api.call('alerts.setWebhook', address);
  }

  /** Puts the webhook's key on the clipboard; a new one when `isNew`. */
  async copyKey(isNew: boolean): Promise<void> {
    this.view = await this.api.call('alerts.copyKey', isNew);
  }

  /** Gives what the other side said. */
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
