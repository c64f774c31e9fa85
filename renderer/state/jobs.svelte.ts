import type { JobAction, JobView } from '../../preload/contract.ts';
import type { Api } from '../api.ts';
import type { QueueRequest } from '../screens/uploads/queue/choices.ts';
import { earlierAttempts, withoutEarlier } from '../screens/uploads/rows/attempts.ts';
import { type Batch, batchAfter } from '../screens/uploads/rows/batch.ts';
import { addSample, type Sample } from '../screens/uploads/rows/throughput.ts';
import { announce } from '../words/job-row.ts';

/** All jobs, kept up to date by main's events. */
export class JobsState {
  /** Newest first, without those whose place another one has taken. */
  list: readonly JobView[] = $state.raw([]);
  loaded = $state(false);
  /** The job whose details are shown, by its id. */
  opened: string | null = $state(null);
  /** Those that someone was led to from a notice, by their ids: the list is to show no others. */
  only: readonly string[] | null = $state.raw(null);
  /** What was chosen away from the list, for the list to do. */
  request: QueueRequest | null = $state.raw(null);
  /** The latest change of a job's state, for those who listen rather than look. */
  announcement = $state('');
  /** Speed of each job that was seen sending, by id. */
  throughput: ReadonlyMap<string, readonly Sample[]> = $state.raw(new Map());
  readonly #api: Api;
  readonly #now: () => number;
  #byId = new Map<string, JobView>();
  #batch: Batch = new Set();
  #onBatch: (ended: readonly JobView[]) => void = () => {};

  constructor(api: Api, now: () => number) {
    this.#api = api;
    this.#now = now;
  }

  /**
   * Returns an unsubscribe function. `onBatch`: the last of several uploads ended, these are all that came to
   * their end.
   */
  start(failed: (thrown: unknown) => void, onBatch: (ended: readonly JobView[]) => void): () => void {
    this.#onBatch = onBatch;
    const stop = this.#api.on('jobs.changed', ({ changed, removed }) => this.#take(changed, removed));
    this.#api.call('jobs.list', null).then((jobs) => {
      // What an event has already brought is newer than the answer.
      this.#take(
        jobs.filter((job) => !this.#byId.has(job.id)),
        [],
        false,
      );
      this.loaded = true;
    }, failed);
    return stop;
  }

  /** The job as it is now; undefined once it was removed from the list. */
  find(id: string): JobView | undefined {
    // Whoever asks follows the list.
    void this.list;
    return this.#byId.get(id);
  }

  /** Those whose place this one has taken, the latest first. */
  earlierOf(job: JobView): readonly JobView[] {
    void this.list;
    return earlierAttempts(job, this.#byId);
  }

  /** The job in the list under which this one is found, by their ids: itself, or what took its place. */
  headOf(id: string): string {
    const head = this.list.find((job) => job.id === id || this.earlierOf(job).some((one) => one.id === id));
    return head?.id ?? id;
  }

  /** Throws `ApiError`. */
  async act(id: string, action: JobAction): Promise<void> {
    await this.#api.call('jobs.act', { id, action });
  }

  /** On each whose state allows it. Gives their ids. Throws `ApiError`. */
  async actOn(ids: readonly string[], action: JobAction): Promise<readonly string[]> {
    return this.#api.call('jobs.actOn', { ids, action });
  }

  /** Puts queued jobs before another one; null: behind all others. Throws `ApiError`. */
  async move(ids: readonly string[], before: string | null): Promise<void> {
    await this.#api.call('jobs.move', { ids, before });
  }

  /** Puts them on the clipboard as CSV, a line each. Throws `ApiError`. */
  async copyList(ids: readonly string[]): Promise<void> {
    await this.#api.call('jobs.copyList', ids);
  }

  /** Null: those that were removed last. Gives the ids of those that are back. Throws `ApiError`. */
  async bringBack(ids: readonly string[] | null): Promise<readonly string[]> {
    return this.#api.call('jobs.bringBack', ids);
  }

  #take(changed: readonly JobView[], removed: readonly string[], speak = true): void {
    for (const job of changed) {
      const before = this.#byId.get(job.id);
      const changed = before?.status !== job.status || before.waitingFor !== job.waitingFor;
      if (speak && changed) this.announcement = announce(job, this.#now());
      this.#byId.set(job.id, job);
    }
    for (const id of removed) this.#byId.delete(id);
    this.list = withoutEarlier(this.#byId).sort((a, b) => b.createdAt - a.createdAt);
    this.#sample(changed, removed);
    const { batch, ended } = batchAfter(this.#batch, this.list);
    this.#batch = batch;
    if (ended.length > 0) this.#onBatch(ended);
  }

  #sample(changed: readonly JobView[], removed: readonly string[]): void {
    const next = new Map(this.throughput);
    for (const job of changed) {
      if (job.bytesPerSecond === null) continue;
      const sample = { at: this.#now(), bytesPerSecond: job.bytesPerSecond };
      next.set(job.id, addSample(next.get(job.id) ?? [], sample));
    }
    for (const id of removed) next.delete(id);
    this.throughput = next;
  }
}
