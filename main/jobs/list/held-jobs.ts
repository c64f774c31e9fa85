import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { HeldJob, Journal } from '../journal/journal-model.ts';

/** How long a job that was taken off the list can be brought back, ms. */
const heldMs = 10 * 60_000;

interface HeldJobsOptions {
  readonly journal: Pick<Journal, 'holdJobs' | 'bringBack'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Nobody can bring it back any more. */
  readonly giveUp: (id: string) => void;
}

/**
 * Jobs that a person took off the list. For ten minutes, over restarts too, nothing of theirs is given up:
 * they can be brought back as they were.
 */
export class HeldJobs {
  readonly #options: HeldJobsOptions;
  /** When each was removed, by its id. */
  readonly #held = new Map<string, number>();
  readonly #ending = new AbortController();

  constructor(options: HeldJobsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** One that the journal holds already. */
  takeUp({ id, removedAt }: HeldJob): void {
    this.#held.set(id, removedAt);
  }

  /** What Tilelift held when it quit is given up in its time. */
  start(): void {
    const byTime = Map.groupBy(this.#held, ([, removedAt]) => removedAt);
    for (const [removedAt, held] of byTime)
      this.#giveUpLater(
        held.map(([id]) => id),
        removedAt,
      );
  }

  stop(): void {
    this.#ending.abort();
  }

  /**
   * Gives the ids of those that were on the list and had ended. Throws `journal-full` or `journal-unusable`,
   * holding none.
   */
  hold(ids: readonly string[]): readonly string[] {
    // What goes together comes back together: each time has a moment of its own.
    const removedAt = Math.max(this.#options.clock.now(), this.#lastRemoval() + 1);
    const gone = this.#options.journal.holdJobs(ids, removedAt);
    for (const id of gone) this.takeUp({ id, removedAt });
    if (gone.length > 0) this.#giveUpLater(gone, removedAt);
    return gone;
  }

  /** Those of them that are still there; null for those that were taken off last. */
  bringBack(wanted: readonly string[] | null): readonly string[] {
    const last = this.#lastRemoval();
    const back = wanted
      ? wanted.filter((id) => this.has(id))
      : [...this.#held].flatMap(([id, removedAt]) => (removedAt === last ? [id] : []));
    this.#options.journal.bringBack(back);
    for (const id of back) this.#held.delete(id);
    return back;
  }

  /** ms since the epoch; before all time while nothing is held. */
  #lastRemoval(): number {
    return [...this.#held.values()].reduce((last, removedAt) => Math.max(last, removedAt), 0);
  }

  #giveUpLater(ids: readonly string[], removedAt: number): void {
    const { clock, log, giveUp } = this.#options;
    const left = Math.min(heldMs, Math.max(0, removedAt + heldMs - clock.now()));
    clock.sleep(left, this.#ending.signal).then(
      () => {
        for (const id of ids) {
          // One that came back and went again has a time of its own.
          if (this.#held.get(id) !== removedAt) continue;
          this.#held.delete(id);
          try {
            giveUp(id);
          } catch (error) {
            log.warn({ jobId: id, error }, 'a removed job is given up after the next start');
          }
        }
      },
      () => {},
    );
  }
}
