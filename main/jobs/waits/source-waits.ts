import type { Clock } from '../../ports.ts';
import { CredentialLife } from '../../transfer/request-retry.ts';
import type { LiveJob } from '../steps/live-job.ts';
import type { FolderChecks } from './folder-checks.ts';
import { type AwayFolder, isBack, sourceAway } from './source-away.ts';

interface SourceWaitsOptions {
  readonly checks: FolderChecks;
  readonly clock: Clock;
  readonly onBack: () => void;
  /** May throw if the journal can't be written. */
  readonly onExpired: (job: LiveJob) => void;
  readonly onTrouble: (job: LiveJob, error: unknown) => void;
}

/** Polling interval, ms. */
const pollMs = 2_000;

/** Waiting jobs keep only credentials: no turn, no connection. */
export class SourceWaits {
  readonly #deps: SourceWaitsOptions;
  readonly #waits = new Map<string, AbortController>();
  readonly #flickers = new Map<string, { readonly bytes: number; readonly times: number }>();

  constructor(options: SourceWaitsOptions) {
    this.#deps = options;
  }

  /** `endsAt`: ms since the epoch. */
  beginWait(job: LiveJob, awayFolder: AwayFolder, endsAt: number): void {
    this.#forget(job);
    const stopController = new AbortController();
    this.#waits.set(job.id, stopController);
    job.wait(sourceAway(awayFolder.home));
    const life = new CredentialLife(this.#deps.clock, endsAt, () => 0);
    void this.#watch(job, awayFolder, life, stopController.signal).catch((error) => {
      if (!stopController.signal.aborted) this.#deps.onTrouble(job, error);
    });
  }

  end(job: LiveJob): void {
    if (this.#forget(job)) job.wakeUp();
  }

  stop(): void {
    for (const stopController of this.#waits.values()) stopController.abort();
    this.#waits.clear();
  }

  /** `times`: maximum without progress. */
  mayRetry(job: LiveJob, times: number): boolean {
    const bytes = job.progress.acknowledged;
    const previous = this.#flickers.get(job.id);
    const retries = previous?.bytes === bytes ? previous.times + 1 : 1;
    this.#flickers.set(job.id, { bytes, times: retries });
    return retries <= times;
  }

  async #watch(
    job: LiveJob,
    awayFolder: AwayFolder,
    life: CredentialLife,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, checks, onExpired, onBack } = this.#deps;
    for (;;) {
      const remainingMs = life.leftMs;
      if (remainingMs <= 0) {
        this.end(job);
        return onExpired(job);
      }
      await clock.sleep(Math.min(pollMs, remainingMs), signal);
      if (!(await isBack(awayFolder, checks, signal))) continue;
      this.end(job);
      return onBack();
    }
  }

  #forget(job: LiveJob): boolean {
    this.#waits.get(job.id)?.abort();
    return this.#waits.delete(job.id);
  }
}
