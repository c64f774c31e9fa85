import { type ErrorRecord, type TileliftError, toErrorRecord } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import type { Asset } from '../../service/model.ts';
import { longPauseMs } from '../../service/wait-limits.ts';
import type { TransferProgress } from '../../transfer/transfer-progress.ts';
import type { JobEvent } from '../events.ts';
import type { JobEnd, JobRecord, Journal } from '../journal/journal-model.ts';
import { firstState, isEnded, type JobState, nextState, runningPart } from '../state.ts';
import { type Moment, TroubleTime } from '../trouble-time.ts';

/** An event without its time, which `apply` sets. */
export type EventData = JobEvent extends infer Event
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

const statesWithoutRecovery: ReadonlySet<JobState['kind']> = new Set([
  'paused',
  'failed',
  'expired',
  'cancelled',
]);

/** Undefined if unchanged. */
function endAfter(previous: JobState, current: JobState): JobEnd | null | undefined {
  return isEnded(previous) === isEnded(current) ? undefined : endOf(current);
}

/** Null until the job ends. */
export function endOf(state: JobState): JobEnd | null {
  if (!('at' in state)) return null;
  const scan = 'scan' in state.was ? state.was.scan : null;
  return { at: state.at, as: state.kind, bytes: scan?.bytes ?? null };
}

/** Shown until its end, whatever else progresses. */
interface LongPause {
  readonly error: ErrorRecord;
  readonly end: Moment;
}

interface LiveJobOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly onChange: (id: string) => void;
  readonly place?: number;
}

/** Includes facts that aren't persisted. */
export class LiveJob {
  #record: JobRecord;
  readonly #options: LiveJobOptions;
  readonly #events: JobEvent[];
  #state: JobState;
  #trouble: ErrorRecord | null = null;
  #nextTryAt: number | null = null;
  #longPauses: readonly LongPause[] = [];
  #pauseController = new AbortController();
  #progress: TransferProgress;
  readonly #troubleTime = new TroubleTime();
  #asset: Asset | null = null;
  #terrain: Asset | null = null;
  /** Until a sign-in, or until the source is back. */
  #isWaiting = false;
  #heldBack: ErrorRecord | null = null;
  #place: number;

  constructor(record: JobRecord, events: readonly JobEvent[], options: LiveJobOptions) {
    this.#record = record;
    this.#options = options;
    this.#events = [...events];
    this.#state = events.reduce(nextState, firstState);
    this.#progress = this.#confirmedProgress();
    this.#place = options.place ?? 0;
  }

