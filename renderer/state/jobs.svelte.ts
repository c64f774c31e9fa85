import type { JobAction, JobView } from '../../preload/contract.ts';
import { type EndedPlace, type EndedRest, noRest } from '../../shared/job.ts';
import { hasFailed } from '../../shared/job-status.ts';
import type { Api } from '../api.ts';
import { announce } from '../words/job-row.ts';
import { JobSearch } from './job-search.svelte.ts';
import { earlierAttempts, withoutEarlier } from './uploads/attempts.ts';
import { type Batch, batchAfter } from './uploads/batch.ts';
import type { QueueRequest } from './uploads/choices.ts';
import { addSample, type Sample } from './uploads/throughput.ts';

/** Changes when a job creates or completes its asset. */
const madeOf = (job: JobView | undefined) =>
  job === undefined || job.assetId === null ? '' : `${job.assetId} ${job.status === 'complete'}`;

/** All jobs, kept up to date by main's events. Methods throw `ApiError`. */
export class JobsState {
  /** Newest first, without replaced jobs. */
  list: readonly JobView[] = $state.raw([]);
  /** `list` and the ended jobs that a search loaded. */
  loadedJobs: readonly JobView[] = $state.raw([]);
  isLoaded = $state(false);
  unloaded: EndedRest = $state.raw(noRest);
  /** Counts up when an asset is created or completed, or leaves the list with its job. */
  assetRevision = $state(0);
  /** The opened job until its details scroll into view, so that a remounted list doesn't scroll again. */
  revealing: string | null = null;
  /** Ids from a notice: the list shows only these jobs. */
  onlyIds: readonly string[] | null = $state.raw(null);
  /** A choice made outside the list, which the list executes. */
  request: QueueRequest | null = $state.raw(null);
  /** Announces the latest change of a job's state to screen readers. */
  announcement = $state('');
  /** Speed of each job while sending, by id. */
  throughput: ReadonlyMap<string, readonly Sample[]> = $state.raw(new Map());
  readonly search: JobSearch;
  #openedId: string | null = $state(null);
  readonly #api: Api;
  readonly #readTime: () => number;
  #byId = new Map<string, JobView>();
  /** Jobs loaded by a search only. */
  readonly #brought = new Set<string>();
  #nextPage: EndedPlace | null = null;
  #currentRequest: Promise<void> | null = null;
  #onFailure: (error: unknown) => void = () => {};
  #batch: Batch = new Set();
  #onBatch: (jobs: readonly JobView[]) => void = () => {};

