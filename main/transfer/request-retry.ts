import type { TileliftError } from '../errors.ts';
import type { Clock } from '../outside.ts';
import { backoffMs, type Random } from '../service/backoff.ts';
import { longPauseMs, obeyedRetryAfter } from '../service/wait-limits.ts';
import { classifyFault, type FaultKind, StorageError, toTransferError } from '../storage/storage-error.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly life: CredentialLife;
  /**
   * Storage may call one request's bytes corrupt this often before its upload fails. Only this is counted.
   */
  readonly maxTries: number;
  /** For error messages. */
  readonly storageName: string;
  /**
   * Called when a request is tried on through trouble that is worth showing: no network, someone else's
   * answers, a long pause, or more than a hiccup. It is tried again in `pauseMs`.
   */
  readonly onTrouble?: (error: TileliftError, pauseMs: number) => void;
  /** What all requests of a transfer together know about the network. */
  readonly network: NetworkState;
}

/** What a request holds while it is under way: see `PartSlot`. */
interface RetrySlot {
  fail(): void;
  acquire(): Promise<void>;
}

/** While there is no way to the network at all. */
const offlinePauseMs = 5_000;
/** Failures of one request before a person is told. */
const hiccups = 2;

/** What storage has said, and no further try changes. */
const final: ReadonlySet<FaultKind> = new Set(['expired', 'denied', 'elsewhere', 'refused']);
/** Storage was not heard, and a person may be the one who can help. */
const toldAtOnce: ReadonlySet<FaultKind> = new Set(['foreign', 'untrusted', 'proxy-asks']);

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
 * Repeats a request until storage itself has said yes or no (design, "Retry"): full-jitter backoff,
 * `Retry-After` obeyed within its limits and the life of the credentials, at once after the clock was
 * corrected. Tries are counted only for bytes that storage calls corrupt.
 *
 * @param slot given up during backoff, but not while there is no network: nothing else would get through
 * @throws UploadLost on `gone` and `invalid-parts`
 * @throws TileliftError once storage has said what no further try changes
 */
export async function withRetry<T>(
  request: () => Promise<T>,
  file: string,
  signal: AbortSignal,
  options: RetryOptions,
  slot?: RetrySlot,
): Promise<T> {
  const { clock, random, life, network } = options;
  let failures = 0;
  let corruptions = 0;
  for (;;) {
    signal.throwIfAborted();
    const answersBefore = network.answers;
    try {
      const answer = await request();
      network.answered();
      life.proved();
      return answer;
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof StorageError)) throw thrown;
      const nothingElse = network.answers === answersBefore;
      const kind = classifyFault(thrown.fault, {
        lifeOver: life.over,
        haveWorked: life.haveWorked,
        nothingElse,
      });
      if (thrown.fault.status !== undefined && kind !== 'foreign') network.answered();
      const error = toTransferError(thrown, kind, { storage: options.storageName, file });
      if (kind === 'gone' || kind === 'invalid-parts') throw new UploadLost(kind, error);
      if (final.has(kind)) throw error;
      if (kind === 'offline' || kind === 'proxy-gone') {
        network.lost();
        options.onTrouble?.(error, offlinePauseMs);
        await clock.sleep(offlinePauseMs, signal);
        continue;
      }
      slot?.fail();
      failures += 1;
      if (kind === 'corrupt') corruptions += 1;
      if (corruptions >= options.maxTries) throw error;
      const wait = kind === 'skewed' && failures === 1 ? 0 : backoffMs(failures, random);
      const { retryAfterMs = 0, heard = false } = thrown.fault;
      const pause = Math.max(wait, Math.min(obeyedRetryAfter(retryAfterMs, heard), life.leftMs));
      if (failures > hiccups || pause > longPauseMs || toldAtOnce.has(kind))
        options.onTrouble?.(error, pause);
      await clock.sleep(pause, signal);
      await slot?.acquire();
    }
  }
}

/** What all requests of one transfer know together about the network: whether anything gets an answer. */
export class NetworkState {
  readonly #onChange: (reachable: boolean) => void;
  #answers = 0;
  #reachable = true;

  constructor(onChange: (reachable: boolean) => void) {
    this.#onChange = onChange;
  }

  /** Answers so far, whatever they said. */
  get answers(): number {
    return this.#answers;
  }

  answered(): void {
    this.#answers += 1;
    this.#set(true);
  }

  /** Someone waits because there is no way. */
  lost(): void {
    this.#set(false);
  }

  #set(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#onChange(reachable);
  }
}

/** Clocks and "about one hour" are not exact: a refusal this close to the end of life counts as the end. */
const marginMs = 60_000;

/**
 * The known life of a transfer's credentials. From the moment the transfer begins, its end is carried in time
 * that never jumps; the wall clock bridges restarts, and a suspend, in which that time stands still on Linux.
 * A wall clock that was set back extends nothing. One that was set forward ends nothing once storage has
 * shown by how much.
 *
 * The known end ends nothing by itself. It decides only what a refusal by storage means that may stand for
 * expired credentials. Where storage is not heard after it, the transfer keeps waiting: who knows whether the
 * credentials are really over, and a person may cancel at any time.
 */
export class CredentialLife {
  readonly #clock: Clock;
  readonly #skewMs: () => number;
  readonly #start: { readonly now: number; readonly elapsed: number; readonly skew: number };
  readonly #lifeMs: number;
  #haveWorked = false;

  /**
   * @param endsAt by the wall clock, ms since the epoch
   * @param skewMs storage's clock less ours
   */
  constructor(clock: Clock, endsAt: number, skewMs: () => number) {
    this.#clock = clock;
    this.#skewMs = skewMs;
    this.#start = { now: clock.now(), elapsed: clock.elapsed(), skew: skewMs() };
    this.#lifeMs = endsAt - this.#start.now;
  }

  /** Until the known end, ms; 0 after it. */
  get leftMs(): number {
    const { now, elapsed, skew } = this.#start;
    const passed = this.#clock.elapsed() - elapsed;
    const jumped = this.#clock.now() - now - passed;
    const setForward = Math.max(0, skew - this.#skewMs());
    return Math.max(0, this.#lifeMs - passed - Math.max(0, jumped - setForward));
  }

  /** Storage has accepted these credentials before. */
  get haveWorked(): boolean {
    return this.#haveWorked;
  }

  proved(): void {
    this.#haveWorked = true;
  }

  /** The known end has come, or is less than a minute away. */
  get over(): boolean {
    return this.leftMs <= marginMs;
  }
}
