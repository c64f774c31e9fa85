import type { AlertWishes } from '../../../preload/contract.ts';

/** Keeps the numbers while an alert is off. */
export interface AlertsDraft {
  readonly failed: boolean;
  readonly waiting: boolean;
  readonly hours: string;
  readonly silent: boolean;
  readonly days: string;
  readonly signedOut: boolean;
}

export const blankAlerts: AlertsDraft = {
  ...{ failed: false, waiting: false, hours: '4' },
  ...{ silent: false, days: '2', signedOut: false },
};

export function alertsDraftOf({
  failed: onFailure,
  waitingHours,
  silentDays,
  signedOut: onSignOut,
}: AlertWishes): AlertsDraft {
  return {
    ...{ failed: onFailure, signedOut: onSignOut },
    waiting: waitingHours !== null,
    hours: waitingHours === null ? blankAlerts.hours : String(waitingHours),
    silent: silentDays !== null,
    days: silentDays === null ? blankAlerts.days : String(silentDays),
  };
}

export function alertWishesOf(draft: AlertsDraft): AlertWishes {
  return {
    failed: draft.failed,
    waitingHours: draft.waiting ? Number(draft.hours) : null,
    silentDays: draft.silent ? Number(draft.days) : null,
    signedOut: draft.signedOut,
  };
}

/** A year, and ten years. */
export const maxHours = 8_760;
export const maxDays = 3_650;

/** A whole number from 1 to `limit`. */
export function isCount(text: string, limit: number): boolean {
  return /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= limit;
}
