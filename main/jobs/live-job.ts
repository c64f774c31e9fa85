import { type ErrorRecord, type TileliftError, toErrorRecord } from '../errors.ts';
import type { Clock } from '../outside.ts';
import type { Asset } from '../service/model.ts';
import { addSample, type RateSample } from '../upload/rate.ts';
import type { TransferProgress } from '../upload/transfer-progress.ts';
import type { JobEvent } from './events.ts';
import type { ConfirmedTotals, JobRecord, Journal } from './journal-model.ts';
import { firstState, type JobState, next, runningPart } from './state.ts';

/** Events without their time, which `apply` sets. */
export type Happening = JobEvent extends infer Event
  ? Event extends JobEvent
    ? Omit<Event, 'at'>
    : never
  : never;

export interface LiveProgress extends TransferProgress {
  readonly samples: readonly RateSample[];
}

const noProgress: LiveProgress = {
  acknowledged: 0,
  onWire: 0,
  partsDone: 0,
  partsOnWire: 0,
  partsSentAgain: 0,
  concurrency: 0,
  waitingForNetwork: false,
  samples: [],
};

export interface SessionBase extends ConfirmedTotals {
  readonly partsSentAgain: number;
}

export interface LiveJobOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly onChange: (id: string) => void;
}

/** A job in memory: its record, its events and the state that follows from them, and what is worth no line in the journal. */
export class LiveJob {
  readonly record: JobRecord;
  readonly #options: LiveJobOptions;
  readonly #events: JobEvent[];
  #state: JobState;
  #trouble: ErrorRecord | null = null;
  #progress: LiveProgress;
  #asset: Asset | null = null;
  /** True: nothing goes on until somebody signs in. */
  #waiting = false;

  constructor(record: JobRecord, events: readonly JobEvent[], options: LiveJobOptions) {
    this.record = record;
    this.#options = options;
    this.#events = [...events];
    this.#state = events.reduce(next, firstState);
    this.#progress = this.#confirmed();
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
  get progress(): LiveProgress {
    return this.#progress;
  }
  /** The record last read while tiling. */
  get asset(): Asset | null {
    return this.#asset;
  }
  get waiting(): boolean {
    return this.#waiting;
  }

  /** Writes the event to the journal and takes over what follows from it. Throws `journal-full` or `journal-unusable`, changing nothing. */
  apply(happening: Happening): void {
    const event: JobEvent = { ...happening, at: this.#options.clock.now() };
    this.#options.journal.append(this.id, event);
    this.#take(event);
  }

  /** Something the job goes on trying through. A line in the history for the first of its kind, not for each try. */
  meet(error: TileliftError): void {
    const record = toErrorRecord(error);
    const known = this.#trouble?.code === record.code;
    this.#trouble = record;
    if (known) this.#tell();
    else this.apply({ kind: 'troubled', error: record });
  }

  wait(error: TileliftError): void {
    this.#waiting = true;
    this.meet(error);
  }

  /** The journal can't be written: all that is left is to show it. */
  halt(error: TileliftError): void {
    this.#waiting = true;
    this.#trouble = toErrorRecord(error);
    this.#tell();
  }

  wake(): void {
    this.#waiting = false;
    this.#trouble = null;
    this.#tell();
  }

  showAsset(asset: Asset): void {
    this.#asset = asset;
    this.#trouble = null;
    this.#tell();
  }

  /** `base`: what counts from before this transfer and is not among its files. */
  showProgress(base: SessionBase, progress: TransferProgress): void {
    const acknowledged = base.bytes + progress.acknowledged;
    if (acknowledged > this.#progress.acknowledged) this.#trouble = null;
    const sample = { at: this.#options.clock.now(), bytes: acknowledged + progress.onWire };
    this.#progress = {
      ...progress,
      acknowledged,
      partsDone: base.parts + progress.partsDone,
      partsSentAgain: base.partsSentAgain + progress.partsSentAgain,
      samples: addSample(this.#progress.samples, sample),
    };
    this.#tell();
  }

  /** Nothing is being sent any more; what is confirmed stays. */
  endProgress(): void {
    this.#progress = {
      ...this.#progress,
      onWire: 0,
      partsOnWire: 0,
      concurrency: 0,
      waitingForNetwork: false,
      samples: [],
    };
    this.#tell();
  }

  #take(event: JobEvent): void {
    this.#events.push(event);
    const before = this.#state;
    this.#state = next(before, event);
    if (event.kind === 'scanned') this.#progress = noProgress;
    if (this.#state.kind !== before.kind) this.#trouble = null;
    this.#tell();
  }

  #confirmed(): LiveProgress {
    // What was uploaded whole needs no counting.
    if ('uploadedAt' in runningPart(this.#state)) return noProgress;
    const { bytes, parts } = this.#options.journal.totals(this.id);
    return { ...noProgress, acknowledged: bytes, partsDone: parts };
  }

  #tell(): void {
    this.#options.onChange(this.id);
  }
}
