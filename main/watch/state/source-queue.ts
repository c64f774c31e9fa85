import type { PhraseValue } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { FoundSource } from '../model/model.ts';
import { foundPhrase, holdingBack } from '../model/noted-findings.ts';
import { createPause } from '../model/pause.ts';
import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/words.ts';
import type { SurveyedSource } from '../scan/found-source.ts';
import type { SurveyOptions } from '../scan/scan-rule.ts';
import type { Pending } from '../settle/pending-sources.ts';
import { leftOutBy } from '../settle/proposal.ts';
import type { ReadyGate } from '../settle/ready-gate.ts';
import { type KnownSources, settleFurther, surveyAtOnce } from '../settle/settle-source.ts';
import {
  learn,
  maxAfterEndMs,
  pauseAfterEnd,
  pauseBefore,
  type SettleTime,
  settleTime,
  weightOf,
} from '../settle/settle-time.ts';
import { addSample } from '../settle/settling.ts';
import type { Decision } from './decide.ts';
import { isRequested } from './ledger/second-asset.ts';
import { type WatchParts, writeActivity } from './watch-parts.ts';
import type { WatchedSources } from './watched-sources.ts';

interface SourceQueueOptions {
  readonly rule: WatchRule;
  readonly parts: WatchParts;
  readonly surveying: SurveyOptions;
  readonly signal: AbortSignal;
  /** Depends on the rule and the drive, ms. */
  readonly settleMs: () => number;
  readonly gate: ReadyGate;
  readonly life: {
    mayTake(): boolean;
    /** False: another computer has the source. */
    makeJob(source: FoundSource, again: boolean): Promise<boolean>;
  };
  readonly sources: WatchedSources;
  /** Null after a success. */
  readonly onFailure: (error: ErrorRecord | null) => void;
}

const sideBySide = 4;
/** Limit of sources inspected ahead of their turn. */
const lookedAhead = 8;
/** Above this, one scan of the whole folder is faster. */
const maxSingly = 50;

/** The sources of one rule that settle or wait for their turn. */
export class SourceQueue {
  readonly #with: SourceQueueOptions;
  /** Paths that the user asked to upload immediately; may be in a scan. */
  readonly #urgent = new Set<string>();
  readonly #told = new Map<string, string>();

  constructor(options: SourceQueueOptions) {
    this.#with = options;
  }

