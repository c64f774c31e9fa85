import type { AlertWishes } from '../../shared/schemas/watch-rule.ts';
import type { ErrorRecord } from '../errors.ts';

/** What alerts are made of. Times are ms since the epoch. */

/** Something worth telling, told once. */
export interface AlertEvent {
  /** The same for the same thing, also after a restart. */
  readonly id: string;
  readonly at: number;
  readonly what: AlertWhat;
}

export type AlertWhat = {
  readonly ruleId: string;
  readonly ruleName: string;
} & (
  | { readonly kind: 'failed'; readonly source: string; readonly error: ErrorRecord | null }
  | { readonly kind: 'waiting'; readonly source: string; readonly hours: number }
  | { readonly kind: 'silent'; readonly days: number }
  | { readonly kind: 'signed-out' }
);

/** Several things that are told together. */
export interface AlertMessage {
  /** By which whoever gets it twice can tell. */
  readonly id: string;
  readonly at: number;
  /** The first ones. */
  readonly told: readonly AlertEvent[];
  /** How many others there are. */
  readonly more: number;
}

export const alertWays = ['desktop', 'mail', 'webhook'] as const;
export type AlertWay = (typeof alertWays)[number];

/** One message on one way. */
export interface Delivery {
  readonly message: AlertMessage;
  readonly way: AlertWay;
  /** So far. */
  readonly tries: number;
  readonly nextAt: number;
}

interface RuleFactsWait {
  readonly path: string;
  readonly since: number;
  /**
   * No job has been created from it, and nobody is asked about it: while there is one, something is expected.
   */
  readonly isArriving: boolean;
}

/** What a rule is like now, as far as alerts go. */
export interface RuleFacts {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly wishes: AlertWishes;
  /** False: paused by a person. */
  readonly isOn: boolean;
  /** The folder is not there. */
  readonly isAway: boolean;
  /** Sources that have arrived and not ended, and since when; null while that can't be told. */
  readonly waiting: readonly RuleFactsWait[] | null;
  /** False where there are more than those. */
  readonly waitingIsWhole: boolean;
  readonly lastTakenAt: number | null;
  readonly isSignedIn: boolean;
}
