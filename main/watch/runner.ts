import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Said } from '../../strings/phrase.ts';
import { errorPhrase } from '../../strings/said-error.ts';
import { withinOrAbandon } from '../abandoned-work.ts';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../errors.ts';
import type { InspectionThread } from '../inspect/headers/inspection-thread.ts';
import { createReferences } from '../inspect/together/references.ts';
import { createPause, WorkLine } from '../work-line.ts';
import type { JobMaker } from './finish/make-job.ts';
import { finishMoves } from './finish/move-source.ts';
import type { SourceEnds } from './finish/source-ends.ts';
import type { SourceRetries } from './finish/source-retries.ts';
import type { FolderLeases } from './model/lease-model.ts';
import { isMarker } from './model/left-out.ts';
import type { FoundSource } from './model/model.ts';
import type { WatchRule, WatchTiming } from './model/rule.ts';
import { type ScanQueue, WakeSignal } from './model/scheduling.ts';
import { readable } from './model/source-names.ts';
import { WatchedFolder } from './scan/folder/watched-folder.ts';
import { Hints } from './scan/hints.ts';
import { type RuleScanOptions, type ScanResult, scanAround, scanRule } from './scan/scan-rule.ts';
import { createReadyGate, type ReadyGate, settleMsOf } from './settle/ready-gate.ts';
import type { Contents } from './state/contents.ts';
import { type LedgerPorts, writeActivity } from './state/ports.ts';
import { createEarlier, createKnownBatches } from './state/scan-options.ts';
import { type SourceChecks, SourceQueue } from './state/source-queue.ts';
import { topsOf, WatchedSources } from './state/watched-sources.ts';

/** Scans of all rules. */
interface Scanning {
  /** Default: the source, for plain Node. */
  readonly worker: URL | undefined;
  readonly inspectionThread: InspectionThread;
  readonly queue: ScanQueue;
  /** Called when a scan of many files has ended and its memory is free. */
  readonly onScanned: () => void;
}

export interface RunnerOptions {
  readonly rule: WatchRule;
  readonly parts: LedgerPorts;
  readonly timing: WatchTiming;
  readonly scanning: Scanning;
  readonly checks: SourceChecks & { readonly contents: Contents };
  /** Creates, retries and finishes jobs. */
  readonly life: {
    readonly maker: Pick<JobMaker, 'mayMake' | 'makeJob'>;
    readonly retries: Pick<SourceRetries, 'hasOwnJob' | 'retryDue'>;
    readonly ends: Pick<SourceEnds, 'moveLate'>;
  };
  readonly leases: FolderLeases;
  /** Returns null if allowed. Follows current links. */
  readonly refuseFolder: (folder: string) => Promise<TileliftError | null>;
}

/** `paused`: its folder may not be watched. `standing-by`: another computer watches it. */
type RunnerState = 'watching' | 'looking' | 'suspended' | 'paused' | 'standing-by';

/** How long `stop` waits for a disk, ms. */
const stopPatienceMs = 3_000;
const never = Number.POSITIVE_INFINITY;
/** Fewer leave little garbage. */
const manyFiles = 5_000;