  get id(): string {
    return this.#record.id;
  }
  get record(): JobRecord {
    return this.#record;
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
  /** Ms since the epoch; null without trouble or retry. */
  get nextTryAt(): number | null {
    return this.#trouble && this.#state.kind !== 'paused' ? this.#nextTryAt : null;
  }
  get progress(): TransferProgress {
    return this.#progress;
  }
  get asset(): Asset | null {
    return this.#asset;
  }
  get terrain(): Asset | null {
    return this.#terrain;
  }
  get isWaiting(): boolean {
    return this.#isWaiting;
  }
  get heldBack(): ErrorRecord | null {
    return this.#heldBack;
  }
  /** The queue starts the lowest place first. */
  get place(): number {
    return this.#place;
  }

  setPlace(place: number): void {
    this.#place = place;
    this.#notify();
  }

  /** Throws like `apply`. Call it before the asset is requested. */
  rename(name: string): void {
    const body = { ...this.#record.body, name };
    this.#options.journal.setBody(this.id, body);
    this.#record = { ...this.#record, body };
    this.#notify();
  }

  /** Throws `journal-full` or `journal-unusable`, changing nothing. */
  apply(eventData: EventData): void {
    const event: JobEvent = { ...eventData, at: this.#options.clock.now() };
    const state = nextState(this.#state, event);
    const kind = state.kind;
    if (kind !== this.#state.kind) {
      // The duration is recorded before the new state.
      if (!statesWithoutRecovery.has(kind)) this.#troubleTime.progress(this.#moment());
      this.#recover(this.#troubleTime.endTrouble());
    }
    this.#options.journal.append(this.id, event, endAfter(this.#state, state));
    this.#applyEvent(event);
  }

  /** One history entry per period. The next try follows in `pauseMs`; the first of several is shown. */
  reportTrouble(error: TileliftError, pauseMs?: number): void {
    this.#endOldTrouble();
    const nowMs = this.#options.clock.now();
    const nextTry = pauseMs === undefined ? null : nowMs + pauseMs;
    const previousTry = this.nextTryAt;
    this.#nextTryAt =
      nextTry !== null && previousTry !== null && previousTry > nowMs
        ? Math.min(previousTry, nextTry)
        : nextTry;
    this.#trouble = toErrorRecord(error);
    if (pauseMs !== undefined && pauseMs > longPauseMs) {
      const end = { at: nowMs + pauseMs, elapsedMs: this.#options.clock.elapsed() + pauseMs };
      this.#longPauses = [...this.#longPauses, { error: this.#trouble, end }];
    }
    if (this.#troubleTime.recordFailure()) this.apply({ kind: 'troubled', error: this.#trouble });
    else this.#notify();
  }

  tryNow(): void {
    this.#nextTryAt = this.#trouble && this.#options.clock.now();
    this.#longPauses = [];
    const pauseController = this.#pauseController;
    this.#pauseController = new AbortController();
    pauseController.abort();
    this.#notify();
  }

  /** The user can cut its pauses short. */
  get pauses(): Clock {
    const { clock } = this.#options;
    return {
      now: () => clock.now(),
      elapsed: () => clock.elapsed(),
      sleep: async (ms, signal) => {
        const hurry = this.#pauseController.signal;
        try {
          await clock.sleep(ms, signal ? AbortSignal.any([signal, hurry]) : hurry);
        } catch (error) {
          if (signal?.aborted || !hurry.aborted) throw error;
        }
      },
    };
  }

  /** Waits for a sign-in or the source, with a history entry. */
  wait(error: TileliftError): void {
    this.#isWaiting = true;
    if (this.#trouble?.code !== error.code) this.#recover(this.#troubleTime.endTrouble());
    this.reportTrouble(error);
  }

  /** Not part of the history. */
  holdBack(why: ErrorRecord | null): void {
    const previous = this.#heldBack;
    this.#heldBack = why;
    if (previous?.code !== why?.code) this.#notify();
  }

  /** The journal can't be written. `pauseMs` absent: no retry before a restart. */
  halt(error: TileliftError, pauseMs?: number): void {
    this.#isWaiting = true;
    this.#trouble = toErrorRecord(error);
    this.#nextTryAt = pauseMs === undefined ? null : this.#options.clock.now() + pauseMs;
    this.#notify();
  }

  /** The trouble stays until progress. */
  retry(): void {
    this.#isWaiting = false;
    this.#nextTryAt = null;
    this.#notify();
  }

  wakeUp(): void {
    this.#isWaiting = false;
    this.#endTrouble();
    this.#notify();
  }

  showAsset(asset: Asset, trouble: TileliftError | null = null): void {
    this.#asset = asset;
    if (trouble) {
      this.reportTrouble(trouble);
      return;
    }
    this.#endTrouble();
    this.#recordProgress();
    this.#notify();
  }

  /** Any response ends trouble with polling. */
  showTerrain(terrain: Asset | null, trouble: TileliftError | null = null): void {
    this.#terrain = terrain;
    if (trouble) {
      this.reportTrouble(trouble);
      return;
    }
    this.#endTrouble();
    if (terrain) this.#recordProgress();
    this.#notify();
  }

  /** `previous`: counts from before this transfer. */
  showProgress(previous: Pick<TransferProgress, 'partsSentAgain'>, progress: TransferProgress): void {
    if (progress.acknowledged > this.#progress.acknowledged) this.#keepLongPauses();
    this.#progress = { ...progress, partsSentAgain: previous.partsSentAgain + progress.partsSentAgain };
    this.#notify();
  }

  endProgress(): void {
    this.#progress = {
      ...this.#progress,
      onWire: 0,
      bytesPerSecond: null,
      partsOnWire: 0,
      concurrency: 0,
      waitingForNetwork: false,
    };
    this.#notify();
  }

  #moment(): Moment {
    const { clock } = this.#options;
    return { at: clock.now(), elapsedMs: clock.elapsed() };
  }

  /** Only unfinished long pauses remain as trouble. */
  #keepLongPauses(): void {
    const { elapsedMs } = this.#moment();
    this.#longPauses = this.#longPauses.filter(({ end }) => end.elapsedMs > elapsedMs);
    const [nextPause] = this.#longPauses.toSorted((a, b) => a.end.at - b.end.at);
    this.#trouble = nextPause?.error ?? null;
    this.#nextTryAt = nextPause?.end.at ?? null;
    if (!nextPause) this.#recordProgress();
  }

  #endTrouble(): void {
    this.#trouble = null;
    this.#longPauses = [];
  }

  #recordProgress(): void {
    this.#troubleTime.progress(this.#moment());
    this.#endOldTrouble();
  }

  #endOldTrouble(): void {
    this.#recover(this.#troubleTime.endIfOver(this.#moment()));
  }

  #recover(endedAt: number | null): void {
    if (endedAt === null) return;
    const event = { kind: 'recovered', at: this.#options.clock.now(), endedAt } as const;
    this.#options.journal.append(this.id, event);
    this.#events.push(event);
  }

  #applyEvent(event: JobEvent): void {
    this.#events.push(event);
    const previous = this.#state;
    this.#state = nextState(previous, event);
    if (event.kind === 'scanned') this.#progress = noProgress;
    if (this.#state.kind !== previous.kind) {
      this.#endTrouble();
      this.#isWaiting = false;
      this.#heldBack = null;
    }
    this.#notify();
  }

  #confirmedProgress(): TransferProgress {
    if ('uploadedAt' in runningPart(this.#state)) return noProgress;
    const { bytes, parts } = this.#options.journal.totals(this.id);
    return { ...noProgress, acknowledged: bytes, partsDone: parts };
  }

  #notify(): void {
    this.#options.onChange(this.id);
  }
}
