import type { TileliftError } from '../errors.ts';
import type { Clock } from '../outside.ts';
import { backoffMs, type Random } from './backoff.ts';
import type { NetworkWatch } from './network-watch.ts';
import { classifyFault, type FaultKind, StorageError, toTransferError } from './storage-error.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Known end of the credentials' life, ms since the epoch. */
  readonly credentialsEndAt: number;
  /** Tries of one request before its upload fails. */
  readonly maxTries: number;
  /** For error messages. */
  readonly storageName: string;
  /** Called when a request is tried on through trouble that is worth showing: no network, or more than a hiccup. */
  readonly onTrouble?: (error: TileliftError) => void;
  /** What all requests of a transfer together know about the network. */
  readonly network: NetworkWatch;
  /** A request did not work and is sent again. */
  readonly onFailed: () => void;
}

/** While there is no way to the network at all. */
const offlinePauseMs = 5_000;
/** Failures of one request before a person is told. */
const hiccups = 2;

/** What no further try changes. */
const final: ReadonlySet<FaultKind> = new Set(['expired', 'denied', 'refused', 'untrusted', 'proxy-asks']);

/** A fault that its caller knows what to do about: the upload is gone, or storage knows other parts. */
export class UploadLost extends Error {
  override readonly name = 'UploadLost';
  readonly kind: FaultKind;
  readonly error: TileliftError;

  constructor(kind: FaultKind, error: TileliftError) {
    super(error.message, { cause: error });
    this.kind = kind;
    this.error = error;
  }
}

/**
 * Repeats a request as long as that makes sense (design, "Retry"): full-jitter backoff, `Retry-After` obeyed, waiting while offline
 * without counting, at once after the clock was corrected.
 *
 * @throws UploadLost on `gone` and `invalid-parts`
 * @throws TileliftError once nothing more is tried; after the known end of the credentials' life that is `credentials-expired`, whatever the fault
 */
export async function withRetry<T>(
  request: () => Promise<T>,
  file: string,
  signal: AbortSignal,
  options: RetryOptions,
): Promise<T> {
  const { clock, random, credentialsEndAt } = options;
  const { network } = options;
  let tries = 0;
  for (;;) {
    signal.throwIfAborted();
    const answersBefore = network.answers;
    try {
      const answer = await request();
      network.answered();
      return answer;
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof StorageError)) throw thrown;
      if (thrown.fault.status !== undefined) network.answered();
      const now = clock.now();
      const nothingElse = network.answers === answersBefore;
      const kind = classifyFault(thrown.fault, { now, endsAt: credentialsEndAt, nothingElse });
      const error = (as: FaultKind) => toTransferError(thrown, as, { storage: options.storageName, file });
      if (kind === 'gone' || kind === 'invalid-parts') throw new UploadLost(kind, error(kind));
      if (final.has(kind)) throw error(kind);
      if (now >= credentialsEndAt) throw error('expired');
      if (kind === 'offline' || kind === 'proxy-gone') {
        network.lost();
        options.onTrouble?.(error(kind));
        await clock.sleep(offlinePauseMs, signal);
        continue;
      }
      options.onFailed();
      tries += 1;
      if (tries >= options.maxTries) throw error(kind);
      if (tries > hiccups) options.onTrouble?.(error(kind));
      const wait = kind === 'skewed' && tries === 1 ? 0 : backoffMs(tries, random);
      await clock.sleep(Math.max(wait, thrown.fault.retryAfterMs ?? 0), signal);
    }
  }
}
