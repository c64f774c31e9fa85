import type { Clock } from '../../ports.ts';
import type { AccountTokens } from './account-tokens.ts';

/** Check at least this often, ms: the clock may jump. */
const maxDelayMs = 60 * 60_000;
/** After a failed renewal, ms. */
const minDelayMs = 60_000;

interface Freshness {
  start(): void;
  checkNow(): void;
}

/** Renews unused sign-ins before their refresh tokens expire. `onChange`: other sign-ins end soon. */
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
  let notifiedEnds = '[]';

  async function check(): Promise<number> {
    const untilDueMs = await tokens.keepFresh();
    const endTimes = tokens.accounts().map(({ id, endsSoonAt }) => [id, endsSoonAt]);
    const endTimesText = JSON.stringify(endTimes.filter(([, endsAt]) => endsAt !== null));
    if (endTimesText !== notifiedEnds && !signal.aborted) {
      notifiedEnds = endTimesText;
      onChange();
    }
    return untilDueMs;
  }

  async function checkRepeatedly(): Promise<void> {
    while (!signal.aborted) {
      const untilDueMs = await check();
      await clock.sleep(Math.min(maxDelayMs, Math.max(minDelayMs, untilDueMs)), signal);
    }
  }

  return {
    start: () => void checkRepeatedly().catch(() => {}), // Sleeping rejects when the signal aborts.
    checkNow: () => void check(),
  };
}
