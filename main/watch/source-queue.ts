import type { PhraseValue } from '../../strings/phrase.ts';
import { errorPhrase } from '../../strings/said-error.ts';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../errors.ts';
import { foundPhrase, holdingBack } from './findings/noted-findings.ts';
import { leftOutBy } from './kind/proposal.ts';
import { isRequested } from './ledger/second-asset.ts';
import type { SourceLife } from './life/source-life.ts';
import { createPause } from './pause.ts';
import type { ReadyGate } from './ready/ready-gate.ts';
import type { WatchRule } from './rule.ts';
import type { Pending } from './settle/pending-sources.ts';
import { type KnownSources, settleFurther, surveyAtOnce } from './settle/settle-source.ts';
import {
  learn,
  maxAfterEndMs,
  pauseAfterEnd,
  pauseBefore,
  type SettleTime,
  settleTime,
  weightOf,
} from './settle/settle-time.ts';
import { addSample } from './settle/settling.ts';
import type { Decision } from './state/decide.ts';
import type { WatchedSources } from './state/watched-sources.ts';
import type { SurveyedSource } from './survey/found-source.ts';
import type { SurveyOptions } from './survey/survey.ts';
import { type WatchParts, writeActivity } from './watch-parts.ts';
import { nameOf } from './words.ts';

interface SourceQueueOptions {
  readonly rule: WatchRule;
  readonly parts: WatchParts;
  readonly surveying: SurveyOptions;
  readonly signal: AbortSignal;
  /** How long nothing may have changed, ms, by the rule and the drive. */
  readonly settleMs: () => number;
  readonly gate: ReadyGate;
  readonly life: Pick<SourceLife, 'mayTake' | 'makeJob'>;
  /** The states of all sources of the rule. */
  readonly sources: WatchedSources;
  /** Why a source could neither be looked at nor taken; null when one was taken. */
  readonly onFailure: (error: ErrorRecord | null) => void;
}

/** Samples taken side by side. */
const sideBySide = 4;
/** Sources of many that wait for their turn which are looked into before it comes. */
const lookedAhead = 8;
/** Sources that are looked at one by one; more are found faster in one scan of the whole folder. */
const maxSingly = 50;

/** The sources of one rule that settle or wait for their turn. */
export class SourceQueue {
  readonly #with: SourceQueueOptions;
  /** What a person does not want to wait for; it may be being looked at just now. */
  readonly #urgent = new Set<string>();
  /** What was last said about a source that has to wait. */
  readonly #told = new Map<string, string>();

  constructor(options: SourceQueueOptions) {
    this.#with = options;
  }

  /** When something is to be done, of the watch's own clock, ms; null when nothing waits for a time. */
  nextAt(): number | null {
    let next: number | null = null;
    for (const { nextAt } of this.#all) if (next === null || nextAt < next) next = nextAt;
    return next;
  }

  /** How far a source that is to be picked up, or asked about, has settled. */
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

  /** A source that was taken and has grown since was taken in a pause: the next ones are given more time. */
  learnFrom(found: SurveyedSource): void {
    const { parts, rule } = this.#with;
    const known = parts.ledger.find(rule.id, found.path);
    if (known && known.jobId !== null) this.#learn(pauseAfterEnd(known, found));
  }

  /** It is taken without waiting until it has settled. */
  hurry(path: string): void {
    this.#urgent.add(path);
  }

  /** What the rule waits for may be there now. `path`: of one source alone. */
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

  /** Looks at every source whose time has come. */
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

  /** Makes jobs of what has settled, in the order in which it came, while there are turns. */
  async useTurns(): Promise<void> {
    const { rule, life, signal, parts } = this.#with;
    let ahead = 0;
    for (const waiting of [...this.#all]) {
      if (!waiting.settled || ahead >= lookedAhead) continue;
      signal.throwIfAborted();
      // Of many in one look none was looked into yet, and they need not be looked at again for that.
      if (!waiting.urgent && parts.findings.look(rule, waiting.found) !== null) {
        ahead += 1;
        continue;
      }
      if (!life.mayTake() || (await this.#hasToWait(waiting))) continue;
      // It may have waited long for its turn.
      const pending = await this.#settleOne(waiting);
      if (pending?.settled) await this.#handOver(pending);
      parts.onChange(rule.id);
    }
  }

  /** Those that the gate lets through; what it keeps is not looked at. */
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

  /** Whether there was something to learn from the pause. */
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
    // A scan may have found meanwhile that it is gone, or what it is.
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
      // Of many in one look none is read: that is done once more before it is taken.
      const wait = told?.settled && !told.urgent && !known ? await gate.settled(told.found) : null;
      return told && wait
        ? { ...told, settled: false, doubt: wait.doubt, nextAt: parts.elapsed() + wait.againMs }
        : told;
    } catch (thrown) {
      return this.#putBack(before, thrown);
    }
  }

  /** What was found in its files may be a reason to ask the user. */
  #holdForFindings({ found, broken }: Pending): void {
    const { sources, rule, parts } = this.#with;
    const known = parts.ledger.find(rule.id, found.path);
    const grave = holdingBack(parts.findings.of(rule.id, found), rule.hold);
    // The short look knows what stands beside a file, and may say more than the long one.
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
      // Another computer may give it back.
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
      // The ledger knows better: there is nothing to wait for.
      if (isTaken(thrown)) sources.list.delete(path);
      else this.#put(after);
    }
  }

  /**
   * One source that can't be read or taken must not keep the others from it. Throws what concerns them all.
   */
  #putBack(pending: Pending, thrown: unknown): Pending {
    const { parts, rule, signal, onFailure } = this.#with;
    const error = toTileliftError(thrown);
    if (signal.aborted || concernsAll(error)) throw thrown;
    const { path } = pending.found;
    const record = toErrorRecord(error);
    // In English, as the log has it.
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
 * The pause that has just ended, since the source has grown; null for none. What was known to be unfinished,
 * a file that is cut off or a texture that is missing, is waited for without it, and people bring what is
 * missing at their leisure.
 */
function pauseWithin(before: Pending, after: Pending): number | null {
  const sample = after.samples[0];
  const isOther = after.samples.length === 1 && sample?.digest !== before.samples.at(-1)?.digest;
  const hasGrown = after.weight.bytes > before.weight.bytes || after.weight.room > before.weight.room;
  if (!sample || !isOther || !hasGrown || before.doubt !== null) return null;
  const ms = pauseBefore(before.samples, sample.at);
  return ms !== null && before.settled && ms > maxAfterEndMs ? null : ms;
}

/** The folder or the journal, rather than one source. */
function concernsAll({ code }: TileliftError): boolean {
  return code.startsWith('watch-folder-') || code.startsWith('journal-');
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof TileliftError && thrown.code === 'watch-already-taken';
}
