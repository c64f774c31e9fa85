import { type ErrorRecord, type TileliftError, toErrorRecord } from '../../errors.ts';
import type { Clock } from '../../outside.ts';
import type { Asset } from '../../service/model.ts';
import { longPauseMs } from '../../service/wait-limits.ts';
import type { TransferProgress } from '../../transfer/transfer-progress.ts';
import type { JobEvent } from '../events.ts';
import type { JobEnd, JobRecord, Journal } from '../journal/journal-model.ts';
import { firstState, isEnded, type JobState, next, runningPart } from '../state.ts';
import { type Moment, TroubleTime } from '../trouble-time.ts';

/** Events without their time, which `apply` sets. */
export type Happening = JobEvent extends infer Event
  ? Event extends JobEvent
    ? Omit<Event, 'at'>
    : never
  : never;

const noProgress: TransferProgress = {
  acknowledged: 0,
  onWire: 0,
  bytesPerSecond: null,
  partsDone: 0,
  partsOnWire: 0,
  partsSentAgain: 0,
  concurrency: 0,
  waitingForNetwork: false,
};

/** In these states nothing got better; trouble just stopped mattering. */
const givenUp: ReadonlySet<JobState['kind']> = new Set(['paused', 'failed', 'expired', 'cancelled']);

/** What changes of a job's end; undefined for nothing. */
function endAfter(before: JobState, after: JobState): JobEnd | null | undefined {
  return isEnded(before) === isEnded(after) ? undefined : endOf(after);
}

/** Null while it has not ended. */
export function endOf(state: JobState): JobEnd | null {
  if (!('at' in state)) return null;
  const scan = 'scan' in state.was ? state.was.scan : null;
  return { at: state.at, as: state.kind, bytes: scan?.bytes ?? null };
}

/** A try that comes so late that it is shown until then, whatever else gets further. */
interface LongPause {
  readonly error: ErrorRecord;
  /** When it is over, on both clocks. */
  readonly end: Moment;
}

interface LiveJobOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly onChange: (id: string) => void;
  /** Among those that wait. Default 0. */
  readonly place?: number;
}

/**
 * A job in memory: its record, its events, the state that follows, and what needs no entry in the journal.
 */
export class LiveJob {
  readonly record: JobRecord;
  readonly #options: LiveJobOptions;
  readonly #events: JobEvent[];
  #state: JobState;
  #trouble: ErrorRecord | null = null;
  /** When what is in trouble is tried again, ms since the epoch; null where that is not known. */
  #nextTryAt: number | null = null;
  #longPauses: readonly LongPause[] = [];
  #hurry = new AbortController();
  #progress: TransferProgress;
  readonly #troubleTime = new TroubleTime();
  #asset: Asset | null = null;
  #terrain: Asset | null = null;
  /** True: nothing continues until someone signs in, or its source is back. */
  #waiting = false;
  /** Why it is not begun, known before it has tried. */
  #heldBack: ErrorRecord | null = null;
  #place: number;

  constructor(record: JobRecord, events: readonly JobEvent[], options: LiveJobOptions) {
    this.record = record;
    this.#options = options;
    this.#events = [...events];
    this.#state = events.reduce(next, firstState);
    this.#progress = this.#confirmed();
    this.#place = options.place ?? 0;
  }

  get id(): string {
    return this.record.id;
  }
  get state(): JobState {
    return this.#state;
  }
  get events(): readonly JobEvent[] {
    return this.#events;
  }
  get trouble(): ErrorRecord | null {
    return this.#trouble;
  }
  /** When it is tried again, ms since the epoch; null where nothing is in trouble, or nothing tried. */
  get nextTryAt(): number | null {
    return this.#trouble && this.#state.kind !== 'paused' ? this.#nextTryAt : null;
  }
  get progress(): TransferProgress {
    return this.#progress;
  }
  /** The record last read while tiling. */
  get asset(): Asset | null {
    return this.#asset;
  }
  /** The terrain that it waits for, as last read; null while it waits for none. */
  get terrain(): Asset | null {
    return this.#terrain;
  }
  get waiting(): boolean {
    return this.#waiting;
  }
  /** Why it is not begun although it could be its turn: nobody is signed in with its account. */
  get heldBack(): ErrorRecord | null {
    return this.#heldBack;
  }
  /** Among those that wait; a lower one starts first. */
  get place(): number {
    return this.#place;
  }

  /** The journal has it already. */
  putAt(place: number): void {
    this.#place = place;
    this.#tell();
  }

