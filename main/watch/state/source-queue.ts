import type { PhraseValue } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { FindWriter } from '../../files/open-for-writing.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import { createPause } from '../../work-line.ts';
import type { FoundSource } from '../model/model.ts';
import { foundPhrase, holdingBack } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/source-names.ts';
import type { RuleScanOptions } from '../scan/scan-rule.ts';
import { type KindParts, leftOutBy } from '../settle/kind.ts';
import type { ReadyGate } from '../settle/ready-gate.ts';
import {
  isSettled,
  type KnownSources,
  type Pending,
  scanAtOnce,
  settleFurther,
} from '../settle/settle-source.ts';
import { addSample, suspicionFactor } from '../settle/settling.ts';
import type { SourceFindings } from '../settle/source-findings.ts';
import type { Decision } from './decide.ts';
import { isRequested } from './ledger/asset-rules.ts';
import { type LedgerPorts, writeActivity } from './ports.ts';
import type { WatchedSources } from './watched-sources.ts';

/** Whether a source is complete, and what it contains. */
export interface SourceChecks {
  readonly inspector: KindParts['inspector'] & Pick<Inspector, 'inspectCompleteness'>;
  readonly findings: SourceFindings;
  readonly findWriter: FindWriter;
}

interface SourceQueueOptions {
  readonly rule: WatchRule;
  readonly parts: LedgerPorts;
  readonly surveying: RuleScanOptions & { readonly signal: AbortSignal };
  /** Depends on the rule and the drive, ms. */
  readonly settleMs: () => number;
  /** Until a source that can't be uploaded now is checked again, ms. */
  readonly putBackMs: number;
  readonly gate: ReadyGate;
  readonly checks: SourceChecks;
  readonly maker: {
    mayMake(rule: WatchRule): boolean;
    /** False: another computer has the source. */
    makeJob(rule: WatchRule, source: FoundSource, isRetry: boolean): Promise<boolean>;
  };
  readonly sources: WatchedSources;
  /** Null after a success. */
  readonly onFailure: (error: ErrorRecord | null) => void;
}

const sideBySide = 4;
/** Limit of sources inspected ahead of their turn. */
const inspectedAhead = 8;
/** Above this, one scan of the whole folder is faster. */
const maxSingly = 50;

/** The sources of one rule that settle or wait for their turn. */
export class SourceQueue {
  readonly #options: SourceQueueOptions;
  /** Paths that the user asked to upload immediately; may be in a scan. */
  readonly #urgent = new Set<string>();

  constructor(options: SourceQueueOptions) {
    this.#options = options;
  }

  /** ms of the watch's own clock; null if nothing waits for a time. */
  nextAt(): number | null {
    let soonest: number | null = null;
    for (const { nextAt } of this.#all) if (soonest === null || nextAt < soonest) soonest = nextAt;
    return soonest;
  }

  /** Returns how far a source has settled that will be picked up or asked about. */
  expect(source: FoundSource, decision: Decision): Pending {
    const previous = this.#get(source.path);
    if (previous) return { ...previous, source };
    const { isRetry = false, grew = false } = decision.kind === 'take' ? decision : {};
    const { parts, rule } = this.#options;
    if (grew)
      writeActivity(parts, rule.id, { key: 'sources.grew', values: { name: nameOf(rule, source.path) } });
    const settleMs = this.#options.settleMs();
    const currentTime = parts.clock.elapsed();
    return {
      source,
      isRetry,
      samples: addSample([], currentTime, source),
      settleMs,
      notReady: null,
      wait: null,
      reportedWait: null,
      broken: null,
      urgent: false,
      nextAt: currentTime + settleMs / 3,
    };
  }

  uploadNow(path: string): void {
    this.#urgent.add(path);
  }

  /** The rule's condition may be met. `path`: for one source only. */
  askAgain(path?: string): void {
    for (const pending of path === undefined ? [...this.#all] : [this.#get(path)])
      if (pending?.notReady?.kind === 'not-ready') this.#put({ ...pending, nextAt: 0 });
  }

  get #all(): Iterable<Pending> {
    return this.#options.sources.list.pending;
  }

  #get(path: string): Pending | undefined {
    return this.#options.sources.list.get(path)?.pending;
  }

  #put(pending: Pending, result: ReturnType<typeof resultOf> | 'elsewhere' = resultOf(pending)): void {
    const { source } = pending;
    const changes = { source, pending: this.#reportWait(pending) };
    this.#options.sources.apply(source.path, { kind: 'inspected', result }, changes);
  }

  /** Reports a reason that lasts longer than unfinished data usually takes, once. */
  #reportWait(pending: Pending): Pending {
    const { source, notReady, settleMs, reportedWait } = pending;
    if (!notReady || notReady.isInspected) return { ...pending, wait: null };
    const words = inEnglish.sayPhrase(notReady.reason);
    const currentTime = this.#options.parts.clock.elapsed();
    const wait = pending.wait?.words === words ? pending.wait : { words, startedAt: currentTime };
    const isLong = currentTime - wait.startedAt >= settleMs * suspicionFactor;
    if (!isLong || reportedWait === words) return { ...pending, wait };
    this.#writeActivity('sources.waits', source.path, notReady.reason);
    return { ...pending, wait, reportedWait: words };
  }

