import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EndedPlace, Forecast, HistoryEntry, JobFiles } from '../../../shared/job.ts';
import type { JobAction } from '../../../shared/job-status.ts';
import { byTurn, movedPlaces } from '../../../shared/queue.ts';
import type { JobFilter } from '../../../shared/search/job-filter.ts';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import { createListeners } from '../../listeners.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import { actionsOf } from '../actions.ts';
import { checkNewJob } from '../check-new-job.ts';
import { historyOf } from '../history.ts';
import { RemovedJobs } from '../journal/clear-removed.ts';
import type { JobRecord, Journal, PlacedJob } from '../journal/journal-model.ts';
import { EndedJobs } from '../list/ended-jobs.ts';
import { findEnded } from '../list/find-ended.ts';
import { HeldJobs } from '../list/held-jobs.ts';
import type { EndedPage, JobService, JobSnapshot, NewJob, SentFile } from '../model.ts';
import { isEnded, mayStillSend, runningPart } from '../state.ts';
import type { JobCollaborators } from '../steps/job-collaborators.ts';
import { LiveJob } from '../steps/live-job.ts';
import { collaboratorsOf, type JobServiceOptions } from './job-options.ts';
import { isTakenUp, loadUnfinished } from './load-unfinished.ts';
import { restartRequest } from './restart-request.ts';
import { JobRunner, turnOf } from './runner.ts';
import { isQueued, snapshotOf } from './snapshot.ts';

/** A few milliseconds' worth. */
const maxReadAtOnce = 100;
const maxOfSource = 1_000;
/** Files shown per kind. */
const listedFiles = 100;

/** Manages jobs from the drop to the end of tiling, across restarts. */
export class Jobs implements JobService {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #jobs = new Map<string, LiveJob>();
  /** Ended jobs that are still cleaning up. */
  readonly #cleaningUp = new Set<string>();
  readonly #listeners = createListeners<[id: string]>();
  readonly #endedJobs: EndedJobs;
  readonly #heldJobs: HeldJobs;
  readonly #removedJobs: RemovedJobs;
  readonly #collaborators: JobCollaborators;
  readonly #runner: JobRunner;

