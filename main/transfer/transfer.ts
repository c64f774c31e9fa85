import { setMaxListeners } from 'node:events';
import type { TileliftError } from '../errors.ts';
import type { Clock } from '../outside.ts';
import type { Storage } from '../storage/storage.ts';
import type { Random } from './backoff.ts';
import { mostInFlight } from './concurrency.ts';
import { CredentialLife } from './credential-life.ts';
import { sumSizes } from './file-transfer.ts';
import { NetworkWatch } from './network-watch.ts';
import { PartPool } from './part-pool.ts';
import type { TransferFile, TransferRecord } from './transfer-model.ts';
import { ProgressCount, type TransferProgress } from './transfer-progress.ts';
import { TransferWork } from './transfer-work.ts';

export interface TransferOptions {
  readonly storage: Storage;
  readonly record: TransferRecord;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Known end of the credentials' life, ms since the epoch. */
  readonly credentialsEndAt: number;
  /** Parts in flight at most. Default 32; below that the engine finds its own number. */
  readonly parallel?: number;
  /** So often storage may call the bytes of one request corrupt. Default 10. */
  readonly maxTries?: number;
  /** Of the given files alone. */
  readonly onProgress?: (progress: TransferProgress) => void;
  /** Trouble that the transfer goes on trying through. */
  readonly onTrouble?: (error: TileliftError) => void;
}

const defaultMaxTries = 10;
/**
 * Sends what storage lacks of all files through one pool, large files first. Memory: the parts in flight.
 *
 * @throws TileliftError that ends the transfer; nothing is in flight any more by then
 * @throws the signal's reason when it aborts
 */
export async function transfer(files: readonly TransferFile[], options: TransferOptions): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  // One listener for each request in flight and each wait.
  setMaxListeners(0, signal);
  const progress = new ProgressCount(options.onProgress ?? (() => {}));
  const pool = new PartPool(options.parallel ?? mostInFlight, (concurrency) => progress.set({ concurrency }));
  const work = new TransferWork(files, {
    ...options,
    signal,
    progress,
    life: new CredentialLife(options.clock, options.credentialsEndAt),
    maxTries: options.maxTries ?? defaultMaxTries,
    storageName: options.storage.name,
    network: new NetworkWatch((reachable) => progress.set({ waitingForNetwork: !reachable })),
    onFailed: () => pool.failed(),
    onArrived: (bytes, ms) => pool.arrived(bytes, ms),
  });
  for (const file of files) progress.acknowledge(sumSizes(file.parts), file.parts.length);
  try {
    await pool.drain(
      () => work.next(),
      signal,
      (thrown) => ending.abort(thrown),
    );
  } finally {
    progress.close();
  }
  signal.throwIfAborted();
}
