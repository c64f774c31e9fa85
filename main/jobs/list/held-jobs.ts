import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { HeldJob, Journal } from '../journal/journal-model.ts';

const heldMs = 10 * 60_000;

interface HeldJobsOptions {
  readonly journal: Pick<Journal, 'holdJobs' | 'bringBack'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly finalizeRemoval: (id: string) => void;
}

/** Removed jobs, restorable for ten minutes, also after restarts. */
export class HeldJobs {
  readonly #options: HeldJobsOptions;
  /** Removal times by id. */
  readonly #removalTimes = new Map<string, number>();
  readonly #stopController = new AbortController();

  constructor(options: HeldJobsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#removalTimes.has(id);
  }

  restore({ id, removedAt }: HeldJob): void {
    this.#removalTimes.set(id, removedAt);
  }

  start(): void {
    const byTime = Map.groupBy(this.#removalTimes, ([, removedAt]) => removedAt);
    for (const [removedAt, group] of byTime)
      this.#scheduleRemoval(
        group.map(([id]) => id),
        removedAt,
      );
  }

  stop(): void {
    this.#stopController.abort();
  }

  /** Returns the ids that were listed and had ended. Throws `journal-full` or `journal-unusable`. */
  holdBack(ids: readonly string[]): readonly string[] {
    // Jobs removed together are restored together, so each removal needs a unique time.
    const removedAt = Math.max(this.#options.clock.now(), this.#lastRemoval() + 1);
    const goneIds = this.#options.journal.holdJobs(ids, removedAt);
    for (const id of goneIds) this.restore({ id, removedAt });
    if (goneIds.length > 0) this.#scheduleRemoval(goneIds, removedAt);
    return goneIds;
  }

  /** Restores those still held; null: those removed last. */
  bringBack(requestedIds: readonly string[] | null): readonly string[] {
    const lastRemoval = this.#lastRemoval();
    const back = requestedIds
      ? requestedIds.filter((id) => this.has(id))
      : [...this.#removalTimes].flatMap(([id, removedAt]) => (removedAt === lastRemoval ? [id] : []));
    this.#options.journal.bringBack(back);
    for (const id of back) this.#removalTimes.delete(id);
    return back;
  }

  #lastRemoval(): number {
    return [...this.#removalTimes.values()].reduce((latest, removedAt) => Math.max(latest, removedAt), 0);
  }

  #scheduleRemoval(ids: readonly string[], removedAt: number): void {
    const { clock, log, finalizeRemoval } = this.#options;
    const remainingMs = Math.min(heldMs, Math.max(0, removedAt + heldMs - clock.now()));
    clock.sleep(remainingMs, this.#stopController.signal).then(
      () => {
        for (const id of ids) {
          // It was restored and removed again in between.
          if (this.#removalTimes.get(id) !== removedAt) continue;
          this.#removalTimes.delete(id);
          try {
            finalizeRemoval(id);
          } catch (error) {
            log.warn({ jobId: id, error }, 'a removed job is given up after the next start');
          }
        }
      },
      () => {},
    );
  }
}