  /**
   * Writes the event to the journal and takes over what follows from it. Throws `journal-full` or
   * `journal-unusable`, changing nothing.
   */
  apply(happening: Happening): void {
    const event: JobEvent = { ...happening, at: this.#options.clock.now() };
    const state = next(this.#state, event);
    const after = state.kind;
    if (after !== this.#state.kind) {
      // What was in trouble is done, or given up: before that comes how long it took.
      if (!givenUp.has(after)) this.#troubleTime.progress(this.#now());
      this.#recover(this.#troubleTime.close());
    }
    this.#options.journal.append(this.id, event, endAfter(this.#state, state));
    this.#take(event);
  }

  /**
   * Something the job keeps trying through. An entry in the history for each time of trouble, not for each
   * try. It is tried again in `pauseMs`; of several things that are, the first is shown.
   */
  meet(error: TileliftError, pauseMs?: number): void {
    this.#settle();
    const now = this.#options.clock.now();
    const next = pauseMs === undefined ? null : now + pauseMs;
    const before = this.nextTryAt;
    this.#nextTryAt = next !== null && before !== null && before > now ? Math.min(before, next) : next;
    this.#trouble = toErrorRecord(error);
    if (pauseMs !== undefined && pauseMs > longPauseMs) {
      const end = { at: now + pauseMs, elapsed: this.#options.clock.elapsed() + pauseMs };
      this.#longPauses = [...this.#longPauses, { error: this.#trouble, end }];
    }
    if (this.#troubleTime.meet()) this.apply({ kind: 'troubled', error: this.#trouble });
    else this.#tell();
  }

  /** What waits for its next try does not wait any longer. */
  tryNow(): void {
    this.#nextTryAt = this.#trouble && this.#options.clock.now();
    this.#longPauses = [];
    const hurry = this.#hurry;
    this.#hurry = new AbortController();
    hurry.abort();
    this.#tell();
  }

  /** The clock by which the job pauses between tries: a person may cut each pause short. */
  get pauses(): Clock {
    const { clock } = this.#options;
    return {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      sleep: async (ms, signal) => {
        const hurry = this.#hurry.signal;
        try {
          await clock.sleep(ms, signal ? AbortSignal.any([signal, hurry]) : hurry);
        } catch (thrown) {
          if (signal?.aborted || !hurry.aborted) throw thrown;
        }
      },
    };
  }

  /** Nothing continues until a person signs in, or its source is back: worth an entry of its own. */
  wait(error: TileliftError): void {
    this.#waiting = true;
    if (this.#trouble?.code !== error.code) this.#recover(this.#troubleTime.close());
    this.meet(error);
  }

  /** It is not begun, for this reason; null: it may be. Nothing happened to it: worth no entry. */
  holdBack(why: ErrorRecord | null): void {
    const before = this.#heldBack;
    this.#heldBack = why;
    if (before?.code !== why?.code) this.#tell();
  }

  /**
   * The journal can't be written: all that is left is to show it. `pauseMs`: until it is tried again; absent:
   * not before a restart.
   */
  halt(error: TileliftError, pauseMs?: number): void {
    this.#waiting = true;
    this.#trouble = toErrorRecord(error);
    this.#nextTryAt = pauseMs === undefined ? null : this.#options.clock.now() + pauseMs;
    this.#tell();
  }

  /** Tries again after a halt. It stays in trouble until it gets further: others count how long. */
  retry(): void {
    this.#waiting = false;
    this.#nextTryAt = null;
    this.#tell();
  }

  wake(): void {
    this.#waiting = false;
    this.#endTrouble();
    this.#tell();
  }

  /** `trouble`: what its status says; null for nothing. */
  showAsset(asset: Asset, trouble: TileliftError | null = null): void {
    this.#asset = asset;
    if (trouble) {
      this.meet(trouble);
      return;
    }
    this.#endTrouble();
    this.#progressed();
    this.#tell();
  }

  /** An answer ends what was in the way of asking. `trouble`: what the status says; null for nothing. */
  showTerrain(terrain: Asset | null, trouble: TileliftError | null = null): void {
    this.#terrain = terrain;
    if (trouble) {
      this.meet(trouble);
      return;
    }
    this.#endTrouble();
    if (terrain) this.#progressed();
    this.#tell();
  }

  /** `before`: what counts from before this transfer and it knows nothing of. */
  showProgress(before: Pick<TransferProgress, 'partsSentAgain'>, progress: TransferProgress): void {
    if (progress.acknowledged > this.#progress.acknowledged) this.#outlive();
    this.#progress = {
      ...progress,
      partsSentAgain: before.partsSentAgain + progress.partsSentAgain,
    };
    this.#tell();
  }

  /** Nothing is being sent any more; what is confirmed stays. */
  endProgress(): void {
    this.#progress = {
      ...this.#progress,
      onWire: 0,
      bytesPerSecond: null,
      partsOnWire: 0,
      concurrency: 0,
      waitingForNetwork: false,
    };
    this.#tell();
  }

  #now(): Moment {
    const { clock } = this.#options;
    return { at: clock.now(), elapsed: clock.elapsed() };
  }

  /** Something else got further: only long pauses that aren't over are still trouble. */
  #outlive(): void {
    const { elapsed } = this.#now();
    this.#longPauses = this.#longPauses.filter(({ end }) => end.elapsed > elapsed);
    const [next] = this.#longPauses.toSorted((a, b) => a.end.at - b.end.at);
    this.#trouble = next?.error ?? null;
    this.#nextTryAt = next?.end.at ?? null;
    if (!next) this.#progressed();
  }

  #endTrouble(): void {
    this.#trouble = null;
    this.#longPauses = [];
  }

  #progressed(): void {
    this.#troubleTime.progress(this.#now());
    this.#settle();
  }

  /** Trouble that has been over for a while gets its end. */
  #settle(): void {
    this.#recover(this.#troubleTime.over(this.#now()));
  }

  #recover(endedAt: number | null): void {
    if (endedAt === null) return;
    const event = { kind: 'recovered', at: this.#options.clock.now(), endedAt } as const;
    this.#options.journal.append(this.id, event);
    this.#events.push(event);
  }

  #take(event: JobEvent): void {
    this.#events.push(event);
    const before = this.#state;
    this.#state = next(before, event);
    if (event.kind === 'scanned') this.#progress = noProgress;
    if (this.#state.kind !== before.kind) {
      this.#endTrouble();
      this.#waiting = false;
      this.#heldBack = null;
    }
    this.#tell();
  }

  #confirmed(): TransferProgress {
    // What was uploaded whole needs no counting.
    if ('uploadedAt' in runningPart(this.#state)) return noProgress;
    const { bytes, parts } = this.#options.journal.totals(this.id);
    return { ...noProgress, acknowledged: bytes, partsDone: parts };
  }

  #tell(): void {
    this.#options.onChange(this.id);
  }
}
