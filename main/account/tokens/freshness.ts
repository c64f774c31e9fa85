import type { Clock } from '../../outside.ts';
import type { AccountTokens } from './account-tokens.ts';

/** Checks at least this often: for a clock that jumped, and for the warning that a sign-in ends soon. */
const maxMs = 60 * 60_000;
/** A service that can't renew just now is not asked in a loop. */
const leastMs = 60_000;

interface Freshness {
  /** Looks now, and from now on again and again until the signal aborts. */
  start(): void;
  /** Looks now. */
  look(): void;
}

/**
 * Keeps sign-ins alive that nobody uses: without it one dies with its refresh token. `onChange`: which of
 * them end soon has changed.
 */
export function createFreshness({
  tokens,
  clock,
  signal,
  onChange,
}: {
  readonly tokens: Pick<AccountTokens, 'keepFresh' | 'accounts'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onChange: () => void;
}): Freshness {
  let told = '[]';

  async function look(): Promise<number> {
    const untilDueMs = await tokens.keepFresh();
    const ending = tokens.accounts().map(({ id, endsSoonAt }) => [id, endsSoonAt]);
    const now = JSON.stringify(ending.filter(([, at]) => at !== null));
    if (now !== told && !signal.aborted) {
      told = now;
      onChange();
    }
    return untilDueMs;
  }

  async function goOn(): Promise<void> {
    while (!signal.aborted) {
      const untilDueMs = await look();
      await clock.sleep(Math.min(maxMs, Math.max(leastMs, untilDueMs)), signal);
    }
  }

  return {
    start: () => void goOn().catch(() => {}), // It ends with the signal, which is what sleeping rejects with.
    look: () => void look(),
  };
}
