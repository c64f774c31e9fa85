import { lstat } from 'node:fs/promises';
import { type TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { bytesOf } from '../../files/file-table.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { targetsOf } from '../check-rule.ts';
import { whereaboutsOf } from '../folder/whereabouts.ts';
import { ruleFor } from '../kind/decide-kind.ts';
import { leftOutBy } from '../kind/proposal.ts';
import { markEnd, meetMark } from '../lease/takeover.ts';
import { underWay } from '../ledger/after-job.ts';
import { makeReceipt } from '../ledger/receipt.ts';
import { retryDelayMs, retryTimeOf } from '../ledger/retry-delay.ts';
import { allowsAnother, isRequested } from '../ledger/second-asset.ts';
import type { FoundSource, LedgerEntry, Receipt } from '../model.ts';
import { moveAway } from '../moves/move-away.ts';
import type { Refusals } from '../outage/refusals.ts';
import type { Restored } from '../restored/restored.ts';
import type { WatchRule } from '../rule.ts';
import { next, stateOf } from '../state/source-state.ts';
import { gitignoreFor, without } from '../survey/left-out.ts';
import { surveySource } from '../survey/survey.ts';
import { simpleSurvey } from '../survey/survey-for.ts';
import type { Turns } from '../turns.ts';
import { contentOfSent } from '../verify/content.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { nameOf, sourcePhrase } from '../words.ts';
import { creationBodyOf } from './asset-name.ts';

/** Follows the jobs of taken sources, of all rules. */
export interface Follower {
  readonly turns: Turns;
  follow(jobId: string, ruleId: string): void;
  /** Those that are followed now, with their rules. */
  jobs(): Iterable<{ readonly job: JobSnapshot; readonly ruleId: string }>;
}

/** What looks after a rule's folder. */
interface Looks {
  /** The source settles, or is about to be looked at. */
  isAwaited(path: string): boolean;
  /** Looks at the source again: its row has changed. */
  lookAt(path: string): void;
}

export interface SourceLifeOptions {
  readonly rule: WatchRule;
  readonly parts: WatchParts;
  readonly follower: Follower;
  readonly restored: Pick<Restored, 'check'>;
  readonly refusals: Pick<Refusals, 'mayRetry' | 'mayTakeAnother'>;
  /** Undefined while nobody looks after the folder. */
  readonly looks: () => Looks | undefined;
}

/**
 * The life of one rule's sources, from settled to receipt: each becomes a job, may be tried again or start
 * again as another asset, and is finished and moved when nothing more is tried. All that has to last is in
 * the ledger: this may be created again at any time.
 */
export class SourceLife {
  readonly rule: WatchRule;
  /** Whether another source of the rule may become a job now. */
  readonly turns: Turns;
  readonly #parts: WatchParts;
  readonly #follower: Follower;
  readonly #restored: SourceLifeOptions['restored'];
  readonly #refusals: SourceLifeOptions['refusals'];
  readonly #looks: () => Looks | undefined;

  constructor({ rule, parts, follower, restored, refusals, looks }: SourceLifeOptions) {
    this.rule = rule;
    this.turns = follower.turns;
    this.#refusals = refusals;
    this.#parts = parts;
    this.#follower = follower;
    this.#restored = restored;
    this.#looks = looks;
  }

  /** The job of a source that failed continues by itself or can be tried again: it needs no other asset. */
  async hasOwnJob(entry: LedgerEntry): Promise<boolean> {
    return (await this.#ownJobOf(entry)) !== undefined;
  }

  /**
   * Makes a settled source a job. False: another computer watches the folder or has it. `again`: it failed
   * before and has not changed. Throws `watch-already-taken` where it has an asset already, and what leases
   * and adding a job throw.
   */
  async makeJob(source: FoundSource, again: boolean): Promise<boolean> {
    const rule = await ruleFor(this.rule, source, this.#parts);
    const elsewhere = await meetMark(rule, source, this.#parts);
    // What the ledger has of it now may be a question.
    if (elsewhere === 'known') this.lookAt(source.path);
    if (elsewhere !== 'free') return elsewhere === 'known';
    if (!(await this.#parts.leases.renew(rule))) return false;
    await this.#addJob(rule, source, again);
    return true;
  }

  /**
   * Tries every source again whose time for that has come. A job that can be tried again continues with its
   * own asset; otherwise the source settles once more and becomes another one. Gives when the next one's time
   * comes, ms since the epoch; null when none waits.
   */
  async retryDue(): Promise<number | null> {
    const { ledger, clock } = this.#parts;
    await this.#restored.check();
    for (const entry of ledger.waitingForRetry(this.rule.id)) {
      const now = clock.now();
      const at = retryTimeOf(entry, now);
      if (at > now) return at;
      if (!this.turns.free(this.rule.accountId)) return null;
      if (this.#looks()?.isAwaited(entry.path) || this.#mayBeDone(entry)) continue;
      if (!isRequested(entry) && !this.#refusals.mayRetry(entry)) continue;
      try {
        await this.#tryAgain(entry);
      } catch (thrown) {
        this.#postpone(entry, toTileliftError(thrown));
      }
    }
    return null;
  }

  /** Creates another asset of the same source at once: its credentials ended before its upload. */
  async startAgain(entry: LedgerEntry): Promise<void> {
    const { ledger } = this.#parts;
    const source = await this.#there(entry);
    if (source?.identity !== entry.identity) {
      ledger.change(this.rule.id, entry.path, { state: 'waits-for-change', retryAt: null });
      return this.lookAt(entry.path);
    }
    if (this.#mayBeDone(entry)) return this.lookAt(entry.path);
    if (!(await this.#parts.leases.renew(this.rule))) return;
    // It may have become pending meanwhile, and taken.
    const rule = await ruleFor(this.rule, source, this.#parts);
    if (this.#rowOf(entry.path)?.state === 'waits-for-retry') await this.#addJob(rule, source, true);
  }

  /** Another source of the rule may become a job now. */
  mayTake(): boolean {
    const { accountId, id } = this.rule;
    return this.turns.free(accountId) && this.#refusals.mayTakeAnother(id);
  }

  /**
   * Receipt, mark, telling, moving: nothing more is tried with the source by itself. `entry` as the ledger
   * is about to have it. Gives where the source was moved to; null when it was not.
   */
  async finish(entry: LedgerEntry, job: JobSnapshot | undefined): Promise<string | null> {
    const { ledger, clock, onEnd } = this.#parts;
    const { id: ruleId, name: ruleName } = this.rule;
    const receipt = job ? await this.#receiptOf(entry, job) : null;
    if (job && receipt) {
      ledger.addReceipt(receipt, job.id);
      ledger.change(ruleId, entry.path, { content: await contentOfSent(entry.path, receipt.files) });
    }
    await markEnd(this.rule, entry, job, receipt, this.#parts);
    const outcome = entry.state === 'complete' ? 'complete' : 'failed';
    const { path: source, jobId, error } = entry;
    onEnd({ ruleId, ruleName, source, outcome, jobId, endedAt: entry.endedAt ?? clock.now(), error });
    return moveAway(this.rule, entry, this.#parts);
  }

  #receiptOf(entry: LedgerEntry, job: JobSnapshot): Promise<Receipt> {
    const { ledger, jobs, accounts } = this.#parts;
    const service = accounts.serviceOf(job.accountId);
    return makeReceipt(this.rule, entry, job, service, jobs.sentFiles(job.id), ledger.findingsOf(job.id));
  }

  /**
   * Moves a source that is here with the content that was uploaded: a kill or a full target kept it from
   * being moved when it was finished, or the same was delivered again.
   */
  async moveLate(path: string): Promise<void> {
    if (targetsOf(this.rule).length === 0) return;
    const entry = this.#rowOf(path);
    const movedTo = entry ? await moveAway(this.rule, entry, this.#parts) : null;
    if (movedTo === null || !entry) return;
    this.#parts.ledger.change(this.rule.id, path, { movedTo });
    const { assetId: id } = entry;
    if (entry.movedTo === null || id === null || entry.state !== 'complete') return;
    const said = { key: 'sources.alreadyAsset', values: { name: nameOf(this.rule, path), id } } as const;
    writeActivity(this.#parts, this.rule.id, said);
  }

  /** A person wants another try of a source that has ended. False: it continues, or would be doubled. */
  wantAgain(path: string): boolean {
    const { ledger, clock, onChange } = this.#parts;
    const entry = this.#rowOf(path);
    const after = next(stateOf(entry), { kind: 'user-decided', choice: 'retry' });
    if (after.kind !== 'waiting') return false;
    const now = clock.now();
    ledger.change(this.rule.id, path, {
      state: 'waits-for-retry',
      retryAt: now,
      standing: { why: 'upload', since: now, together: false },
    });
    onChange(this.rule.id);
    return true;
  }

  /** The source's row has changed: whoever looks after the folder looks at it again. */
  lookAt(path: string): void {
    this.#looks()?.lookAt(path);
  }

  /**
   * The ledger's row is written in the job's transaction: whatever kills Tilelift, there are both or neither.
   */
  async #addJob(rule: WatchRule, source: FoundSource, again: boolean): Promise<void> {
    const { ledger, jobs, clock, findings } = this.#parts;
    const found = findings.of(rule.id, source);
    const there = await this.#placesThere(ledger.withIdentity(rule.id, source.identity));
    const leftOut = await leftOutBy(rule, source, this.#parts);
    const files = without(source.files, leftOut);
    const at = clock.now();
    const jobId = jobs.add(
      {
        accountId: rule.accountId,
        paths: source.paths,
        body: creationBodyOf(rule, source, at, ledger.takenSoFar(rule.id)),
        acceptForecast: rule.whenTooLong === 'upload',
        expected: { files: files.length, bytes: bytesOf(files) },
        ...(leftOut.size > 0 && { changes: { leftOut: [...leftOut], assigned: [] } }),
        exactly: {
          keysFrom: source.keysFrom,
          gitignore: gitignoreFor(rule, source.keysFrom),
          fingerprint: source.dataFingerprint,
          home: rule.folder,
        },
      },
      (id) => {
        ledger.take(rule.id, source, id, at, again, (path) => there.has(path));
        if (found.length > 0) ledger.noteFindings(id, found);
      },
    );
    findings.forget(rule.id, source.path);
    const values = { source: sourcePhrase(source) };
    writeActivity(this.#parts, rule.id, { key: again ? 'sources.tookAgain' : 'sources.tookIt', values });
    this.#follower.follow(jobId, rule.id);
  }

  async #tryAgain(entry: LedgerEntry): Promise<void> {
    const { ledger, jobs, clock, onChange } = this.#parts;
    const { id } = this.rule;
    const job = await this.#ownJobOf(entry);
    if (!job) {
      // What is all there must not become a second asset: only a person's word helps.
      if (!allowsAnother(entry)) ledger.change(id, entry.path, { state: 'waits-for-person', retryAt: null });
      else if (await this.#there(entry)) this.lookAt(entry.path);
      else {
        const standing = { why: 'gone', since: clock.now(), together: false } as const;
        ledger.change(id, entry.path, { standing });
      }
      return;
    }
    if (!(await this.#parts.leases.renew(this.rule))) return;
    // First the ledger: a kill in between leaves a job that has ended, which is looked at again.
    ledger.change(id, entry.path, underWay);
    this.#follower.follow(job.id, id);
    await jobs.act(job.id, 'try-again');
    onChange(id);
  }

  /** That it could not even be tried is one failure more, and must not keep others from their turn. */
  #postpone({ ruleId, path, retries: before }: LedgerEntry, error: TileliftError): void {
    const { ledger, clock, random, log } = this.#parts;
    log.warn({ ruleId, error }, 'a source could not be tried again');
    const retries = before + 1;
    const retryAt = clock.now() + retryDelayMs(retries, random);
    ledger.change(ruleId, path, { state: 'waits-for-retry', retries, retryAt, error: toErrorRecord(error) });
  }

  /**
   * The job of a source that failed, where that continues by itself or can be tried again: the source needs
   * no other asset.
   */
  async #ownJobOf(entry: LedgerEntry | undefined): Promise<JobSnapshot | undefined> {
    const job = entry?.jobId ? this.#parts.jobs.get(entry.jobId) : undefined;
    if (!job || job.endedAt === null || job.status === 'complete') return job;
    if (!job.actions.includes('try-again')) return undefined;
    // A job that still has to send can't follow its source to another name.
    return job.uploadedAt !== null || (await areThere(job.paths)) ? job : undefined;
  }

  /** A journal that is lost may have finished it: the scan the folder has a person asked. */
  #mayBeDone(entry: LedgerEntry): boolean {
    return entry.standing?.why === 'restored';
  }

  #rowOf(path: string): LedgerEntry | undefined {
    return this.#parts.ledger.find(this.rule.id, path);
  }

  #there({ path }: LedgerEntry) {
    return surveySource(this.rule, path, simpleSurvey(this.rule, this.#parts));
  }

  /** Where something is of what these rows mean. An unasked place counts as empty, the stricter answer. */
  async #placesThere(rows: readonly LedgerEntry[]): Promise<ReadonlySet<string>> {
    const there = new Set<string>();
    for (const { path } of rows) if (await whereaboutsOf(this.rule.folder, path, path)) there.add(path);
    return there;
  }
}

async function areThere(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    );
    if (!isThere) return false;
  }
  return true;
}