/** Watches one folder: sources settle and are uploaded in turn. */
export class RuleRunner {
  readonly #options: RunnerOptions;
  readonly #rule: WatchRule;
  readonly #parts: LedgerPorts;
  readonly #folder: WatchedFolder;
  readonly #queue: SourceQueue;
  readonly #gate: ReadyGate;
  readonly #hints: Hints;
  readonly sources: WatchedSources;
  readonly #wakeSignal = new WakeSignal();
  readonly #stopping = new AbortController();
  readonly #surveying: RuleScanOptions & { readonly signal: AbortSignal };
  #state: RunnerState = 'looking';
  #notice: ErrorRecord | null = null;
  /** The last round's or source's error; null after a success. */
  #failure: ErrorRecord | null = null;
  /** Times of the watch's own clock, ms. */
  #restUntil = 0;
  #nextScanAt = 0;
  #lastLookAt: number | null = null;
  #done: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    const { rule, parts, timing, scanning, checks, life, refuseFolder } = options;
    this.#options = options;
    this.#rule = rule;
    this.#parts = parts;
    this.#hints = new Hints(rule);
    this.sources = new WatchedSources({
      rule,
      parts,
      contents: checks.contents,
      hasOwnJob: (entry) => life.retries.hasOwnJob(entry),
      expect: (source, decision) => this.#queue.expect(source, decision),
      onKnown: (path) => life.ends.moveLate(rule, path),
      rescan: (path) => this.rescan(path),
    });
    this.#surveying = {
      signal: this.#stopping.signal,
      references: createReferences(scanning.inspectionThread, 'watched'),
      gathered: new Map(),
      earlier: createEarlier(rule, parts),
      batches: createKnownBatches(rule, parts),
      isMeant: (path) => parts.ledger.find(rule.id, path) !== undefined,
      ...(scanning.worker ? { worker: scanning.worker } : {}),
    };
    const onChange = () => {
      this.#queue.askAgain();
      this.#wakeSignal.wake();
    };
    const { findings } = checks;
    this.#gate = createReadyGate({ rule, findings, worker: scanning.worker, onChange });
    this.#queue = new SourceQueue({
      rule,
      parts,
      surveying: this.#surveying,
      settleMs: () => settleMsOf(rule, timing.settleMs[this.#folder.drive]),
      putBackMs: timing.renewLeaseMs,
      gate: this.#gate,
      checks,
      maker: life.maker,
      sources: this.sources,
      onFailure: (error) => {
        this.#failure = error;
      },
    });
    this.#folder = new WatchedFolder({
      ...{ rule, timing, refuseFolder, clock: parts.clock, scanQueue: scanning.queue },
      onHint: (path) => this.#hint(path),
      onTrouble: () => this.#show(this.#state, this.#folder.trouble),
    });
  }

  get state() {
    return {
      state: this.#state,
      notice: this.#failure ?? this.#notice,
      isNetworkDrive: this.#folder.drive === 'network',
      lastLookAt: this.#lastLookAt,
    };
  }

  isAwaited(path: string): boolean {
    return (
      this.sources.list.get(path)?.pending !== undefined || this.#hints.has(join(this.#rule.folder, path))
    );
  }

  start(): void {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.sources.forget('rule-changed');
    this.#gate.close();
    this.#wakeSignal.wake();
    await withinOrAbandon(this.#done, stopPatienceMs);
  }

  scan(): void {
    this.#hints.addEverything();
    this.#restUntil = 0;
    this.#wakeSignal.wake();
  }

  ring(): void {
    this.#wakeSignal.wake();
  }

  wasInspected(path: string): void {
    this.#queue.askAgain(path);
    this.#wakeSignal.wake();
  }

  /** Scans what a change of this path, relative to the folder, may affect. */
  rescan(path: string): void {
    const { passedOver } = this.sources.list;
    for (const changedPath of [path, ...passedOver]) this.#hint(join(this.#rule.folder, changedPath));
  }

  /** Uploads a source without waiting for it to settle. */
  uploadNow(path: string): void {
    this.#queue.uploadNow(path);
    this.#wakeSignal.wake();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      let wait = this.#options.timing.presenceMs;
      try {
        const presence = await this.#folder.check();
        if (presence === 'away') this.#rest('suspended', this.#folder.away, { key: 'sources.folderAway' });
        else if (presence instanceof TileliftError) this.#rest('paused', toErrorRecord(presence));
        else {
          if (presence === 'back') this.#resume();
          const standing = await this.#options.leases.acquire(this.#rule);
          if (standing.kind === 'ours') wait = Math.min(wait, await this.#round());
          else this.#rest('standing-by', standing.host === null ? null : watchedBy(standing.host));
        }
      } catch (error) {
        if (!this.#stopping.signal.aborted) this.#handleError(error);
      }
      if (!this.#stopping.signal.aborted) await this.#wakeSignal.wait(wait);
    }
    await this.#folder.dispose();
  }

  /** Returns the ms until the next work. */
  async #round(): Promise<number> {
    const { clock } = this.#parts;
    if (this.#state === 'standing-by') this.#resume();
    const retryAt = await this.#options.life.retries.retryDue(this.#rule);
    if (clock.elapsed() >= this.#nextScanAt) this.#hints.addEverything();
    if (!this.#hints.isEmpty && clock.elapsed() >= this.#restUntil) await this.#scanHints();
    await this.#queue.settle();
    await this.#queue.useTurns();
    const soonest = Math.min(
      this.#hints.isEmpty ? this.#nextScanAt : this.#restUntil,
      this.#queue.nextAt() ?? never,
    );
    const untilRetry = retryAt === null ? never : retryAt - clock.now();
    return Math.max(0, Math.min(soonest - clock.elapsed(), untilRetry));
  }

  #hint(path: string): void {
    if (isMarker(this.#rule, path)) this.#queue.askAgain();
    const isFirst = this.#hints.isEmpty;
    this.#hints.add(path);
    // One scan covers many hints; later ones must not delay it.
    const gatheredAt = this.#parts.clock.elapsed() + this.#options.timing.gatherMs;
    if (isFirst) this.#restUntil = Math.max(this.#restUntil, gatheredAt);
    this.#wakeSignal.wake();
  }

  async #scanHints(): Promise<void> {
    const { queue, onScanned } = this.#options.scanning;
    const isLocal = this.#folder.drive === 'local';
    if (this.#hints.isEverything) this.#show('looking', this.#notice);
    const places = this.#hints.drain();
    try {
      if (places === 'everything') {
        const scan = () => this.#scanAll();
        const files = await (isLocal ? queue.run(scan) : scan());
        if (files >= manyFiles) onScanned();
      } else {
        const survey = await this.#rested(() => scanAround(this.#rule, places, this.#surveying));
        await this.#considerAll(survey, topsOf(this.#rule, places));
      }
    } catch (error) {
      this.#hints.addEverything();
      throw error;
    }
  }

  async #scanAll(): Promise<number> {
    const { clock, ledger } = this.#parts;
    const { timing } = this.#options;
    const { id: ruleId, folder } = this.#rule;
    await finishMoves(folder, ledger);
    const wasRestored = ledger.isRestored(ruleId);
    const survey = await this.#rested(() => scanRule(this.#rule, this.#surveying));
    await this.#considerAll(survey, null);
    // Later arrivals aren't affected by the restored backup.
    if (wasRestored) ledger.endRestored(ruleId);
    this.#lastLookAt = clock.now();
    const usualMs = timing.scanMs[this.#folder.drive];
    this.#nextScanAt =
      clock.elapsed() + (this.#folder.trouble ? Math.min(usualMs, timing.unheardScanMs) : usualMs);
    this.#failure = null;
    this.#show('watching', this.#notice);
    return survey.sources.reduce((sum, { files }) => sum + files.length, 0);
  }

  /** Scans, then rests in proportion to the scan alone: moves and comparisons may take much longer. */
  async #rested<Survey>(scan: () => Promise<Survey>): Promise<Survey> {
    const { clock } = this.#parts;
    const { timing } = this.#options;
    const began = clock.elapsed();
    try {
      return await scan();
    } finally {
      const currentTime = clock.elapsed();
      // The computer may have slept during the scan.
      const restMs = Math.min(
        (currentTime - began) * timing.restAfterScan,
        timing.scanMs[this.#folder.drive],
      );
      this.#restUntil = currentTime + Math.max(timing.gatherMs, restMs);
    }
  }

  /** `tops`: the scanned top-level entries; null for all. */
  async #considerAll(survey: ScanResult, tops: ReadonlySet<string> | null): Promise<void> {
    const pause = createPause(this.#stopping.signal);
    const sourcesByPath = new Map<string, FoundSource>();
    for (const source of survey.sources) {
      await pause();
      sourcesByPath.set(source.path, source);
    }
    await this.sources.seeOthers(survey, new Set(sourcesByPath.keys()), tops);
    await this.sources.questions.guard(sourcesByPath.values(), pause);
    for (const source of sourcesByPath.values()) {
      await pause();
      await this.sources.see(source, false);
    }
    this.#parts.onChange(this.#rule.id);
  }

  /** Stops watching; a later scan finds settling sources again. `reported`: for the activity log. */
  #rest(
    state: Exclude<RunnerState, 'watching' | 'looking'>,
    notice: ErrorRecord | null,
    reported: Said | null = notice && errorPhrase(notice),
  ): void {
    if (this.#state === state && isDeepStrictEqual(notice, this.#notice)) return;
    this.sources.forget('folder-unavailable');
    this.#hints.clear();
    this.#failure = null;
    if (reported) writeActivity(this.#parts, this.#rule.id, reported);
    this.#show(state, notice);
  }

  #resume(): void {
    if (this.#state === 'suspended') writeActivity(this.#parts, this.#rule.id, { key: 'sources.folderBack' });
    this.#hints.addEverything();
    this.#restUntil = 0;
    this.#failure = null;
    this.#show('watching', this.#folder.trouble);
  }

  /** The disk or the journal failed; the next round tries again. */
  #handleError(cause: unknown): void {
    const error = toTileliftError(cause);
    if (error.code !== this.#failure?.code)
      this.#parts.log.warn({ ruleId: this.#rule.id, error }, 'a round of watching failed');
    this.#failure = toErrorRecord(error);
    this.#show('watching', this.#notice);
  }

  #show(state: RunnerState, notice: ErrorRecord | null): void {
    this.#state = state;
    this.#notice = notice;
    this.#parts.onChange(this.#rule.id);
  }
}

const watchedBy = (host: string): ErrorRecord =>
  toErrorRecord(new TileliftError('watch-standing-by', { subject: readable(host) }));

interface RunnersOptions {
  readonly ruleOf: (ruleId: string) => WatchRule | undefined;
  readonly make: (rule: WatchRule) => RuleRunner;
}

/** One runner for each rule that is on. */
export class Runners {
  readonly #options: RunnersOptions;
  readonly #running = new Map<string, RuleRunner>();
  readonly #work = new WorkLine();
  #isStopped = false;

  constructor(options: RunnersOptions) {
    this.#options = options;
  }

  get(ruleId: string): RuleRunner | undefined {
    return this.#running.get(ruleId);
  }

  values(): Iterable<RuleRunner> {
    return this.#running.values();
  }

  /** Restarts the rule's runner with the current rule. */
  renew(ruleId: string): Promise<void> {
    const runner = this.#running.get(ruleId);
    this.#running.delete(ruleId);
    return this.#work.run(async () => {
      await runner?.stop();
      const rule = this.#options.ruleOf(ruleId);
      if (!rule?.on || this.#isStopped || this.#running.has(ruleId)) return;
      const nextRunner = this.#options.make(rule);
      this.#running.set(ruleId, nextRunner);
      nextRunner.start();
    }, ruleId);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#running.keys()].map((ruleId) => this.renew(ruleId)));
    await this.#work.settled();
  }
}
