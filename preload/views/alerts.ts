import { call } from '../call.ts';
import type { ErrorView } from './error.ts';

/** What a rule wants to be told of. */
export interface AlertWishesView {
  /** A source has failed, and nothing more is tried by itself. */
  readonly failed: boolean;
  /** A source has not ended for longer than this, hours. */
  readonly waitingHours: number | null;
  /** Nothing has come for this long, days. */
  readonly silentDays: number | null;
  /** Nobody is signed in with the rule's account. */
  readonly signedOut: boolean;
}

export interface MailView {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls';
  /** Empty for none. */
  readonly user: string;
  readonly from: string;
  readonly to: readonly string[];
}

/** On which ways alerts go out. No password and no key is among it. */
export interface AlertsView {
  readonly mail: (MailView & { readonly hasPassword: boolean }) | null;
  readonly webhook: { readonly address: string; readonly hasKey: boolean } | null;
  readonly heartbeat: { readonly file: string; readonly minutes: number } | null;
  /** Messages that could not be sent yet. */
  readonly waiting: number;
  /** How it last went, by way. */
  readonly last: {
    readonly mail: AlertOutcomeView | null;
    readonly webhook: AlertOutcomeView | null;
    readonly heartbeat: AlertOutcomeView | null;
  };
}

/** `error`: null where it went well. */
export interface AlertOutcomeView {
  readonly at: number;
  readonly error: ErrorView | null;
}

/** The calls about alerts: what each takes, and what it gives. */
export const alertCalls = {
  'alerts.state': call<null, AlertsView>(),
  /** Null for no mail. `password`: null for the one that is kept. These ask the person about a new place by a dialog of the system's. */
  'alerts.setMail': call<{ readonly mail: MailView; readonly password: string | null } | null, AlertsView>(),
  /** Its address; null for none. */
  'alerts.setWebhook': call<string | null, AlertsView>(),
  /** Puts the webhook's key on the clipboard, a new one when true. */
  'alerts.copyKey': call<boolean, AlertsView>(),
  /** Gives what the other side said to a message that only shows that messages arrive. */
  'alerts.test': call<'mail' | 'webhook', string>(),
  /** The system's dialog. */
  'alerts.pickHeartbeat': call<null, AlertsView>(),
  /** How often, minutes; null for none. */
  'alerts.setHeartbeat': call<number | null, AlertsView>(),
};
