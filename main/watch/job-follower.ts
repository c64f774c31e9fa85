import { toErrorRecord, toTileliftError } from '../errors.ts';
import type { JobSnapshot } from '../jobs/model.ts';
import { afterJob } from './after-job.ts';
import type { LedgerEntry } from './model.ts';
import type { WatchRule } from './rule.ts';
import { note, type WatchParts } from './watch-parts.ts';

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
  /** A job got further, or ended: turns may be free. */
  readonly onMoved: () => void;
}

/** Changes of jobs are looked at this much later, ms: an upload changes many times a second. */
const gatherMs = 200;

/** Follows the jobs of taken sources to their end and writes into the ledger what became of them. */
export class JobFollower {
  readonly #parts: WatchParts;
  readonly #hooks: FollowerHooks;
  /** Jobs of sources that count as taken. */
  readonly #followed = new Set<string>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #stopListening = () => {};
  #work: Promise<void> = Promise.resolve();

  constructor(parts: WatchParts, hooks: FollowerHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
  }

  /** Takes up every source that the ledger shows as taken: its job may have ended while nobody looked. */
  start(): void {
    for (const { jobId } of this.#parts.ledger.taken()) if (jobId !== null) this.follow(jobId);
    this.#stopListening = this.#parts.jobs.onChange((id) => {
      if (this.#followed.has(id)) this.#mark(id);
    });
  }

  async stop(): Promise<void> {
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#work;
  }

  follow(jobId: string): void {
    this.#followed.add(jobId);
    this.#mark(jobId);
  }

  get followed(): Iterable<string> {
    return this.#followed;
  }

  #mark(jobId: string): void {
    this.#changed.add(jobId);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const ids = [...this.#changed];
      this.#changed.clear();
      // One after the other: each may move files and write receipts.
      this.#work = this.#work.then(async () => {
        for (const id of ids) await this.#look(id);
        this.#hooks.onMoved();
      });
    }, gatherMs);
  }

  async #look(jobId: string): Promise<void> {
    const { jobs, ledger, log } = this.#parts;
    const job = jobs.get(jobId);
    if (job && job.endedAt === null) return;
    this.#followed.delete(jobId);
    try {
      const entry = ledger.ofJob(jobId);
      if (entry?.state === 'taken') await this.#end(entry, job);
    } catch (thrown) {
      // Nothing is lost: the ledger still calls it taken, and the next start looks at it again.
      log.error(
        { jobId, error: toErrorRecord(toTileliftError(thrown)) },
        'a source’s end could not be noted',
      );
    }
  }

  async #end(entry: LedgerEntry, job: JobSnapshot | undefined): Promise<void> {
    const { ledger, clock, random, jobs } = this.#parts;
    const { ruleId, path } = entry;
    const rule = this.#hooks.ruleOf(ruleId);
    const forecast = job ? jobs.forecast(job.accountId, entry.bytes) : null;
    const { change, next, words } = afterJob(entry, job, {
      rule,
      now: clock.now(),
      forecastFits: forecast === null || forecast.shareOfLife <= 1,
      random,
    });
    const ended = { ...entry, ...change };
    const movedTo = rule && next === 'nothing' ? await this.#hooks.finish(rule, ended, job) : null;
    ledger.change(ruleId, path, { ...change, movedTo });
    note(this.#parts, ruleId, words);
    if (rule && next === 'start-again-now') await this.#hooks.startAgain(rule, ended);
    else this.#hooks.lookAt(ended);
    this.#parts.onChange(ruleId);
  }
}