  constructor(api: Api, readTime: () => number) {
    this.#api = api;
    this.#readTime = readTime;
    this.search = new JobSearch(api, { end: () => this.#nextPage, bring: (jobs) => this.#bring(jobs) });
  }

  /**
   * Returns an unsubscribe function. `onBatch` receives the finished uploads when the last of several ends.
   */
  start(onFailure: (error: unknown) => void, onBatch: (jobs: readonly JobView[]) => void): () => void {
    this.#onBatch = onBatch;
    this.#onFailure = onFailure;
    this.search.start(onFailure);
    const stop = this.#api.on('jobs.changed', ({ changed: changedJobs, removed: removedIds }) =>
      this.#applyChanges(changedJobs, removedIds),
    );
    this.#ask(null).then(() => {
      this.isLoaded = true;
    }, onFailure);
    return stop;
  }

  get failedCount(): number {
    return this.list.filter(({ status }) => hasFailed(status)).length + this.unloaded.failed;
  }

  get openedId(): string | null {
    return this.#openedId;
  }

  set openedId(id: string | null) {
    this.#openedId = id;
    this.revealing = id;
  }

  async loadMore(): Promise<void> {
    if (this.#nextPage === null) return;
    this.#currentRequest ??= this.#ask(this.#nextPage)
      .catch(this.#onFailure)
      .finally(() => {
        this.#currentRequest = null;
      });
    await this.#currentRequest;
  }

  async loadAll(): Promise<void> {
    await this.#moreWhile(() => true);
  }

  async reachJob(id: string): Promise<void> {
    await this.#moreWhile(() => !this.#byId.has(id) || this.#brought.has(id));
  }

  async #moreWhile(isWanted: () => boolean): Promise<void> {
    for (let previous = null; this.#nextPage !== null && this.#nextPage !== previous && isWanted(); ) {
      previous = this.#nextPage;
      await this.loadMore();
    }
  }

  findJob(id: string): JobView | undefined {
    // Makes callers depend on the list.
    void this.list;
    return this.#byId.get(id);
  }

  earlierOf(job: JobView): readonly JobView[] {
    void this.list;
    return earlierAttempts(job, this.#byId);
  }

  /** Id of the list's job that shows this one: itself or its replacement. */
  headOf(id: string): string {
    const head = this.list.find(
      (job) => job.id === id || this.earlierOf(job).some((attempt) => attempt.id === id),
    );
    return head?.id ?? id;
  }

  async performAction(id: string, action: JobAction): Promise<void> {
    await this.#api.call('jobs.act', { id, action });
  }

  /** Acts on each job whose state allows it and returns their ids. */
  async actOn(ids: readonly string[], action: JobAction): Promise<readonly string[]> {
    return this.#api.call('jobs.actOn', { ids, action });
  }

  /** Moves queued jobs before another one; null: to the end. */
  async move(ids: readonly string[], successor: string | null): Promise<void> {
    await this.#api.call('jobs.move', { ids, successorId: successor });
  }

  async copyList(ids: readonly string[]): Promise<void> {
    await this.#api.call('jobs.copyList', ids);
  }

  /** Restores removed jobs (null: the last removed ones) and returns their ids. */
  async bringBack(ids: readonly string[] | null): Promise<readonly string[]> {
    return this.#api.call('jobs.bringBack', ids);
  }

  async #ask(place: EndedPlace | null): Promise<void> {
    const { jobs, next: nextPage, rest: remainder } = await this.#api.call('jobs.list', place);
    this.#nextPage = nextPage;
    this.unloaded = remainder;
    for (const { id } of jobs) this.#brought.delete(id);
    this.#takeNew(jobs);
  }

  #bring(jobs: readonly JobView[]): void {
    for (const { id } of jobs) if (!this.#byId.has(id)) this.#brought.add(id);
    this.#takeNew(jobs);
  }

  /** Events are newer than an answer, so jobs they brought stay. */
  #takeNew(jobs: readonly JobView[]): void {
    const isNew = ({ id }: JobView) => !this.#byId.has(id);
    this.#applyChanges(jobs.filter(isNew), [], false);
  }

  #applyChanges(changedJobs: readonly JobView[], removedIds: readonly string[], speak = true): void {
    for (const job of changedJobs) {
      const previous = this.#byId.get(job.id);
      if (speak) this.#brought.delete(job.id);
      const hasChanged = previous?.status !== job.status || previous.waitingFor !== job.waitingFor;
      if (speak && hasChanged) this.announcement = announce(job, this.#readTime());
      if (speak && madeOf(job) !== madeOf(previous)) this.assetRevision += 1;
      this.#byId.set(job.id, job);
    }
    for (const id of removedIds) {
      if (madeOf(this.#byId.get(id)) !== '') this.assetRevision += 1;
      this.#byId.delete(id);
      this.#brought.delete(id);
    }
    this.loadedJobs = withoutEarlier(this.#byId).sort((a, b) => b.createdAt - a.createdAt);
    this.list =
      this.#brought.size === 0 ? this.loadedJobs : this.loadedJobs.filter(({ id }) => !this.#brought.has(id));
    this.#sample(changedJobs, removedIds);
    const { batch, ended: endedJobs } = batchAfter(this.#batch, this.list);
    this.#batch = batch;
    if (endedJobs.length > 0) this.#onBatch(endedJobs);
  }

  #sample(changedJobs: readonly JobView[], removedIds: readonly string[]): void {
    const throughput = new Map(this.throughput);
    for (const job of changedJobs) {
      if (job.bytesPerSecond === null) continue;
      const sample = { at: this.#readTime(), bytesPerSecond: job.bytesPerSecond };
      throughput.set(job.id, addSample(throughput.get(job.id) ?? [], sample));
    }
    for (const id of removedIds) throughput.delete(id);
    this.throughput = throughput;
  }
}
