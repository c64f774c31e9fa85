import { lstat } from 'node:fs/promises';
import { type TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { bytesOf } from '../../files/file-table.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import type { Random } from '../../service/backoff.ts';
import { markEnd, meetMark } from '../lease/takeover.ts';
import { gitignoreFor, without } from '../model/left-out.ts';
import type { FoundSource, LedgerEntry, Receipt, WatchEnd } from '../model/model.ts';
import { targetFields, type WatchRule } from '../model/rule.ts';
import { nameOf, sourcePhrase } from '../model/source-names.ts';
import { contentOfSent } from '../scan/content.ts';
import { whereaboutsOf } from '../scan/folder/paths.ts';
import { scanSourceAt } from '../scan/scan-rule.ts';
import { type KindParts, leftOutBy, ruleFor } from '../settle/kind.ts';
import type { SourceFindings } from '../settle/source-findings.ts';
import { allowsAnother, retryDelayMs, retryTimeOf } from '../state/ledger/asset-rules.ts';
import { writeActivity } from '../state/ports.ts';
import type { RestoredJournal } from '../state/restored-journal.ts';
import { sourceScanOptions } from '../state/scan-options.ts';
import { next, stateOf } from '../state/source-state.ts';
import { underWay } from './after-job.ts';
import { creationBodyOf } from './asset-name.ts';
import { type MovePorts, moveAway } from './move-away.ts';
import { makeReceipt } from './receipt.ts';
import type { Refusals } from './refusals.ts';

interface LifePorts extends MovePorts, KindParts {
  readonly random: Random;
  readonly findings: SourceFindings;
  readonly onEnd: (end: WatchEnd) => void;
}

/** Follows the jobs of all rules. */
export interface Follower {
  /**
   * Limits an account's jobs ahead of the uploads. Otherwise a burst of 500 folders would fill the list, and
   * sources that change while their job waits would have been picked up too early.
   */
  hasSlot(accountId: string): boolean;
  follow(jobId: string, ruleId: string): void;
  jobs(): Iterable<{ readonly job: JobSnapshot; readonly ruleId: string }>;
}

interface RunnerView {
  isAwaited(path: string): boolean;
  rescan(path: string): void;
}

export interface SourceLifecycleOptions {
  readonly rule: WatchRule;
  readonly parts: LifePorts;
  readonly follower: Follower;
  readonly restored: Pick<RestoredJournal, 'check'>;
  readonly refusals: Pick<Refusals, 'mayTakeAnother'>;
  /** Undefined while the folder isn't watched. */
  readonly runner: () => RunnerView | undefined;
}

/**
 * One rule's sources from settled to receipt: each becomes a job, may be retried, possibly as another
 * asset, and is finally moved. All lasting state is in the ledger.
 */
export class SourceLifecycle {
  readonly #options: SourceLifecycleOptions;

  constructor(options: SourceLifecycleOptions) {
    this.#options = options;
  }

  get rule(): WatchRule {
    return this.#options.rule;
  }

  get #parts(): LifePorts {
    return this.#options.parts;
  }

  /** The job continues by itself or can be retried, so the source needs no other asset. */
  async hasOwnJob(entry: LedgerEntry): Promise<boolean> {
    return (await this.#ownJobOf(entry)) !== undefined;
  }

  /**
   * Creates a job for a settled source. Returns false if another computer has it or its folder. `isRetry`: it
   * failed before and hasn't changed. Throws `watch-already-taken`, and the errors of leases and jobs.
   */
  async makeJob(source: FoundSource, isRetry: boolean): Promise<boolean> {
    const rule = await ruleFor(this.rule, source, this.#parts);
    const elsewhere = await meetMark(rule, source, this.#parts);
    if (elsewhere === 'known') this.rescan(source.path);
    if (elsewhere !== 'free') return elsewhere === 'known';
    if (!(await this.#parts.leases.renew(rule))) return false;
    await this.#addJob(rule, source, isRetry);
    return true;
  }

  /**
   * Retries due sources: with their own job if possible, otherwise they settle again and become another
   * asset. Returns the next due time, ms since the epoch, or null.
   */
  async retryDue(): Promise<number | null> {
    const { ledger, clock } = this.#parts;
    await this.#options.restored.check();
    for (const entry of ledger.waitingForRetry(this.rule.id)) {
      const currentTime = clock.now();
      const retryTime = retryTimeOf(entry, currentTime);
      if (retryTime > currentTime) return retryTime;
      if (!this.#options.follower.hasSlot(this.rule.accountId)) return null;
      if (this.#options.runner()?.isAwaited(entry.path)) continue;
      // A lost journal may already have completed it; the next scan asks the user.
      if (entry.standing?.why === 'restored') continue;
      try {
        await this.#tryAgain(entry);
      } catch (error) {
        this.#postpone(entry, toTileliftError(error));
      }
    }
    return null;
  }

  mayTake(): boolean {
    const { follower, refusals } = this.#options;
    return follower.hasSlot(this.rule.accountId) && refusals.mayTakeAnother(this.rule.id);
  }

  /**
   * Receipt, mark, notification, move: nothing more is tried. `entry`: the future ledger row. Returns the new
   * path if moved.
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
    return makeReceipt(this.rule, entry, job, service, jobs.sentFiles(job.id), ledger.inspectionOf(job.id));
  }

  /**
   * Moves a present source later: a kill or a full target prevented it, or the same data was delivered again.
   */
  async moveLate(path: string): Promise<void> {
    if (targetFields(this.rule).length === 0) return;
    const entry = this.#rowOf(path);
    const movedTo = entry ? await moveAway(this.rule, entry, this.#parts) : null;
    if (movedTo === null || !entry) return;
    this.#parts.ledger.change(this.rule.id, path, { movedTo });
    const { assetId: id } = entry;
    if (entry.movedTo === null || id === null || entry.state !== 'complete') return;
    const phrase = { key: 'sources.alreadyAsset', values: { name: nameOf(this.rule, path), id } } as const;
    writeActivity(this.#parts, this.rule.id, phrase);
  }

  /**
   * Retries a finished source on request. Returns false if it is still running or would create a duplicate.
   */
  requestRetry(path: string): boolean {
    const { ledger, clock, onChange } = this.#parts;
    const entry = this.#rowOf(path);
    const nextState = next(stateOf(entry), { kind: 'user-decided', choice: 'retry' });
    if (nextState.kind !== 'waiting') return false;
    const currentTime = clock.now();
    ledger.change(this.rule.id, path, {
      state: 'waits-for-retry',
      retryAt: currentTime,
      standing: { why: 'upload', startedAt: currentTime },
    });
    onChange(this.rule.id);
    return true;
  }

  rescan(path: string): void {
    this.#options.runner()?.rescan(path);
  }

  /** One transaction writes the job and the ledger row, so that a kill leaves both or neither. */
  async #addJob(rule: WatchRule, source: FoundSource, isRetry: boolean): Promise<void> {
    const { ledger, jobs, clock, findings } = this.#parts;
    const inspection = findings.outcomeOf(rule.id, source);
    const existingPaths = await this.#existingPathsOf(ledger.withIdentity(rule.id, source.identity));
    const leftOut = await leftOutBy(rule, source, this.#parts);
    const files = without(source.files, leftOut);
    const timestamp = clock.now();
    const jobId = jobs.add(
      {
        accountId: rule.accountId,
        paths: source.paths,
        body: creationBodyOf(rule, source, timestamp, ledger.takenSoFar(rule.id)),
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
        ledger.take(rule.id, source, id, timestamp, isRetry, (path) => existingPaths.has(path));
        ledger.noteInspection(id, inspection);
      },
    );
    findings.forget(rule.id, source.path);
    const values = { source: sourcePhrase(source) };
    writeActivity(this.#parts, rule.id, { key: isRetry ? 'sources.tookAgain' : 'sources.tookIt', values });
    this.#options.follower.follow(jobId, rule.id);
  }

  async #tryAgain(entry: LedgerEntry): Promise<void> {
    const { ledger, jobs, clock, onChange } = this.#parts;
    const { id } = this.rule;
    const job = await this.#ownJobOf(entry);
    if (!job) {
      // It is fully uploaded, so only the user may request a second asset.
      if (!allowsAnother(entry)) ledger.change(id, entry.path, { state: 'waits-for-person', retryAt: null });
      else if (await scanSourceAt(this.rule, entry.path, sourceScanOptions(this.rule, this.#parts)))
        this.rescan(entry.path);
      else {
        const standing = { why: 'gone', startedAt: clock.now() } as const;
        ledger.change(id, entry.path, { standing });
      }
      return;
    }
    if (!(await this.#parts.leases.renew(this.rule))) return;
    // The ledger first: a kill in between leaves an ended job, which is checked again.
    ledger.change(id, entry.path, underWay(entry));
    this.#options.follower.follow(job.id, id);
    await jobs.act(job.id, 'try-again');
    onChange(id);
  }

  /** Count this as a failed attempt so that others aren't blocked. */
  #postpone({ ruleId, path, retries: previousRetries }: LedgerEntry, error: TileliftError): void {
    const { ledger, clock, random, log } = this.#parts;
    log.warn({ ruleId, error }, 'a source could not be tried again');
    const retries = previousRetries + 1;
    const retryAt = clock.now() + retryDelayMs(retries, random);
    ledger.change(ruleId, path, { state: 'waits-for-retry', retries, retryAt, error: toErrorRecord(error) });
  }

  async #ownJobOf(entry: LedgerEntry | undefined): Promise<JobSnapshot | undefined> {
    const job = entry?.jobId ? this.#parts.jobs.get(entry.jobId) : undefined;
    if (!job || job.endedAt === null || job.status === 'complete') return job;
    if (!job.actions.includes('try-again')) return undefined;
    // An unfinished job can't follow its source to another name.
    return job.uploadedAt !== null || (await areThere(job.paths)) ? job : undefined;
  }

  #rowOf(path: string): LedgerEntry | undefined {
    return this.#parts.ledger.find(this.rule.id, path);
  }

  /** The existing paths of these rows. An unchecked path counts as missing, the stricter answer. */
  async #existingPathsOf(rows: readonly LedgerEntry[]): Promise<ReadonlySet<string>> {
    const existing = new Set<string>();
    for (const { path } of rows) if (await whereaboutsOf(this.rule.folder, path, path)) existing.add(path);
    return existing;
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
