import type { TileliftError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { backoffMs, type Random } from '../service/backoff.ts';
import { longPauseMs, obeyedRetryAfter } from '../service/wait-limits.ts';
import { classifyFault, type FaultKind, StorageError, toTransferError } from '../storage/storage-error.ts';

/** Corruption reports per request before the upload fails. Other failures aren't counted. */
const maxCorruptions = 10;

/** Shared by all retries of a transfer. */
export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly life: CredentialLife;
  readonly storageName: string;
  /** Called when a retry is worth showing: no network, foreign answers, a long pause or repeated failures. */
  readonly onTrouble?: (error: TileliftError, pauseMs: number) => void;
  readonly network: NetworkState;
}

interface RetrySlot {
  fail(): void;
  acquire(): Promise<void>;
}

const offlinePauseMs = 5_000;
/** Failures of one request before the user is notified. */
const silentFailures = 2;

const final: ReadonlySet<FaultKind> = new Set(['expired', 'denied', 'elsewhere', 'refused']);
/** The user may be able to help. */
const reportedAtOnce: ReadonlySet<FaultKind> = new Set(['foreign', 'untrusted', 'proxy-asks']);

/** A fault that the caller handles: the upload is gone, or storage knows other parts. */
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
 * Repeats a request until storage itself accepts or refuses it: full-jitter backoff;
 * `Retry-After` within its limits and the credentials' life; at once after a clock correction. Only corrupt
 * bytes count as tries.
 *
 * @param slot released during backoff, but kept without a network: nothing else would get through
 * @throws UploadLost on `gone` and `invalid-parts`
 * @throws TileliftError once storage refuses permanently
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
      network.noteAnswer();
      life.markProven();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof StorageError)) throw error;
      const noOtherAnswer = network.answers === answersBefore;
      const kind = classifyFault(error.fault, {
        lifeOver: life.isExhausted,
        haveWorked: life.haveWorked,
        noOtherAnswer,
      });
      if (error.fault.status !== undefined && kind !== 'foreign') network.noteAnswer();
      const transferError = toTransferError(error, kind, { storage: options.storageName, file });
      if (kind === 'gone' || kind === 'invalid-parts') throw new UploadLost(kind, transferError);
      if (final.has(kind)) throw transferError;
      if (kind === 'offline' || kind === 'proxy-gone') {
        network.noteLoss();
        options.onTrouble?.(transferError, offlinePauseMs);
        await clock.sleep(offlinePauseMs, signal);
        continue;
      }
      slot?.fail();
      failures += 1;
      if (kind === 'corrupt') corruptions += 1;
      if (corruptions >= maxCorruptions) throw transferError;
      const wait = kind === 'skewed' && failures === 1 ? 0 : backoffMs(failures, random);
      const { retryAfterMs = 0, fromStorage = false } = error.fault;
      const pause = Math.max(wait, Math.min(obeyedRetryAfter(retryAfterMs, fromStorage), life.leftMs));
      if (failures > silentFailures || pause > longPauseMs || reportedAtOnce.has(kind))
        options.onTrouble?.(transferError, pause);
      await clock.sleep(pause, signal);
      await slot?.acquire();
    }
  }
}

/** Tracks whether any request of a transfer gets answers. */
export class NetworkState {
  readonly #onChange: (reachable: boolean) => void;
  #answers = 0;
  #reachable = true;

  constructor(onChange: (reachable: boolean) => void) {
    this.#onChange = onChange;
  }

  get answers(): number {
    return this.#answers;
  }

  noteAnswer(): void {
    this.#answers += 1;
    this.#set(true);
  }

  noteLoss(): void {
    this.#set(false);
  }

  #set(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    this.#reachable = reachable;
    this.#onChange(reachable);
  }
}

/** Clocks and "about one hour" are inexact: a refusal this close to the end counts as expiry. */
const marginMs = 60_000;

/**
 * The expected life of a transfer's credentials, tracked in monotonic time; the wall clock bridges restarts
 * and suspends, when monotonic time stops on Linux. Setting it back extends nothing; setting it forward ends
 * nothing once storage has shown the skew.
 *
 * The end only decides whether a refusal means expired credentials: if storage stays unreachable, the
 * transfer keeps waiting.
 */
export class CredentialLife {
  readonly #clock: Clock;
  readonly #skewMs: () => number;
  readonly #start: { readonly wallMs: number; readonly elapsedMs: number; readonly skew: number };
  readonly #lifeMs: number;
  #haveWorked = false;

  /**
   * @param endsAt by the wall clock, ms since the epoch
   * @param skewMs storage's clock minus ours
   */
  constructor(clock: Clock, endsAt: number, skewMs: () => number) {
    this.#clock = clock;
    this.#skewMs = skewMs;
    this.#start = { wallMs: clock.now(), elapsedMs: clock.elapsed(), skew: skewMs() };
    this.#lifeMs = endsAt - this.#start.wallMs;
  }

  get leftMs(): number {
    const { wallMs, elapsedMs, skew } = this.#start;
    const passedMs = this.#clock.elapsed() - elapsedMs;
    const clockJumpMs = this.#clock.now() - wallMs - passedMs;
    const setForward = Math.max(0, skew - this.#skewMs());
    return Math.max(0, this.#lifeMs - passedMs - Math.max(0, clockJumpMs - setForward));
  }

  get haveWorked(): boolean {
    return this.#haveWorked;
  }

  markProven(): void {
    this.#haveWorked = true;
  }

  get isExhausted(): boolean {
    return this.leftMs <= marginMs;
  }
}