  async settle(): Promise<void> {
    const { parts, rule, surveying } = this.#options;
    for (const path of this.#urgent) {
      const pending = this.#get(path);
      if (pending) this.#put({ ...pending, urgent: true, nextAt: 0 });
    }
    this.#urgent.clear();
    const currentTime = parts.clock.elapsed();
    const waitingSources = [...this.#all].filter(({ nextAt }) => nextAt <= currentTime);
    // Sources that don't pass the gate aren't sampled.
    const waitFlags = await this.#ofEach(waitingSources, (pending) => this.#hasToWait(pending));
    const due = waitingSources.filter((_, index) => !waitFlags[index]);
    const scanned = due.length > maxSingly ? await scanAtOnce(rule, surveying) : undefined;
    await this.#ofEach(due, (pending) => this.#settleOne(pending, scanned));
    if (waitingSources.length > 0) parts.onChange(rule.id);
  }

  /** Creates jobs in order of arrival while there are turns. */
  async useTurns(): Promise<void> {
    const { rule, maker, surveying, parts, checks } = this.#options;
    let ahead = 0;
    for (const candidate of [...this.#all]) {
      if (!isSettled(candidate) || ahead >= inspectedAhead) continue;
      surveying.signal.throwIfAborted();
      // A scan of many sources inspects none; this needs no new sample.
      if (!candidate.urgent && checks.findings.inspect(rule, candidate.source) !== null) {
        ahead += 1;
        continue;
      }
      if (!maker.mayMake(rule) || (await this.#hasToWait(candidate))) continue;
      const pending = await this.#settleOne(candidate);
      if (pending && isSettled(pending)) await this.#handOver(pending);
      parts.onChange(rule.id);
    }
  }

  /** A few at a time. Throws the signal's reason. */
  async #ofEach<Result>(
    sources: readonly Pending[],
    work: (pending: Pending) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const { signal } = this.#options.surveying;
    const results: Result[] = [];
    const pause = createPause(signal);
    for (let start = 0; start < sources.length; start += sideBySide) {
      signal.throwIfAborted();
      await pause();
      results.push(...(await Promise.all(sources.slice(start, start + sideBySide).map(work))));
    }
    return results;
  }

  async #hasToWait(pending: Pending): Promise<boolean> {
    const { parts, gate } = this.#options;
    const wait = pending.urgent ? null : await gate.checkEarly(pending.source);
    if (wait) {
      const nextAt = parts.clock.elapsed() + wait.againMs;
      this.#put({ ...pending, notReady: wait.notReady, nextAt });
    }
    return wait !== null;
  }

  /** Null if it no longer settles. */
  async #settleOne(previous: Pending, scanned?: KnownSources): Promise<Pending | null> {
    const { sources } = this.#options;
    const { path } = previous.source;
    const updated = await this.#sampleOnce(previous, scanned);
    if (!this.#get(path)) return null;
    if (!updated) sources.apply(path, { kind: 'vanished' });
    else this.#put(updated);
    if (!updated || !isSettled(updated)) return updated;
    const state = await sources.see(updated.source, true);
    if (state.kind === 'queued' && !updated.urgent && !updated.isRetry) this.#holdForFindings(updated);
    return this.#get(path) ?? null;
  }

  async #sampleOnce(previous: Pending, scanned: KnownSources | undefined): Promise<Pending | null> {
    const { surveying, rule, parts, gate, checks, settleMs } = this.#options;
    try {
      const updated = await settleFurther(previous, {
        ...surveying,
        rule,
        settleMs: settleMs(),
        clock: parts.clock,
        findWriter: checks.findWriter,
        inspector: checks.inspector,
        leftOut: (source) => leftOutBy(rule, source, checks),
        scanned,
      });
      // A scan of many sources inspects none; that happens before the upload.
      const wait =
        updated && isSettled(updated) && !updated.urgent && !scanned
          ? await gate.checkSettled(updated.source)
          : null;
      return updated && wait
        ? { ...updated, notReady: wait.notReady, nextAt: parts.clock.elapsed() + wait.againMs }
        : updated;
    } catch (error) {
      return this.#putBack(previous, error);
    }
  }

  #holdForFindings({ source, broken }: Pending): void {
    const { sources, rule, parts, checks } = this.#options;
    const entry = parts.ledger.find(rule.id, source.path);
    const grave = holdingBack(checks.findings.outcomeOf(rule.id, source).findings, rule.hold);
    // The quick check also sees sidecar files and may find more.
    const findings = grave.length > 0 || !broken ? grave : holdingBack([broken], rule.hold);
    const [firstFinding] = findings;
    if (!firstFinding || (entry && isRequested(entry))) return;
    sources.holdFor(source, 'findings', { question: { changed: null, findings } });
    this.#writeActivity('sources.heldFor', source.path, foundPhrase(firstFinding));
  }

