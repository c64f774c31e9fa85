import { withinOrAbandon } from '../../abandoned-work.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import { areThere } from '../../files/whereabouts.ts';
import { gatherChanges } from '../../gather-changes.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { createListeners } from '../../listeners.ts';
import type { Random } from '../../service/backoff.ts';
import { WorkLine } from '../../work-line.ts';
import type { SourceMarks } from '../lease/takeover.ts';
import type { FolderLeases } from '../model/lease-model.ts';
import type { LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { isAhead } from '../model/scheduling.ts';
import { type LedgerPorts, writeActivity } from '../state/ports.ts';
import { afterJob, underWay } from './after-job.ts';
import type { FollowedJob, Outages } from './outages.ts';
import type { Refusals } from './refusals.ts';
import type { SourceEnds } from './source-ends.ts';

interface JobFollowerOptions {
  readonly parts: LedgerPorts;
  readonly outages: Pick<Outages, 'failed' | 'saw' | 'succeeded'>;
  readonly refusals: Pick<Refusals, 'passed'>;
  readonly leases: FolderLeases;
  readonly marks: SourceMarks;
  readonly ends: SourceEnds;
  readonly rescan: (ruleId: string, path: string) => void;
  readonly random: Random;
}

/** Gathers changes, ms; an upload changes many times a second. */
const gatherMs = 200;
/** Unsent jobs per account. */
const maxAhead = 20;
/** After an end that could not be noted, ms. */
const checkAgainMs = 5_000;
/** How long `stop` waits, ms; a dead file server may block moves forever. */
const stopPatienceMs = 3_000;
/** How long a dead drive may delay the end of a failed source, ms. */
const lookPatienceMs = 3_000;

/** Follows jobs to their end and writes the outcome into the ledger. */
export class JobFollower {
  readonly #parts: LedgerPorts;
  readonly #options: JobFollowerOptions;
  readonly #followed = new Map<string, FollowedJob & { marked?: string | undefined }>();
  readonly #changed = gatherChanges<string>(gatherMs, (ids) => {
    for (const id of ids) this.#checkJob(id);
    this.#slotListeners.emit();
  });
  readonly #slotListeners = createListeners<[]>();
  /** A job slot may be free. Returns an unsubscribe function. */
  readonly onSlot = this.#slotListeners.add;
  readonly #unrelated = new Set<string>();
  readonly #stopping = new AbortController();
  #stopListening = () => {};
  /** One at a time for each rule: an end may move files, and an unresponsive drive blocks only its rule. */
  readonly #work = new WorkLine();

  constructor(options: JobFollowerOptions) {
    this.#parts = options.parts;
    this.#options = options;
  }

  start(): void {
    for (const { jobId, ruleId } of this.#parts.ledger.takenEntries())
      if (jobId !== null) this.follow(jobId, ruleId);
    this.#stopListening = this.#parts.jobs.onChange((id) => {
      if (this.#followed.has(id) || this.#isResumed(id)) this.#changed.add(id);
    });
  }

  async stop(): Promise<void> {
    this.#stopListening();
    this.#changed.stop();
    this.#stopping.abort();
    await withinOrAbandon(this.#work.settled(), stopPatienceMs);
  }

  follow(jobId: string, ruleId: string): void {
    this.#add(jobId, ruleId);
    this.#changed.add(jobId);
  }

  get followed(): Iterable<FollowedJob> {
    return this.#followed.values();
  }

  #add(jobId: string, ruleId: string): void {
    const accountId = this.#parts.jobs.get(jobId)?.accountId ?? '';
    this.#followed.set(jobId, { ...this.#followed.get(jobId), ruleId, accountId });
  }

  *jobs(): Iterable<{ readonly job: JobSnapshot; readonly ruleId: string }> {
    for (const [id, { ruleId }] of this.#followed) {
      const job = this.#parts.jobs.get(id);
      if (job) yield { job, ruleId };
    }
  }

  /**
   * Limits an account's jobs ahead of the uploads. Otherwise a burst of 500 folders would fill the list, and
   * sources that change while their job waits would have been picked up too early.
   */
  hasSlot(accountId: string): boolean {
    let ahead = 0;
    for (const { job } of this.jobs()) if (job.accountId === accountId && isAhead(job)) ahead += 1;
    return ahead < maxAhead;
  }

  /** The user retried or replaced an ended job in the list: its source must not be uploaded twice. */
  #isResumed(jobId: string): boolean {
    const { jobs, ledger, log } = this.#parts;
    const job = jobs.get(jobId);
    if (this.#unrelated.has(jobId) || job?.endedAt !== null) return false;
    try {
      const entry = ledger.ofJob(jobId) ?? ledger.ofJob(job.predecessor ?? '');
      if (!entry || entry.state === 'skipped') this.#unrelated.add(jobId);
      else {
        const replaced = entry.jobId === jobId ? {} : { jobId, assetId: null, uploadedAt: null };
        ledger.change(entry.ruleId, entry.path, { ...underWay(entry), ...replaced });
        this.#add(jobId, entry.ruleId);
      }
      return entry !== undefined;
    } catch (error) {
      log.warn({ jobId, error: toErrorRecord(toTileliftError(error)) }, 'the source of a job is unknown');
      return false;
    }
  }

  #checkJob(jobId: string): void {
    const followed = this.#followed.get(jobId);
    if (!followed) return;
    const { ruleId } = followed;
    const job = this.#parts.jobs.get(jobId);
    if (job) this.#options.outages.saw(followed, job);
    if (job?.uploadedAt != null) this.#options.refusals.passed(ruleId, job.uploadedAt);
    if (!job || job.endedAt !== null) {
      void this.#work.run(() => this.#jobEnded(jobId, ruleId), ruleId);
      return;
    }
    const asset = `${job.assetId} ${job.uploadedAt !== null}`;
    const rule = this.#parts.ruleOf(ruleId);
    if (!rule || job.assetId === null || followed.marked === asset) return;
    if (!this.#options.leases.writes(rule)) return;
    followed.marked = asset;
    void this.#work.run(async () => {
      if (!(await this.#mark(rule, job))) followed.marked = undefined;
    }, ruleId);
  }

  async #mark(rule: WatchRule, job: JobSnapshot): Promise<boolean> {
    const { ledger, log } = this.#parts;
    const { leases, marks } = this.#options;
    try {
      const entry = ledger.ofJob(job.id);
      if (entry?.state === 'taken' && leases.writes(rule)) await marks.markAsset(rule, entry, job);
      return true;
    } catch (error) {
      log.warn({ jobId: job.id, error: toErrorRecord(toTileliftError(error)) }, 'no asset was marked');
      return false;
    }
  }

  async #jobEnded(jobId: string, ruleId: string): Promise<void> {
    const { jobs, ledger, log } = this.#parts;
    try {
      const job = jobs.get(jobId);
      if (job && job.endedAt === null) return;
      const isGone = job !== undefined && (await this.#isGone(ruleId, job));
      const entry = ledger.ofJob(jobId);
      if (entry?.state === 'taken') await this.#writeEnd(entry, job, isGone);
      this.#followed.delete(jobId);
      // While the job was followed, it held back others of its rule, which may be the probe now.
      const refusals = [entry?.refusedAt, ledger.ofJob(jobId)?.refusedAt];
      if (refusals.some((refusedAt) => refusedAt != null)) jobs.accountsChanged();
    } catch (cause) {
      // The ledger has it as under way: the disk, or the folder with its marks, may return later.
      const error = toErrorRecord(toTileliftError(cause));
      log.error({ jobId, ruleId, error }, 'a source’s end could not be noted');
      this.#checkLater(jobId);
    }
  }

  #checkLater(jobId: string): void {
    this.#parts.clock.sleep(checkAgainMs, this.#stopping.signal).then(
      () => this.#changed.add(jobId),
      () => {},
    );
  }

  /** Somebody removed the job's source; its drive is there. False if the drive doesn't answer. */
  async #isGone(ruleId: string, job: JobSnapshot): Promise<boolean> {
    const rule = this.#parts.ruleOf(ruleId);
    if (!rule || job.status !== 'failed' || job.uploadedAt !== null) return false;
    const look = async () => (await areThere([rule.folder])) && !(await areThere(job.paths));
    return (await withinOrAbandon(look(), lookPatienceMs)) ?? false;
  }

  async #writeEnd(entry: LedgerEntry, job: JobSnapshot | undefined, isGone: boolean): Promise<void> {
    const { ledger, clock, jobs, ruleOf } = this.#parts;
    const { outages, ends, rescan, random } = this.#options;
    const { ruleId, path } = entry;
    const rule = ruleOf(ruleId);
    const forecast = job ? jobs.forecast(job.accountId, entry.bytes, entry.files) : null;
    const { change, phrases } = afterJob(entry, job, {
      rule,
      currentTime: clock.now(),
      forecastFits: forecast === null || forecast.shareOfLife <= 1,
      isGone,
      random,
    });
    const endedEntry = { ...entry, ...change };
    const isRetried = change.state === 'waits-for-retry';
    const movedTo = rule && !isRetried ? await ends.finish(rule, endedEntry, job) : null;
    ledger.change(ruleId, path, { ...change, movedTo });
    const accountId = job?.accountId ?? rule?.accountId ?? '';
    if (!isRetried || outages.failed(accountId, change.error?.code))
      writeActivity(this.#parts, ruleId, ...phrases);
    if (change.state === 'complete') outages.succeeded(accountId);
    rescan(ruleId, path);
    this.#parts.onChange(ruleId);
  }
}
