import { setImmediate } from 'node:timers/promises';
import type { FoundSource } from '../model.ts';
import type { Ledger } from './ledger-model.ts';

/** Rows that one transaction takes: a few milliseconds' worth. */
const slice = 500;

/**
 * None of these sources is wanted. In slices: 100,000 rows in one transaction would hold up everything. The rule is to be kept afterwards only, so that half of them do no
 * harm. `at`: ms since the epoch.
 */
export async function skipAll(
  ledger: Pick<Ledger, 'skip'>,
  ruleId: string,
  sources: readonly FoundSource[],
  at: number,
): Promise<void> {
  for (let from = 0; from < sources.length; from += slice) {
    ledger.skip(ruleId, sources.slice(from, from + slice), at);
    await setImmediate();
  }
}
