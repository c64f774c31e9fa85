import { hasTilingEnded } from '../../shared/assets.ts';
import { type ErrorCode, TileliftError, toTileliftError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { doubledMs } from '../service/backoff.ts';
import type { Asset } from '../service/model.ts';
import { isAuthoritative, isTransient, pauseAfter } from '../service/who-answered.ts';

interface PollOptions {
  /** Contract 4.9. */
  readonly read: (signal: AbortSignal) => Promise<Asset>;
  readonly clock: Clock;
  /** Contract part 8: 10 seconds. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  readonly onStatus: (asset: Asset) => void;
  /** Polling continues in `pauseMs`. */
  readonly onTrouble?: (error: TileliftError, pauseMs: number) => void;
}

/** Doubles up to six times the interval. */
export const troubledMs = (failures: number, intervalMs: number): number =>
  doubledMs(failures, { firstMs: 2 * intervalMs, maxMs: 6 * intervalMs });

/** A lagging replica may report it once. */
const goneTimes = 3;

/** Tiling continues, and the next answer may differ. */
const refusals: ReadonlySet<ErrorCode> = new Set(['request-refused', 'request-too-large', 'asset-not-found']);

/**
 * Polls the asset until it is COMPLETE, DATA_ERROR or ERROR and returns that record. Continues on unknown
 * statuses and errors that the user can't fix, since everything is in storage.
 *
 * @throws TileliftError `asset-not-found` after three such responses in a row; permanent errors other than
 * refusals
 * @throws the signal's reason when it aborts
 */
export async function pollUntilEnded(options: PollOptions): Promise<Asset> {
  const { clock, intervalMs, signal, onTrouble } = options;
  let failures = 0;
  let missingPolls = 0;
  for (;;) {
    signal.throwIfAborted();
    const read = await readOnce(options);
    if (read instanceof TileliftError) {
      failures += 1;
      // Only the service's own responses prove anything.
      if (isAuthoritative(read)) missingPolls = read.code === 'asset-not-found' ? missingPolls + 1 : 0;
      if (missingPolls >= goneTimes || !(isTransient(read) || refusals.has(read.code))) throw read;
      const pause = pauseAfter(read, troubledMs(failures, intervalMs));
      onTrouble?.(read, pause);
      await clock.sleep(pause, signal);
    } else {
      failures = 0;
      missingPolls = 0;
      options.onStatus(read);
      if (hasTilingEnded(read.status)) return read;
      await clock.sleep(intervalMs, signal);
    }
  }
}

async function readOnce({ read, signal }: PollOptions): Promise<Asset | TileliftError> {
  try {
    return await read(signal);
  } catch (error) {
    signal.throwIfAborted();
    return toTileliftError(error);
  }
}
