import { errorPhrase } from '../../../strings/said-error.ts';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { holdingBack } from '../findings/noted-findings.ts';
import type { HeldSources } from '../held/held-sources.ts';
import { leftOutBy } from '../kind/proposal.ts';
import type { Decision } from '../ledger/decide.ts';
import type { SourceLife } from '../life/source-life.ts';
import { createPause } from '../pause.ts';
import type { ReadyGate } from '../ready/ready-gate.ts';
import type { WatchRule } from '../rule.ts';
import type { SurveyedSource } from '../survey/found-source.ts';
import type { SurveyOptions } from '../survey/survey.ts';
import type { Comparisons } from '../verify/comparisons.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { nameOf } from '../words.ts';
import type { Pending } from './pending-sources.ts';
import { type KnownSources, settleFurther, surveyAtOnce } from './settle-source.ts';
import {
  learn,
  maxAfterEndMs,
  pauseAfterEnd,
  pauseBefore,
  type SettleTime,
  settleTime,
  weightOf,
} from './settle-time.ts';
import { addSample } from './settling.ts';

interface SourceQueueOptions {
  readonly rule: WatchRule;
  readonly parts: WatchParts;
  readonly surveying: SurveyOptions;
  readonly signal: AbortSignal;
  /** How long nothing may have changed, ms, by the rule and the drive. */
  readonly settleMs: () => number;
  readonly gate: ReadyGate;
  readonly life: Pick<SourceLife, 'mayTake' | 'makeJob'>;
  readonly held: HeldSources;
  readonly comparisons: Comparisons;
  /** What is to become of a source, by what is known now. */
  readonly decide: (found: SurveyedSource) => Promise<Decision>;
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
  /** By path, in the order in which they came. */
  readonly #pending = new Map<string, Pending>();
  /** What a person does not want to wait for; it may be being looked at just now. */
  readonly #urgent = new Set<string>();
  /** What was last said about a source that has to wait. */
  readonly #told = new Map<string, string>();

  constructor(options: SourceQueueOptions) {
    this.#with = options;
  }

  /** In the order in which they came. */
  get all(): Iterable<Pending> {
    return this.#pending.values();
  }

  has(path: string): boolean {
    return this.#pending.has(path);
  }

  /** When something is to be done, of the watch's own clock, ms; null when nothing waits for a time. */
  nextAt(): number | null {
    let next: number | null = null;
    for (const { nextAt } of this.#pending.values()) if (next === null || nextAt < next) next = nextAt;
    return next;
  }

  expect(found: SurveyedSource, { again, grew }: { readonly again: boolean; readonly grew?: true }): void {
    const before = this.#pending.get(found.path);
    if (before) {
      this.#put({ ...before, found });
      return;
    }
    const { parts, rule } = this.#with;
    if (grew)
      writeActivity(parts, rule.id, { key: 'sources.grew', values: { name: nameOf(rule, found.path) } });
    const settleTime = this.#settleTime();
    const now = parts.elapsed();
    this.#put({
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
    });
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
    for (const one of path === undefined ? [...this.#pending.values()] : [this.#pending.get(path)])
      if (one?.doubt?.kind === 'not-ready') this.#put({ ...one, nextAt: 0 });
  }

  #put(pending: Pending): void {
    this.#pending.set(pending.found.path, pending);
  }

  delete(path: string): void {
    this.#pending.delete(path);
    this.#told.delete(path);
  }

  clear(): void {
    this.#pending.clear();
    this.#told.clear();
  }

  /** Looks at every source whose time has come. */
  async settle(): Promise<void> {
    const { parts, rule, surveying, signal } = this.#with;
    for (const path of this.#urgent) {
      const pending = this.#pending.get(path);
      if (pending) this.#put({ ...pending, urgent: true, settled: false, nextAt: 0 });
    }
    this.#urgent.clear();
    const now = parts.elapsed();
    const all = [...this.#pending.values()].filter(({ nextAt }) => nextAt <= now);
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
    for (const waiting of [...this.#pending.values()]) {
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

  async #settleOne(before: Pending, known?: KnownSources): Promise<Pending | null> {
    const after = await this.#lookOnce(before, known);
    const isGone = after === null || (after.settled && (await this.#isHeldBack(after)));
    if (isGone) this.delete(before.found.path);
    else this.#put(after);
    return isGone ? null : after;
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

  /** Whether a person is asked about what has settled. */
  async #isHeldBack({ found, urgent, broken }: Pending): Promise<boolean> {
    const { held, decide, rule, parts } = this.#with;
    const decision = await decide(found);
    if (held.holdBack(found, decision)) return true;
    if (urgent || decision.kind !== 'take' || decision.again) return false;
    const findings = parts.findings.of(rule.id, found);
    const grave = holdingBack(findings, rule.hold);
    // The short look knows what stands beside a file, and may say more than the long one.
    return held.holdFor(found, grave.length > 0 || !broken ? grave : holdingBack([broken], rule.hold));
  }

  async #handOver(pending: Pending): Promise<void> {
    const { parts, life, held, comparisons, decide, onFailure } = this.#with;
    const { found } = pending;
    const decision = await decide(found);
    comparisons.meet(found, decision);
    // Something else may have taken it while it settled.
    if (decision.kind !== 'take') return this.delete(found.path);
    try {
      if (await life.makeJob(found, pending.again)) this.delete(found.path);
      // Another computer may give it back.
      else {
        const nextAt = parts.elapsed() + parts.timing.renewClaimsMs;
        this.#put({ ...pending, elsewhere: true, settled: false, nextAt });
      }
      onFailure(null);
    } catch (thrown) {
      if (held.ask(found, thrown)) return this.delete(found.path);
      const after = this.#putBack(pending, thrown);
      // The ledger knows better: there is nothing to wait for.
      if (isTaken(thrown)) this.delete(found.path);
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
    if (this.#told.get(path) !== words) {
      const values = { name: nameOf(rule, path), why: errorPhrase(record) };
      writeActivity(parts, rule.id, { key: 'sources.waits', values });
    }
    this.#told.set(path, words);
    const reason = errorPhrase(record);
    const nextAt = parts.elapsed() + parts.timing.renewClaimsMs;
    return { ...pending, settled: false, doubt: { kind: 'wait-longer', reason }, nextAt };
  }
}

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
