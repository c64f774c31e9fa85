import { hasTilingEnded } from '../../shared/assets.ts';
import { type ErrorCode, TileliftError, toTileliftError } from '../errors.ts';
import type { Clock } from '../outside.ts';
import { doubledMs } from '../service/backoff.ts';
import type { Asset } from '../service/model.ts';
import { isAuthoritative, mayPass, pauseAfter } from '../service/who-answered.ts';

interface PollOptions {
  /** Reads the asset's record (contract 4.9). */
  readonly read: (signal: AbortSignal) => Promise<Asset>;
  readonly clock: Clock;
  /** Contract part 8: 10 seconds. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** Called with every record read, the last one included, whatever its status. */
  readonly onStatus: (asset: Asset) => void;
  /** Called with an error after which polling continues, in `pauseMs`. */
  readonly onTrouble?: (error: TileliftError, pauseMs: number) => void;
}

/** The interval after so many reads that failed in a row, ms: doubled up to six times its length. */
export const troubledMs = (failures: number, intervalMs: number): number =>
  doubledMs(failures, { firstMs: 2 * intervalMs, maxMs: 6 * intervalMs });

/** The service must say this many times that it does not know the asset: a lagging replica says so once. */
const goneTimes = 3;

/** Refusals of a request that only reads: the asset tiles on regardless, and the next answer may differ. */
const refusals: ReadonlySet<ErrorCode> = new Set(['request-refused', 'request-too-large', 'asset-not-found']);

/**
 * Reads the asset, at once and then every interval, until its status is COMPLETE, DATA_ERROR or ERROR, and
 * gives that record. Statuses that the contract does not name are reported and polled on; so are errors, but
 * for those that only a person can fix: everything is in storage by now, so there is nothing to be gained by
 * giving up. `Retry-After` is obeyed.
 *
 * @throws TileliftError `asset-not-found` where the service has said so three times in a row; others that
 *   neither pass nor are a refusal
 * @throws the signal's reason when it aborts
 */
export async function pollUntilEnded(options: PollOptions): Promise<Asset> {
  const { clock, intervalMs, signal, onTrouble } = options;
  let failures = 0;
  let gone = 0;
  for (;;) {
    signal.throwIfAborted();
    const read = await readOnce(options);
    if (read instanceof TileliftError) {
      failures += 1;
      // What is not heard says nothing, not even that the asset is there.
      if (isAuthoritative(read)) gone = read.code === 'asset-not-found' ? gone + 1 : 0;
      if (gone >= goneTimes || !(mayPass(read) || refusals.has(read.code))) throw read;
      const pause = pauseAfter(read, troubledMs(failures, intervalMs));
      onTrouble?.(read, pause);
      await clock.sleep(pause, signal);
    } else {
      failures = 0;
      gone = 0;
      options.onStatus(read);
      if (hasTilingEnded(read.status)) return read;
      await clock.sleep(intervalMs, signal);
    }
  }
}

async function readOnce({ read, signal }: PollOptions): Promise<Asset | TileliftError> {
  try {
    return await read(signal);
  } catch (thrown) {
    signal.throwIfAborted();
    return toTileliftError(thrown);
  }
}
