import { toErrorRecord, toTileliftError } from '../../errors.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { letGo } from '../claims/claim-end.ts';
import { afterJob } from '../ledger/after-job.ts';
import type { LedgerChange } from '../ledger/ledger-model.ts';
import type { LedgerEntry } from '../model.ts';
import type { Outages } from '../outage/outages.ts';
import { withPatience } from '../patience.ts';
import type { WatchRule } from '../rule.ts';
import { note, type WatchParts } from '../watch-parts.ts';

export interface FollowerHooks {
  /** Rules that were removed are not known any more. */
  readonly ruleOf: (ruleId: string) => WatchRule | undefined;
  /** Nothing more is tried by itself: receipt, claim, moving, telling. Gives where the source was moved to; null when it was not. */
  readonly finish: (
    rule: WatchRule,
    entry: LedgerEntry,
    job: JobSnapshot | undefined,
  ) => Promise<string | null>;
  /** The same source is to become another asset at once. */
  readonly startAgain: (rule: WatchRule, entry: LedgerEntry) => Promise<void>;
  /** The ledger's row of this source changed: the rule is to look at it again. */
  readonly lookAt: (entry: LedgerEntry) => void;
  /** Whether a source that failed is worth a line of its own, and what follows for others from one that got through. */
  readonly outages: Pick<Outages, 'failed' | 'saw' | 'succeeded'>;
  /** A job got further, or ended: turns may be free. */
  readonly onMoved: () => void;
}

/** Of a row whose job goes on. */
export const underWay: LedgerChange = {
  state: 'taken',
  retryAt: null,
  endedAt: null,
  error: null,
  wantedAt: null,
};

/** Changes of jobs are looked at this much later, ms: an upload changes many times a second. */
const gatherMs = 200;
/** How long `stop` waits for what is being moved: a dead file server may hold it up for good, ms. */
const stopPatienceMs = 3_000;

/** Follows the jobs of taken sources to their end and writes into the ledger what became of them. */
export class JobFollower {
  readonly #parts: WatchParts;
  readonly #hooks: FollowerHooks;
  /** Jobs of sources that count as taken, with their rules. */
  readonly #followed = new Map<string, string>();
  readonly #changed = new Set<string>();
  /** Jobs that no rule made. */
  readonly #unrelated = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  readonly #later = new Set<NodeJS.Timeout>();
  #stopListening = () => {};
  /** By rule: a drive that does not answer holds up its own rule alone. */
  readonly #work = new Map<string, Promise<void>>();

  constructor(parts: WatchParts, hooks: FollowerHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
  }

  /** Takes up every source that the ledger shows as taken: its job may have ended while nobody looked. */
  start(): void {
    for (const { jobId, ruleId } of this.#parts.ledger.taken())
      if (jobId !== null) this.follow(jobId, ruleId);
    this.#stopListening = this.#parts.jobs.onChange((id) => {
      if (this.#followed.has(id) || this.#goesOn(id)) this.#mark(id);
    });
  }

  async stop(): Promise<void> {
    this.#stopListening();
    clearTimeout(this.#timer);
    for (const timer of this.#later) clearTimeout(timer);
    await withPatience(Promise.all(this.#work.values()), stopPatienceMs);
  }

  follow(jobId: string, ruleId: string): void {
    this.#followed.set(jobId, ruleId);
    this.#mark(jobId);
  }

  /** Ids of jobs, and of the rules whose they are. */
  get followed(): Iterable<readonly [jobId: string, ruleId: string]> {
    return this.#followed.entries();
  }

  /** A job that had ended is tried again in the list of uploads: its source is under way once more, and must not be taken a second time. */
  #goesOn(jobId: string): boolean {
    const { jobs, ledger, log } = this.#parts;
    if (this.#unrelated.has(jobId) || jobs.get(jobId)?.endedAt !== null) return false;
    try {
      const entry = ledger.ofJob(jobId);
      if (!entry || entry.state === 'skipped') this.#unrelated.add(jobId);
      else {
        if (entry.state !== 'taken') ledger.change(entry.ruleId, entry.path, underWay);
        this.#followed.set(jobId, entry.ruleId);
      }
      return entry !== undefined;
    } catch (thrown) {
      log.warn({ jobId, error: toErrorRecord(toTileliftError(thrown)) }, 'whose job this is can’t be told');
      return false;
    }
  }

  #mark(jobId: string): void {
    this.#changed.add(jobId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const ids = [...this.#changed];
      this.#changed.clear();
      for (const id of ids) this.#look(id);
      this.#hooks.onMoved();
    }, gatherMs);
  }

  #look(jobId: string): void {
    const ruleId = this.#followed.get(jobId);
    const job = this.#parts.jobs.get(jobId);
    if (job) this.#hooks.outages.saw(job);
    if (ruleId === undefined || (job && job.endedAt === null)) return;
    // One after the other: each may move files and write receipts.
    const before = this.#work.get(ruleId) ?? Promise.resolve();
    this.#work.set(
      ruleId,
      before.then(() => this.#noteEnd(jobId, ruleId)),
    );
  }

  async #noteEnd(jobId: string, ruleId: string): Promise<void> {
    const { jobs, ledger, log } = this.#parts;
    try {
      const job = jobs.get(jobId);
      if (job && job.endedAt === null) return;
      const entry = ledger.ofJob(jobId);
      if (entry?.state === 'taken') await this.#end(entry, job);
      this.#followed.delete(jobId);
    } catch (thrown) {
      // The ledger still calls it taken: the disk, or the folder with its claims, may be there again later.
      const error = toErrorRecord(toTileliftError(thrown));
      log.error({ jobId, ruleId, error }, 'a source’s end could not be noted');
      this.#lookLater(jobId);
    }
  }

  #lookLater(jobId: string): void {
    const timer = setTimeout(() => {
      this.#later.delete(timer);
      this.#mark(jobId);
    }, this.#parts.timing.presenceMs);
    this.#later.add(timer);
  }

  async #end(entry: LedgerEntry, job: JobSnapshot | undefined): Promise<void> {
    const { ledger, clock, random, jobs } = this.#parts;
    const { outages } = this.#hooks;
    const { ruleId, path } = entry;
    const rule = this.#hooks.ruleOf(ruleId);
    const forecast = job ? jobs.forecast(job.accountId, entry.bytes, entry.files) : null;
    const { change, next, words } = afterJob(entry, job, {
      rule,
      now: clock.now(),
      forecastFits: forecast === null || forecast.shareOfLife <= 1,
      random,
    });
    const ended = { ...entry, ...change };
    const movedTo = rule && next === 'nothing' ? await this.#hooks.finish(rule, ended, job) : null;
    ledger.change(ruleId, path, { ...change, movedTo });
    if (rule && next === 'try-again-later') await letGo(rule, path, job, this.#parts);
    const accountId = job?.accountId ?? rule?.accountId ?? '';
    if (next !== 'try-again-later' || outages.failed(accountId, change.error?.code))
      note(this.#parts, ruleId, ...words);
    if (change.state === 'complete') outages.succeeded(accountId);
    if (rule && next === 'start-again-now') await this.#hooks.startAgain(rule, ended);
    else this.#hooks.lookAt(ended);
    this.#parts.onChange(ruleId);
  }
}