  /** ms of the watch's own clock; null if nothing waits for a time. */
  nextAt(): number | null {
    let next: number | null = null;
    for (const { nextAt } of this.#all) if (next === null || nextAt < next) next = nextAt;
    return next;
  }

  /** Returns how far a source has settled that will be picked up or asked about. */
  expect(found: SurveyedSource, decision: Decision): Pending {
    const before = this.#get(found.path);
    if (before) return { ...before, found };
    const { again = false, grew = false } = decision.kind === 'take' ? decision : {};
    const { parts, rule } = this.#with;
    if (grew)
      writeActivity(parts, rule.id, { key: 'sources.grew', values: { name: nameOf(rule, found.path) } });
    const settleTime = this.#settleTime();
    const now = parts.elapsed();
    this.#told.delete(found.path);
    return {
      found,
      again,
      samples: addSample([], now, found),
      settleTime,
      weight: weightOf(found),
      doubt: null,
      broken: null,
      elsewhere: false,
      settled: false,
      urgent: false,
      firstSeenAt: parts.clock.now(),
      nextAt: now + settleTime.defaultMs / 3,
    };
  }

  /** A source that grew after its upload was picked up in a pause, so the next ones get more time. */
  learnFrom(found: SurveyedSource): void {
    const { parts, rule } = this.#with;
    const known = parts.ledger.find(rule.id, found.path);
    if (known && known.jobId !== null) this.#learn(pauseAfterEnd(known, found));
  }

  hurry(path: string): void {
    this.#urgent.add(path);
  }

  /** The rule's condition may be met. `path`: for one source only. */
  askAgain(path?: string): void {
    for (const one of path === undefined ? [...this.#all] : [this.#get(path)])
      if (one?.doubt?.kind === 'not-ready') this.#put({ ...one, nextAt: 0 });
  }

  get #all(): Iterable<Pending> {
    return this.#with.sources.list.pending;
  }

  #get(path: string): Pending | undefined {
    return this.#with.sources.list.get(path)?.pending;
  }

  #put(pending: Pending): void {
    const { found } = pending;
    this.#with.sources.apply(
      found.path,
      { kind: 'inspected', result: resultOf(pending) },
      { found, pending },
    );
  }

  async settle(): Promise<void> {
    const { parts, rule, surveying, signal } = this.#with;
    for (const path of this.#urgent) {
      const pending = this.#get(path);
      if (pending) this.#put({ ...pending, urgent: true, settled: false, nextAt: 0 });
    }
    this.#urgent.clear();
    const now = parts.elapsed();
    const all = [...this.#all].filter(({ nextAt }) => nextAt <= now);
    const due = await this.#withoutWaiting(all);
    const known = due.length > maxSingly ? await surveyAtOnce(rule, surveying) : undefined;
    const pause = createPause(signal);
    for (let at = 0; at < due.length; at += sideBySide) {
      signal.throwIfAborted();
      await pause();
      await Promise.all(due.slice(at, at + sideBySide).map((one) => this.#settleOne(one, known)));
    }
    if (all.length > 0) parts.onChange(rule.id);
  }

  /** Creates jobs in order of arrival while there are turns. */
  async useTurns(): Promise<void> {
    const { rule, life, signal, parts } = this.#with;
    let ahead = 0;
    for (const waiting of [...this.#all]) {
      if (!waiting.settled || ahead >= lookedAhead) continue;
      signal.throwIfAborted();
      // A scan of many sources inspects none; this needs no new sample.
      if (!waiting.urgent && parts.findings.look(rule, waiting.found) !== null) {
        ahead += 1;
        continue;
      }
      if (!life.mayTake() || (await this.#hasToWait(waiting))) continue;
      const pending = await this.#settleOne(waiting);
      if (pending?.settled) await this.#handOver(pending);
      parts.onChange(rule.id);
    }
  }

  /** Returns the sources that pass the gate; the others aren't sampled. */
  async #withoutWaiting(due: readonly Pending[]): Promise<readonly Pending[]> {
    const through: Pending[] = [];
    const pause = createPause(this.#with.signal);
    for (let at = 0; at < due.length; at += sideBySide) {
      await pause();
      const some = due.slice(at, at + sideBySide);
      const kept = await Promise.all(some.map((one) => this.#hasToWait(one)));
      through.push(...some.filter((_, index) => !kept[index]));
    }
    return through;
  }

  async #hasToWait(before: Pending): Promise<boolean> {
    const { parts, gate } = this.#with;
    const wait = before.urgent ? null : await gate.before(before.found);
    if (wait) {
      const nextAt = parts.elapsed() + wait.againMs;
      this.#put({ ...before, settled: false, doubt: wait.doubt, nextAt });
    }
    return wait !== null;
  }

  #settleTime(): SettleTime {
    const { parts, rule, settleMs } = this.#with;
    return settleTime(settleMs(), parts.ledger.longestPause(rule.id), parts.clock.now());
  }

  #learn(pauseMs: number | null): boolean {
    const { parts, rule } = this.#with;
    if (pauseMs === null) return false;
    const learnt = learn(parts.ledger.longestPause(rule.id), pauseMs, parts.clock.now());
    if (learnt) parts.ledger.keepPause(rule.id, learnt);
    return learnt !== null;
  }

  /** Null if it no longer settles. */
  async #settleOne(before: Pending, known?: KnownSources): Promise<Pending | null> {
    const { sources } = this.#with;
    const { path } = before.found;
    const after = await this.#lookOnce(before, known);
    if (!this.#get(path)) return null;
    if (!after) sources.apply(path, { kind: 'vanished' });
    else this.#put(after);
    if (!after?.settled) return after;
    const state = await sources.see(after.found, true);
    if (state.kind === 'queued' && !after.urgent && !after.again) this.#holdForFindings(after);
    return this.#get(path) ?? null;
  }

  async #lookOnce(before: Pending, known: KnownSources | undefined): Promise<Pending | null> {
    const { surveying, rule, parts, gate } = this.#with;
    try {
      const after = await settleFurther(before, {
        ...surveying,
        rule,
        settleTime: this.#settleTime(),
        elapsed: parts.elapsed,
        findWriter: parts.findWriter,
        leftOut: (found) => leftOutBy(rule, found, parts),
        known,
      });
      const learnt = after && this.#learn(pauseWithin(before, after));
      const told = after && learnt ? { ...after, settleTime: this.#settleTime() } : after;
      // A scan of many sources inspects none; that happens before the upload.
      const wait = told?.settled && !told.urgent && !known ? await gate.settled(told.found) : null;
      return told && wait
        ? { ...told, settled: false, doubt: wait.doubt, nextAt: parts.elapsed() + wait.againMs }
        : told;
    } catch (thrown) {
      return this.#putBack(before, thrown);
    }
  }

  #holdForFindings({ found, broken }: Pending): void {
    const { sources, rule, parts } = this.#with;
    const known = parts.ledger.find(rule.id, found.path);
    const grave = holdingBack(parts.findings.of(rule.id, found), rule.hold);
    // The quick check also sees sidecar files and may find more.
    const findings = grave.length > 0 || !broken ? grave : holdingBack([broken], rule.hold);
    const [first] = findings;
    if (!first || (known && isRequested(known))) return;
    sources.holdFor(found, 'findings', { question: { together: false, changed: null, findings } });
    this.#writeActivity('sources.heldFor', found.path, foundPhrase(first));
  }

  async #handOver(pending: Pending): Promise<void> {
    const { parts, life, sources, onFailure } = this.#with;
    const { found } = pending;
    const { path } = found;
    try {
      if (await life.makeJob(found, pending.again)) sources.apply(path, { kind: 'slot-free' });
      else {
        const nextAt = parts.elapsed() + parts.timing.renewLeaseMs;
        this.#put({ ...pending, elsewhere: true, settled: false, nextAt });
      }
      onFailure(null);
    } catch (thrown) {
      if (thrown instanceof TileliftError && thrown.code === 'watch-kind-undecided') {
        const error = toErrorRecord(thrown);
        sources.holdFor(found, 'kind-undecided', { error });
        return this.#writeActivity('sources.waits', path, errorPhrase(error));
      }
      const after = this.#putBack(pending, thrown);
      // The ledger has it already, so stop waiting.
      if (isTaken(thrown)) sources.list.delete(path);
      else this.#put(after);
    }
  }

  /** One unreadable source must not block the others. Rethrows errors that concern all. */
  #putBack(pending: Pending, thrown: unknown): Pending {
    const { parts, rule, signal, onFailure } = this.#with;
    const error = toTileliftError(thrown);
    if (signal.aborted || concernsAll(error)) throw thrown;
    const { path } = pending.found;
    const record = toErrorRecord(error);
    // In English, like the log.
    const words = error.message;
    parts.log.warn({ ruleId: rule.id, error }, 'a source has to wait');
    onFailure(record);
    if (this.#told.get(path) !== words) this.#writeActivity('sources.waits', path, errorPhrase(record));
    this.#told.set(path, words);
    const reason = errorPhrase(record);
    const nextAt = parts.elapsed() + parts.timing.renewLeaseMs;
    return { ...pending, settled: false, doubt: { kind: 'wait-longer', reason }, nextAt };
  }

  #writeActivity(key: 'sources.waits' | 'sources.heldFor', path: string, why: PhraseValue): void {
    const { parts, rule } = this.#with;
    writeActivity(parts, rule.id, { key, values: { name: nameOf(rule, path), why } });
  }
}

const resultOf = ({ settled, elsewhere, doubt }: Pending) => {
  if (settled) return 'ready';
  if (elsewhere) return 'elsewhere';
  return doubt?.kind === 'not-ready' ? 'not-ready' : 'unfinished';
};

/**
 * Returns the pause before the source grew, or null. Known incomplete sources (a truncated file, a missing
 * texture) don't count, because people add missing files at their leisure.
 */
function pauseWithin(before: Pending, after: Pending): number | null {
  const sample = after.samples[0];
  const isOther = after.samples.length === 1 && sample?.digest !== before.samples.at(-1)?.digest;
  const hasGrown = after.weight.bytes > before.weight.bytes || after.weight.room > before.weight.room;
  if (!sample || !isOther || !hasGrown || before.doubt !== null) return null;
  const ms = pauseBefore(before.samples, sample.at);
  return ms !== null && before.settled && ms > maxAfterEndMs ? null : ms;
}

function concernsAll({ code }: TileliftError): boolean {
  return code.startsWith('watch-folder-') || code.startsWith('journal-');
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof TileliftError && thrown.code === 'watch-already-taken';
}
