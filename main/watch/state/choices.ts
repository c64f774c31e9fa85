import type { Key } from '../../../strings/say.ts';
import type { Ledger, LedgerChange } from '../ledger/ledger-model.ts';
import { isUnreadable, isUntoldElsewhere } from '../ledger/second-asset.ts';
import type { FoundSource } from '../model.ts';
import { next, stateOf } from './source-state.ts';

type Rows = Pick<Ledger, 'find' | 'skip' | 'learn' | 'stand' | 'change'>;

/**
 * A person wants no assets of these sources as they are: the ledger learns what they are like now, and only
 * what changes after this is asked about again. One whose job is under way is left to it. `at`: ms since the
 * epoch; `given`: paths of which nothing is tried again either.
 */
export function leaveSources(
  ledger: Rows,
  ruleId: string,
  sources: readonly FoundSource[],
  at: number,
  given: readonly string[] = [],
): void {
  // Rows that exist stay as they are in the first, and what has none is passed over in the second.
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

/** A failed source no longer counts, and is tried again only once it has changed. */
export function dismissSource(ledger: Rows, ruleId: string, path: string): void {
  const after = next(stateOf(ledger.find(ruleId, path)), { kind: 'user-decided', choice: 'dismiss' });
  if (after.kind === 'skipped')
    ledger.change(ruleId, path, { state: 'skipped', error: null, retries: 0, retryAt: null });
}

/** What a row that can't be read becomes once a person has said that nothing is to be made of its source. */
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
 * A person wants an asset of each of these as they are now, whatever was made of them before: they settle
 * once more and are taken. `at`: ms since the epoch.
 */
export function wantAssets(ledger: Rows, ruleId: string, sources: readonly FoundSource[], at: number): void {
  ledger.stand(ruleId, sources, { why: 'upload', since: at, together: false });
}

/** What a person can want of a held source. */
export type Choice = 'leave-it' | 'make-asset';

/** What the rule's activity log says of it. */
export const choiceWords = {
  'leave-it': 'sources.leftAsIs',
  'make-asset': 'sources.wantedAnew',
} as const satisfies Readonly<Record<Choice, Key>>;
