import type { Key } from '../../../strings/say.ts';
import type { FoundSource } from '../model/model.ts';
import type { Ledger, LedgerChange } from './ledger/ledger-model.ts';
import { isUnreadable, isUntoldElsewhere } from './ledger/second-asset.ts';
import { next, stateOf } from './source-state.ts';

type Rows = Pick<Ledger, 'find' | 'skip' | 'learn' | 'stand' | 'change'>;

/**
 * Skips sources as they are; only a later change raises a new question. Those with a job under way keep it.
 * `at`: ms since the epoch; `given`: paths whose failed uploads aren't retried either.
 */
export function leaveSources(
  ledger: Rows,
  ruleId: string,
  sources: readonly FoundSource[],
  at: number,
  given: readonly string[] = [],
): void {
  // `skip` leaves existing rows alone; `learn` ignores sources without a row.
  ledger.skip(ruleId, sources, at);
  ledger.learn(ruleId, sources);
  const givenUp = new Set(given);
  for (const { path } of sources) {
    const known = ledger.find(ruleId, path);
    if (!known || known.state === 'taken') continue;
    const isGivenUp = givenUp.has(path) && known.state !== 'complete';
    if (isUnreadable(known) || isUntoldElsewhere(known) || isGivenUp) ledger.change(ruleId, path, unwanted);
  }
}

/** A failed source is retried only after it has changed. */
export function dismissSource(ledger: Rows, ruleId: string, path: string): void {
  const after = next(stateOf(ledger.find(ruleId, path)), { kind: 'user-decided', choice: 'dismiss' });
  if (after.kind === 'skipped')
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

/**
 * Requests assets, whatever was made of the sources before. They settle again first. `at`: ms since the
 * epoch.
 */
export function wantAssets(ledger: Rows, ruleId: string, sources: readonly FoundSource[], at: number): void {
  ledger.stand(ruleId, sources, { why: 'upload', since: at, together: false });
}

/** The user's choice for a held source. */
export type Choice = 'leave-it' | 'make-asset';

/** Activity log keys of the choices. */
export const choiceWords = {
  'leave-it': 'sources.leftAsIs',
  'make-asset': 'sources.wantedAnew',
} as const satisfies Readonly<Record<Choice, Key>>;
