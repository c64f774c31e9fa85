import type { Key } from '../../../strings/say.ts';
import type { FoundSource } from '../model/model.ts';
import type { Ledger, LedgerChange } from './ledger/ledger-model.ts';
import { isUnreadable, isUntoldElsewhere } from './ledger/second-asset.ts';
import { next, stateOf } from './source-state.ts';

type Rows = Pick<Ledger, 'find' | 'skip' | 'learn' | 'stand' | 'change'>;

/**
 * Skips sources as they are; only a later change raises a new question. Those with a job under way keep it.
 * `timestamp`: ms since the epoch; `dismissedPaths`: paths whose failed uploads aren't retried either.
 */
export function leaveSources(
  ledger: Rows,
  ruleId: string,
  sources: readonly FoundSource[],
  timestamp: number,
  dismissedPaths: readonly string[] = [],
): void {
  // `skip` leaves existing rows alone; `learn` ignores sources without a row.
  ledger.skip(ruleId, sources, timestamp);
  ledger.learn(ruleId, sources);
  const dismissed = new Set(dismissedPaths);
  for (const { path } of sources) {
    const entry = ledger.find(ruleId, path);
    if (!entry || entry.state === 'taken') continue;
    const isDismissed = dismissed.has(path) && entry.state !== 'complete';
    if (isUnreadable(entry) || isUntoldElsewhere(entry) || isDismissed) ledger.change(ruleId, path, unwanted);
  }
}

/** A failed source is retried only after it has changed. */
export function dismissSource(ledger: Rows, ruleId: string, path: string): void {
  const nextState = next(stateOf(ledger.find(ruleId, path)), { kind: 'user-decided', choice: 'dismiss' });
  if (nextState.kind === 'skipped')
    ledger.change(ruleId, path, { state: 'skipped', error: null, retries: 0, retryAt: null });
}

const unwanted: LedgerChange = {
  state: 'skipped',
  assetId: null,
  endedAt: null,
  error: null,
  retries: 0,
  retryAt: null,
  restarts: 0,
};

/** Requests assets of sources, also finished ones. They settle again first. `timestamp`: ms since the epoch. */
export function wantAssets(
  ledger: Rows,
  ruleId: string,
  sources: readonly FoundSource[],
  timestamp: number,
): void {
  ledger.stand(ruleId, sources, { why: 'upload', startedAt: timestamp, isGrouped: false });
}

/** The user's choice for a held source. */
export type Choice = 'leave-it' | 'make-asset';

/** Activity log keys of the choices. */
export const choiceWords = {
  'leave-it': 'sources.leftAsIs',
  'make-asset': 'sources.wantedAnew',
} as const satisfies Readonly<Record<Choice, Key>>;
