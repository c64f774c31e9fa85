import type { Clock } from '../../outside.ts';
import type { LiveJob } from '../steps/live-job.ts';
import type { FolderLooks } from './folder-looks.ts';
import { type AwayFolder, isBack, sourceAway } from './source-away.ts';

interface SourceWaitsOptions {
  readonly looks: FolderLooks;
  readonly clock: Clock;
  /** The source is back: the job may continue. */
  readonly onBack: () => void;
  /** Its credentials ended first. May throw when the journal can't be written. */
  readonly onExpired: (job: LiveJob) => void;
  readonly onTrouble: (job: LiveJob, thrown: unknown) => void;
}

/** How often is looked whether a source is back, ms. */
const lookMs = 2_000;

/** Jobs whose source has gone with its drive. They keep nothing but credentials: no turn, no connection. */
export class SourceWaits {
  readonly #with: SourceWaitsOptions;
  readonly #waits = new Map<string, AbortController>();
  readonly #flickers = new Map<string, { readonly bytes: number; readonly times: number }>();

  constructor(options: SourceWaitsOptions) {
    this.#with = options;
  }

  /** Waits until the folder is back, no longer than the credentials live. `endsAt`: ms since the epoch. */
  begin(job: LiveJob, away: AwayFolder, endsAt: number): void {
    this.#forget(job);
    const ending = new AbortController();
    this.#waits.set(job.id, ending);
    job.wait(sourceAway(away.home));
    const { clock } = this.#with;
    // In time that never jumps.
    const deadline = clock.elapsed() + (endsAt - clock.now());
    void this.#watch(job, away, deadline, ending.signal).catch((thrown) => {
      if (!ending.signal.aborted) this.#with.onTrouble(job, thrown);
    });
  }

  /** The job is to do something else: paused, cancelled. */
  end(job: LiveJob): void {
    if (this.#forget(job)) job.wake();
  }

  stop(): void {
    for (const ending of this.#waits.values()) ending.abort();
    this.#waits.clear();
  }

  /**
   * A source that was away for a moment: whether it is worth continuing once more. `times`: at most, without
   * getting any further.
   */
  mayGoOn(job: LiveJob, times: number): boolean {
    const bytes = job.progress.acknowledged;
    const before = this.#flickers.get(job.id);
    const now = before?.bytes === bytes ? before.times + 1 : 1;
    this.#flickers.set(job.id, { bytes, times: now });
    return now <= times;
  }

  async #watch(job: LiveJob, away: AwayFolder, deadline: number, signal: AbortSignal): Promise<void> {
    const { clock, looks, onExpired, onBack } = this.#with;
    for (;;) {
      const left = deadline - clock.elapsed();
      if (left <= 0) {
        this.end(job);
        return onExpired(job);
      }
      await clock.sleep(Math.min(lookMs, left), signal);
      if (!(await isBack(away, looks, signal))) continue;
      this.end(job);
      return onBack();
    }
  }

  #forget(job: LiveJob): boolean {
    this.#waits.get(job.id)?.abort();
    return this.#waits.delete(job.id);
  }
}
