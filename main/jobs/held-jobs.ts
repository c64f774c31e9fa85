import type { Log } from '../log.ts';
import type { Clock } from '../outside.ts';
import type { Journal } from './journal/journal-model.ts';
import type { LiveJob } from './live-job.ts';

/** How long a job that was taken off the list can be brought back, ms. */
const heldMs = 10 * 60_000;

interface HeldJobsOptions {
  readonly journal: Pick<Journal, 'holdJobs' | 'bringBack'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Nobody can bring it back any more. */
  readonly giveUp: (job: LiveJob) => void;
}

/**
 * Jobs that a person took off the list. For ten minutes, over restarts too, nothing of theirs is given up:
 * they can be brought back as they were.
 */
export class HeldJobs {
  readonly #options: HeldJobsOptions;
  readonly #held = new Map<string, { readonly job: LiveJob; readonly removedAt: number }>();
  readonly #ending = new AbortController();

  constructor(options: HeldJobsOptions) {
    this.#options = options;
  }

  get(id: string): LiveJob | undefined {
    return this.#held.get(id)?.job;
  }

  jobs(): readonly LiveJob[] {
    return [...this.#held.values()].map(({ job }) => job);
  }

  /** One that the journal holds already. */
  takeUp(job: LiveJob, removedAt: number): void {
    this.#held.set(job.id, { job, removedAt });
  }

  /** What Tilelift held when it quit is given up in its time. */
  start(): void {
    const byTime = Map.groupBy(this.#held.values(), ({ removedAt }) => removedAt);
    for (const [removedAt, held] of byTime)
      this.#giveUpLater(
        held.map(({ job }) => job.id),
        removedAt,
      );
  }

  stop(): void {
    this.#ending.abort();
  }

  /** Throws `journal-full` or `journal-unusable`, holding none. */
  hold(jobs: readonly LiveJob[]): void {
    // What goes together comes back together: each time has a moment of its own.
    const removedAt = Math.max(this.#options.clock.now(), this.#lastRemoval() + 1);
    const ids = jobs.map(({ id }) => id);
    this.#options.journal.holdJobs(ids, removedAt);
    for (const job of jobs) this.takeUp(job, removedAt);
    this.#giveUpLater(ids, removedAt);
  }

  /** Those of them that are still there; null for those that were taken off last. */
  bringBack(wanted: readonly string[] | null): readonly LiveJob[] {
    const last = this.#lastRemoval();
    const back = wanted
      ? wanted.flatMap((id) => this.get(id) ?? [])
      : [...this.#held.values()].flatMap(({ job, removedAt }) => (removedAt === last ? [job] : []));
    this.#options.journal.bringBack(back.map(({ id }) => id));
    for (const { id } of back) this.#held.delete(id);
    return back;
  }

  /** ms since the epoch; before all time while nothing is held. */
  #lastRemoval(): number {
    return [...this.#held.values()].reduce((last, { removedAt }) => Math.max(last, removedAt), 0);
  }

  #giveUpLater(ids: readonly string[], removedAt: number): void {
    const { clock, log, giveUp } = this.#options;
    const left = Math.min(heldMs, Math.max(0, removedAt + heldMs - clock.now()));
    clock.sleep(left, this.#ending.signal).then(
      () => {
        for (const id of ids) {
          const held = this.#held.get(id);
          // One that came back and went again has a time of its own.
          if (held?.removedAt !== removedAt) continue;
          this.#held.delete(id);
          try {
            giveUp(held.job);
          } catch (error) {
            log.warn({ jobId: id, error }, 'a removed job is given up after the next start');
          }
        }
      },
      () => {},
    );
  }
}
