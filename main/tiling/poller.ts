import { type TileliftError, toTileliftError } from '../errors.ts';
import type { Clock } from '../outside.ts';
import { type Asset, endedStatuses } from '../service/model.ts';

export interface PollOptions {
  /** Reads the asset's record (contract 4.9). */
  readonly read: (signal: AbortSignal) => Promise<Asset>;
  readonly clock: Clock;
  /** Contract part 8: 10 seconds. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** Called with every record read, the last one included, whatever its status. */
  readonly onStatus: (asset: Asset) => void;
  /** Called with an error after which polling goes on. */
  readonly onTrouble?: (error: TileliftError) => void;
}

/** In trouble the interval doubles up to this many times its length. */
const longestFactor = 6;

/**
 * Reads the asset, at once and then every interval, until its status is COMPLETE, DATA_ERROR or ERROR, and gives that record. Statuses that the
 * contract does not name are reported and polled on, and so are errors that may pass.
 *
 * @throws TileliftError that does not pass by itself
 * @throws the signal's reason when it aborts
 */
export async function pollUntilEnded(options: PollOptions): Promise<Asset> {
  const { clock, intervalMs, signal } = options;
  let failures = 0;
  for (;;) {
    signal.throwIfAborted();
    const asset = await readOnce(options);
    failures = asset ? 0 : failures + 1;
    if (asset) options.onStatus(asset);
    if (asset && endedStatuses.some((status) => status === asset.status)) return asset;
    await clock.sleep(intervalMs * Math.min(longestFactor, 2 ** Math.min(failures, 8)), signal);
  }
}

/** Null when reading failed in a way that may pass. */
async function readOnce({ read, signal, onTrouble }: PollOptions): Promise<Asset | null> {
  try {
    return await read(signal);
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toTileliftError(thrown);
    if (!error.retryable) throw error;
    onTrouble?.(error);
    return null;
  }
}
