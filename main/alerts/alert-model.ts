import type { AlertWishes } from '../../shared/schemas/watch-rule.ts';
import type { ErrorRecord } from '../errors.ts';

/** The model of alerts. Times are ms since the epoch. */

/** An event that is reported once. */
export interface AlertEvent {
  /** Stable across restarts. */
  readonly id: string;
  readonly at: number;
  readonly what: AlertWhat;
}

export type AlertWhat = { readonly ruleId: string; readonly ruleName: string } & (
  | { readonly kind: 'failed'; readonly source: string; readonly error: ErrorRecord | null }
  | { readonly kind: 'waiting'; readonly source: string; readonly hours: number }
  | { readonly kind: 'silent'; readonly days: number }
  | { readonly kind: 'signed-out' }
);

/** Several events in one message. */
export interface AlertMessage {
  /** Identifies the message across repeated deliveries. */
  readonly id: string;
  readonly at: number;
  /** The first events. */
  readonly told: readonly AlertEvent[];
  readonly more: number;
}

export const alertWays = ['desktop', 'mail', 'webhook'] as const;
export type AlertWay = (typeof alertWays)[number];

/** One message on one channel. */
export interface Delivery {
  readonly message: AlertMessage;
  readonly way: AlertWay;
  readonly tries: number;
  readonly nextAt: number;
}

interface RuleFactsWait {
  readonly path: string;
  readonly arrivedAt: number;
  /** It has no job and no question to the user yet: the folder isn't silent. */
  readonly isArriving: boolean;
}

/** A rule's state for alerts. */
export interface RuleFacts {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly alerts: AlertWishes;
  /** False if the user paused the rule. */
  readonly isOn: boolean;
  /** The folder is missing. */
  readonly isAway: boolean;
  /** Null while unknown. */
  readonly waitingSources: readonly RuleFactsWait[] | null;
  readonly waitingIsWhole: boolean;
  readonly lastTakenAt: number | null;
  readonly isSignedIn: boolean;
}