  /** @throws TileliftError `journal-unusable` */
  constructor(options: JobServiceOptions) {
    const { journal, clock } = options;
    const log = options.log.child('jobs');
    this.#journal = journal;
    this.#clock = clock;
    this.#log = log;
    const live = (placedJob: PlacedJob) => this.#live(placedJob);
    this.#endedJobs = new EndedJobs({
      ...{ journal, clock, log, live },
      onUnfinished: (job) => {
        this.#jobs.set(job.id, job);
        this.#runner.startReady();
      },
    });
    for (const job of loadUnfinished(journal, live, log)) this.#jobs.set(job.id, job);
    this.#collaborators = collaboratorsOf(options, log, (jobId) => {
      const job = this.#findJob(jobId);
      return job !== undefined && mayStillSend(job.state);
    });
    this.#removedJobs = new RemovedJobs(journal, log);
    this.#heldJobs = new HeldJobs({
      ...{ journal, clock, log },
      finalizeRemoval: (id) => {
        this.#collaborators.pendingAborts.release(id);
        journal.removeJob(id);
        this.#endedJobs.forget(id);
        this.#removedJobs.clear();
        options.onRemoved?.(id);
      },
    });
    for (const job of journal.heldJobs()) this.#heldJobs.restore(job);
    const { maxSending = 1 } = options;
    this.#runner = new JobRunner({ jobs: this.#jobs, collaborators: this.#collaborators, maxSending });
  }

  start(): void {
    const { grants, pendingAborts } = this.#collaborators;
    for (const id of grants.jobIds()) {
      const job = this.#findListed(id);
      if (job && isEnded(job.state)) this.#runner.releaseEnded(job);
    }
    for (const job of this.#jobs.values()) if (isTakenUp(job.state)) job.apply({ kind: 'taken-up' });
    pendingAborts.start();
    this.#removedJobs.clear();
    this.#heldJobs.start();
    this.#runner.start();
  }

  async stop(): Promise<void> {
    this.#heldJobs.stop();
    await Promise.all([
      this.#runner.stop(),
      this.#removedJobs.stop(),
      this.#collaborators.pendingAborts.stop(),
    ]);
  }

  add(job: NewJob, alongside?: (jobId: string) => void): string {
    checkNewJob(job);
    const { accountId, paths, body, acceptForecast, changes, predecessor } = job;
    const id = randomUUID();
    const record: JobRecord = {
      ...{ id, accountId, paths: [...paths], body, createdAt: this.#clock.now(), acceptForecast },
      ...(job.isKindDetected ? { isKindDetected: true } : {}),
      ...(job.exactly ? { exactly: job.exactly } : {}),
      ...(predecessor === undefined ? {} : { predecessor }),
      ...(job.expected ? { expected: job.expected } : {}),
    };
    this.#journal.addJob({ ...record, ...(changes ? { changes } : {}) }, alongside && (() => alongside(id)));
    const { place = 0 } = this.#journal.job(id) ?? {};
    this.#jobs.set(id, this.#live({ record, place }));
    this.#log.info({ jobId: id, paths: paths.length, type: body.type }, 'job added');
    this.#notify(id);
    this.#runner.startReady();
    return id;
  }

  forecast(accountId: string, bytes: number, files: number): Forecast | null {
    return this.#collaborators.forecast(accountId, bytes, files);
  }

  list(): readonly JobSnapshot[] {
    const jobsById = new Map([...this.#unfinishedJobs(), ...this.#allEnded()].map((job) => [job.id, job]));
    return [...jobsById.values()].sort((a, b) => b.createdAt - a.createdAt);
  }

  unfinishedJobs(): readonly JobSnapshot[] {
    return this.#unfinishedJobs().filter((job) => job.endedAt === null);
  }

  listEnded(max: number, previousPlace?: EndedPlace): EndedPage {
    const rows = this.#journal.endedPage(max, previousPlace);
    const lastRow = rows.at(-1);
    return {
      jobs: rows.flatMap(({ id }) => this.#findJob(id) ?? []).map((job) => this.#snapshot(job)),
      next: lastRow && rows.length === max ? { createdAt: lastRow.createdAt, row: lastRow.row } : null,
    };
  }

  async findEnded(
    filter: JobFilter,
    max: number,
    previousPlace?: EndedPlace,
  ): ReturnType<JobService['findEnded']> {
    const { ids, ...page } = await findEnded(this.#journal, filter, max, previousPlace);
    const jobs = ids.flatMap((id) => this.#findListed(id) ?? []).map((job) => this.#snapshot(job));
    return { jobs, ...page };
  }

  endedAfter(place: EndedPlace): ReturnType<JobService['endedAfter']> {
    return this.#journal.endedAfter(place);
  }

  endedTotals(): ReturnType<JobService['endedTotals']> {
    return this.#journal.endedTotals();
  }

  *ofSource(accountId: string, paths: readonly string[]): Iterable<JobSnapshot> {
    for (const id of this.#journal.jobsOfSource(accountId, paths, maxOfSource)) {
      const job = this.#findListed(id);
      if (job) yield this.#snapshot(job);
    }
  }

  ofAsset(accountId: string, assetId: number): ReturnType<JobService['ofAsset']> {
    return this.#journal
      .jobsOfAsset(accountId, assetId)
      .flatMap((id) => this.#findJob(id) ?? [])
      .map((job) => ({ ...this.#snapshot(job), isListed: !this.#heldJobs.has(job.id) }))
      .filter((job) => job.assetId === assetId);
  }

  assetIds(accountId: string): readonly number[] {
    return this.#journal.assetIds(accountId);
  }

  get(id: string): JobSnapshot | undefined {
    const job = this.#findListed(id);
    return job && this.#snapshot(job);
  }

  requestOf(id: string): NewJob {
    const job = this.#requireJob(id);
    const changes = this.#journal.changes(id);
    return { ...job.record, ...(changes ? { changes } : {}) };
  }

  history(id: string): readonly HistoryEntry[] {
    return historyOf(this.#findListed(id)?.events ?? []);
  }

  files(id: string): JobFiles {
    return this.#journal.fileProgress(id, listedFiles);
  }

  sentFiles(id: string): Iterable<SentFile> {
    return this.#findListed(id) ? sentFiles(this.#journal, id) : [];
  }

  firstFiles(id: string): ReturnType<JobService['firstFiles']> {
    return this.#findListed(id) ? this.#journal.firstFiles(id) : [];
  }

  async act(id: string, action: JobAction): Promise<void> {
    const job = this.#requireJob(id);
    if (actionsOf(job).includes(action)) await this.#perform(job, action);
  }

  /** Starts no job that is about to be paused or cancelled. */
  async actOn(ids: readonly string[], action: JobAction): Promise<readonly string[]> {
    if (action === 'remove') return this.#remove(ids);
    const inTurn: (ReturnType<typeof turnOf> & { readonly id: string })[] = [];
    for (const [index, id] of ids.entries()) {
      const job = this.#findListed(id);
      if (job && actionsOf(job).includes(action)) inTurn.push({ id, ...turnOf(job) });
      if (index % maxReadAtOnce === maxReadAtOnce - 1) await setImmediate();
    }
    inTurn.sort(byTurn);
    for (const { id } of stoppingActions.has(action) ? inTurn.toReversed() : inTurn) {
      const job = this.#findListed(id);
      if (job && actionsOf(job).includes(action)) await this.#perform(job, action);
      // Hundreds of transactions at once would block the main thread.
      await setImmediate();
    }
    return inTurn.map(({ id }) => id);
  }

  move(ids: readonly string[], successor: string | null): void {
    const queue = [...this.#jobs.values()].filter(({ id, state }) =>
      isQueued(state, this.#runner.hasTurn(id)),
    );
    const moved = movedPlaces(queue, new Set(ids), successor);
    this.#journal.setPlaces(moved);
    for (const [id, place] of moved) this.#jobs.get(id)?.setPlace(place);
  }

  rename(id: string, name: string): void {
    const job = this.#jobs.get(id);
    if (!job || isEnded(job.state) || runningPart(job.state).kind !== 'queued') return;
    if (name.trim() !== '') job.rename(name.trim());
  }

  bringBack(ids: readonly string[] | null): readonly string[] {
    const back = this.#heldJobs.bringBack(ids);
    for (const id of back) this.#notify(id);
    return back;
  }

  madeOf(accountId: string, fingerprint: string): ReturnType<JobService['madeOf']> {
    return this.#journal.madeOf(accountId, fingerprint);
  }

  madeAssets(accountId: string): readonly number[] {
    return this.#journal.madeAssets(accountId);
  }

  wake(accountId: string): void {
    for (const job of this.#jobs.values())
      if (job.record.accountId === accountId && job.isWaiting) job.wakeUp();
    this.#runner.startReady();
  }

  accountsChanged(): void {
    this.#runner.startReady();
  }

  onChange(listener: (id: string) => void): () => void {
    return this.#listeners.add(listener);
  }

  async #perform(job: LiveJob, action: JobAction): Promise<void> {
    switch (action) {
      case 'confirm':
        job.apply({ kind: 'confirmed' });
        return this.#runner.startReady();
      case 'pause':
        job.apply({ kind: 'paused' });
        return this.#runner.interrupt(job);
      case 'cancel':
        job.apply({ kind: 'cancelled' });
        return this.#runner.interrupt(job);
      case 'stop-following': {
        const subject = (job.state.kind === 'tiling' && job.state.assetStatus) || '';
        const error = toErrorRecord(new TileliftError('tiling-unfollowed', { subject }));
        job.apply({ kind: 'failed', error });
        return this.#runner.interrupt(job);
      }
      case 'resume':
        job.apply({ kind: 'resumed' });
        return this.#runner.startReady();
      case 'try-again':
        job.apply({ kind: 'tried-again' });
        this.#endedJobs.forget(job.id);
        this.#jobs.set(job.id, job);
        return this.#runner.startReady();
      case 'try-now':
        return job.tryNow();
      case 'start-again':
        this.add({ ...restartRequest(job, this.#journal.changes(job.id)), predecessor: job.id });
        return;
      case 'remove':
        this.#remove([job.id]);
        return;
    }
  }

  #remove(ids: readonly string[]): readonly string[] {
    const goneIds = this.#heldJobs.holdBack(ids);
    for (const id of goneIds) {
      this.#jobs.delete(id);
      this.#notify(id);
    }
    return goneIds;
  }

  #notify(id: string): void {
    const job = this.#jobs.get(id);
    if (job && isEnded(job.state)) this.#cleaningUp.add(id);
    this.#listeners.emit(id);
    this.#retire();
  }

  #retire(): void {
    for (const id of this.#cleaningUp) {
      const job = this.#jobs.get(id);
      if (job && this.#runner.isBusy(id)) continue;
      this.#cleaningUp.delete(id);
      if (!job || !isEnded(job.state)) continue;
      this.#jobs.delete(id);
      this.#endedJobs.storeJob(job);
    }
  }

  #live({ record, place }: PlacedJob): LiveJob {
    const onChange = (id: string) => this.#notify(id);
    const [journal, clock] = [this.#journal, this.#clock];
    return new LiveJob(record, journal.events(record.id), { journal, clock, onChange, place });
  }

  /** Also restorable jobs. */
  #findJob(id: string): LiveJob | undefined {
    return this.#jobs.get(id) ?? this.#endedJobs.get(id);
  }

  #findListed(id: string): LiveJob | undefined {
    return this.#heldJobs.has(id) ? undefined : this.#findJob(id);
  }

  #requireJob(id: string): LiveJob {
    const job = this.#findListed(id);
    if (!job) throw new TileliftError('job-unknown');
    return job;
  }

  #snapshot(job: LiveJob): JobSnapshot {
    return snapshotOf(job, this.#runner.hasTurn(job.id));
  }

  #unfinishedJobs(): readonly JobSnapshot[] {
    return newestFirst([...this.#jobs.values()]).map((job) => this.#snapshot(job));
  }

  #allEnded(): readonly JobSnapshot[] {
    const allJobs: JobSnapshot[] = [];
    let previousPlace: EndedPlace | undefined;
    do {
      const { jobs, next: nextPlace } = this.listEnded(maxReadAtOnce, previousPlace);
      allJobs.push(...jobs);
      previousPlace = nextPlace ?? undefined;
    } while (previousPlace);
    return allJobs;
  }
}

function newestFirst(jobs: LiveJob[]): LiveJob[] {
  return jobs.reverse().sort((a, b) => b.record.createdAt - a.record.createdAt);
}

const stoppingActions: ReadonlySet<JobAction> = new Set(['pause', 'cancel']);

function* sentFiles(journal: Journal, jobId: string): Iterable<SentFile> {
  let page = journal.sentFiles(jobId);
  while (page.length > 0) {
    yield* page;
    page = journal.sentFiles(jobId, page.at(-1)?.id);
  }
}
