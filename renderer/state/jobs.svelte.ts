import type { JobAction, JobView } from '../../preload/contract.ts';
import type { EndedPlace, EndedRest } from '../../shared/job.ts';
import type { Api } from '../api.ts';
import { announce } from '../words/job-row.ts';
import { JobSearch } from './job-search.svelte.ts';
import { earlierAttempts, withoutEarlier } from './uploads/attempts.ts';
import { type Batch, batchAfter } from './uploads/batch.ts';
import type { QueueRequest } from './uploads/choices.ts';
import { addSample, type Sample } from './uploads/throughput.ts';

const nothingLeft: EndedRest = { count: 0, bytes: 0 };

/** What a job has made so far. */
const madeOf = (job: JobView | undefined) =>
  job === undefined || job.assetId === null ? '' : `${job.assetId} ${job.status === 'complete'}`;

/** All jobs, kept up to date by main's events. */
export class JobsState {
  /** Newest first, without those whose place another one has taken. */
  list: readonly JobView[] = $state.raw([]);
  /** The same with those that a search has brought from further down. */
  known: readonly JobView[] = $state.raw([]);
  loaded = $state(false);
  /** Ended jobs that were not asked for yet: none once all are in the list. */
  rest: EndedRest = $state.raw(nothingLeft);
  /** Counts up as assets come to be, become complete, or leave the list with their jobs. */
  made = $state(0);
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
  /** Among the ended jobs that the list does not have yet. */
  readonly search: JobSearch;
  readonly #api: Api;
  readonly #now: () => number;
  #byId = new Map<string, JobView>();
  /** Those that only a search has brought so far. */
  readonly #brought = new Set<string>();
  /** Where the next page of ended jobs goes on; null where there is none. */
  #next: EndedPlace | null = null;
  #asking: Promise<void> | null = null;
  #failed: (thrown: unknown) => void = () => {};
  #batch: Batch = new Set();
  #onBatch: (ended: readonly JobView[]) => void = () => {};

  constructor(api: Api, now: () => number) {
    this.#api = api;
    this.#now = now;
    this.search = new JobSearch(api, { end: () => this.#next, bring: (jobs) => this.#bring(jobs) });
  }

  /**
   * Returns an unsubscribe function. `onBatch`: the last of several uploads ended, these are all that came to
   * their end.
   */
  start(failed: (thrown: unknown) => void, onBatch: (ended: readonly JobView[]) => void): () => void {
    this.#onBatch = onBatch;
    this.#failed = failed;
    this.search.start(failed);
    const stop = this.#api.on('jobs.changed', ({ changed, removed }) => this.#take(changed, removed));
    this.#ask(null).then(() => {
      this.loaded = true;
    }, failed);
    return stop;
  }

  /** The next page of ended jobs, where there is one. */
  async more(): Promise<void> {
    if (this.#next === null) return;
    this.#asking ??= this.#ask(this.#next)
      .catch(this.#failed)
      .finally(() => {
        this.#asking = null;
      });
    await this.#asking;
  }

  /** All of them, page by page: for whoever means every one. */
  async all(): Promise<void> {
    await this.#moreWhile(() => true);
  }

  /** As many pages as it takes until this one is there, where there is one. */
  async reach(id: string): Promise<void> {
    await this.#moreWhile(() => !this.#byId.has(id) || this.#brought.has(id));
  }

  async #moreWhile(isWanted: () => boolean): Promise<void> {
    for (let before = null; this.#next !== null && this.#next !== before && isWanted(); ) {
      before = this.#next;
      await this.more();
    }
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

  async #ask(after: EndedPlace | null): Promise<void> {
    const { jobs, next, rest } = await this.#api.call('jobs.list', after);
    this.#next = next;
    this.rest = rest;
    for (const { id } of jobs) this.#brought.delete(id);
    this.#takeNew(jobs);
  }

  #bring(jobs: readonly JobView[]): void {
    for (const { id } of jobs) if (!this.#byId.has(id)) this.#brought.add(id);
    this.#takeNew(jobs);
  }

  /** What an event has already brought is newer than an answer. */
  #takeNew(jobs: readonly JobView[]): void {
    const isNew = ({ id }: JobView) => !this.#byId.has(id);
    this.#take(jobs.filter(isNew), [], false);
  }

  #take(changed: readonly JobView[], removed: readonly string[], speak = true): void {
    for (const job of changed) {
      const before = this.#byId.get(job.id);
      if (speak) this.#brought.delete(job.id);
      const changed = before?.status !== job.status || before.waitingFor !== job.waitingFor;
      if (speak && changed) this.announcement = announce(job, this.#now());
      if (speak && madeOf(job) !== madeOf(before)) this.made += 1;
      this.#byId.set(job.id, job);
    }
    for (const id of removed) {
      if (madeOf(this.#byId.get(id)) !== '') this.made += 1;
      this.#byId.delete(id);
      this.#brought.delete(id);
    }
    this.known = withoutEarlier(this.#byId).sort((a, b) => b.createdAt - a.createdAt);
    this.list = this.#brought.size === 0 ? this.known : this.known.filter(({ id }) => !this.#brought.has(id));
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