  async #handOver(pending: Pending): Promise<void> {
    const { rule, parts, maker, sources, putBackMs, onFailure } = this.#options;
    const { source } = pending;
    const { path } = source;
    try {
      if (await maker.makeJob(rule, source, pending.isRetry)) sources.apply(path, { kind: 'slot-free' });
      else {
        const nextAt = parts.clock.elapsed() + putBackMs;
        this.#put({ ...pending, nextAt }, 'elsewhere');
      }
      onFailure(null);
    } catch (cause) {
      if (cause instanceof TileliftError && cause.code === 'watch-kind-undecided') {
        const error = toErrorRecord(cause);
        sources.holdFor(source, 'kind-undecided', { error });
        return this.#writeActivity('sources.waits', path, errorPhrase(error));
      }
      const updated = this.#putBack(pending, cause);
      // The ledger has it already, so stop waiting.
      if (isTaken(cause)) sources.list.delete(path);
      else this.#put(updated);
    }
  }

  /** One unreadable source must not block the others. Rethrows errors that concern all. */
  #putBack(pending: Pending, cause: unknown): Pending {
    const { parts, rule, surveying, putBackMs, onFailure } = this.#options;
    const error = toTileliftError(cause);
    if (surveying.signal.aborted || concernsAll(error)) throw cause;
    const record = toErrorRecord(error);
    const reason = errorPhrase(record);
    parts.log.warn({ ruleId: rule.id, error }, 'a source has to wait');
    onFailure(record);
    const nextAt = parts.clock.elapsed() + putBackMs;
    const notReady = { kind: 'wait-longer', reason } as const;
    // Reported without a delay.
    const wait = { words: inEnglish.sayPhrase(reason), startedAt: Number.NEGATIVE_INFINITY };
    return { ...pending, notReady, wait, nextAt };
  }

  #writeActivity(key: 'sources.waits' | 'sources.heldFor', path: string, why: PhraseValue): void {
    const { parts, rule } = this.#options;
    writeActivity(parts, rule.id, { key, values: { name: nameOf(rule, path), why } });
  }
}

function resultOf(pending: Pending) {
  if (isSettled(pending)) return 'ready';
  return pending.notReady?.kind === 'not-ready' ? 'not-ready' : 'unfinished';
}

function concernsAll({ code }: TileliftError): boolean {
  return code.startsWith('watch-folder-') || code.startsWith('journal-');
}

function isTaken(error: unknown): boolean {
  return error instanceof TileliftError && error.code === 'watch-already-taken';
}
