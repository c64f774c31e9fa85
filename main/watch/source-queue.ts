import {
  type ErrorRecord,
  errorPhrase,
  saidError,
  TileliftError,
  toErrorRecord,
  toTileliftError,
} from '../errors.ts';
import type { FoundSource } from './model.ts';
import { type Pending, PendingSources } from './pending-sources.ts';
import type { WatchRule } from './rule.ts';
import { type KnownSources, settleFurther, surveyAtOnce } from './settle-source.ts';
import type { SurveyedSource } from './source/found-source.ts';
import { createPage } from './source/pages.ts';
import type { SurveyOptions } from './source/survey.ts';
import type { Turns } from './turns.ts';
import { note, type WatchParts } from './watch-parts.ts';
import { nameOf } from './words.ts';

export interface SourceQueueOptions {
  readonly rule: WatchRule;
  readonly parts: WatchParts;
  readonly surveying: SurveyOptions;
  readonly signal: AbortSignal;
  /** How long nothing may have changed, ms. */
  readonly settleMs: () => number;
  readonly turns: Turns;
  /** Makes a settled source into a job. False: another computer has it. */
  readonly take: (source: FoundSource, again: boolean) => Promise<boolean>;
  /** By what the ledger knows now. */
  readonly isWanted: (found: SurveyedSource) => boolean;
  /** Why a source could neither be looked at nor taken; null when one was taken. */
  readonly onFailure: (error: ErrorRecord | null) => void;
}

/** Samples taken side by side. */
const sideBySide = 4;
/** Sources that are looked at one by one; more are found faster in one look through the whole folder. */
const mostSingly = 50;

/** The sources of one rule that settle or wait for their turn. */
export class SourceQueue {
  readonly #with: SourceQueueOptions;
  readonly #pending = new PendingSources();
  /** What a person does not want to wait for; it may be being looked at just now. */
  readonly #urgent = new Set<string>();
  /** What was last said about a source that has to wait. */
  readonly #told = new Map<string, string>();

  constructor(options: SourceQueueOptions) {
    this.#with = options;
  }

  /** In the order in which they came. */
  get all(): Iterable<Pending> {
    return this.#pending.all;
  }

  has(path: string): boolean {
    return this.#pending.get(path) !== undefined;
  }

  /** When something is to be done, of the watch's own clock, ms; null when nothing waits for a time. */
  nextAt(): number | null {
    return this.#pending.nextAt();
  }

  expect(found: SurveyedSource, again: boolean): void {
    if (this.has(found.path)) return;
    const { parts, settleMs } = this.#with;
    const now = parts.elapsed();
    this.#pending.set({
      found,
      again,
      samples: [{ at: now, digest: found.digest }],
      doubt: null,
      elsewhere: false,
      settled: false,
      urgent: false,
      firstSeenAt: parts.clock.now(),
      nextAt: now + settleMs() / 3,
    });
  }

  /** It is taken without waiting until it has settled. */
  hurry(path: string): void {
    this.#urgent.add(path);
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
      if (pending) this.#pending.set({ ...pending, urgent: true, settled: false, nextAt: 0 });
    }
    this.#urgent.clear();
    const due = this.#pending.due(parts.elapsed());
    const known = due.length > mostSingly ? await surveyAtOnce(rule, surveying) : undefined;
    const page = createPage(signal);
    for (let at = 0; at < due.length; at += sideBySide) {
      signal.throwIfAborted();
      if (page.isFull()) await page.turn();
      await Promise.all(due.slice(at, at + sideBySide).map((one) => this.#settleOne(one, known)));
    }
    if (due.length > 0) parts.onChange(rule.id);
  }

  /** Takes what has settled, in the order in which it came, while there are turns. */
  async take(): Promise<void> {
    const { rule, turns, signal, parts } = this.#with;
    for (const waiting of [...this.#pending.all]) {
      if (!waiting.settled || !turns.free(rule.accountId)) continue;
      signal.throwIfAborted();
      // It may have waited long for its turn.
      const pending = await this.#settleOne(waiting);
      if (pending?.settled) await this.#takeOne(pending);
      parts.onChange(rule.id);
    }
  }

  async #settleOne(before: Pending, known?: KnownSources): Promise<Pending | null> {
    const after = await this.#lookOnce(before, known);
    if (after) this.#pending.set(after);
    else this.delete(before.found.path);
    return after;
  }

  async #lookOnce(before: Pending, known: KnownSources | undefined): Promise<Pending | null> {
    const { surveying, rule, parts, settleMs } = this.#with;
    try {
      return await settleFurther(before, {
        ...surveying,
        rule,
        settleMs: settleMs(),
        elapsed: parts.elapsed,
        known,
      });
    } catch (thrown) {
      return this.#putBack(before, thrown);
    }
  }

  async #takeOne(pending: Pending): Promise<void> {
    const { parts, isWanted, take, onFailure } = this.#with;
    const { found } = pending;
    // Something else may have taken it while it settled.
    if (!isWanted(found)) return this.delete(found.path);
    try {
      if (await take(found, pending.again)) this.delete(found.path);
      // Another computer may give it back.
      else {
        const nextAt = parts.elapsed() + parts.timing.renewClaimsMs;
        this.#pending.set({ ...pending, elsewhere: true, settled: false, nextAt });
      }
      onFailure(null);
    } catch (thrown) {
      const after = this.#putBack(pending, thrown);
      // The ledger knows better: there is nothing to wait for.
      if (isTaken(thrown)) this.delete(found.path);
      else this.#pending.set(after);
    }
  }

  /** One source that can't be looked at, or taken, must not keep the others from it. Throws what concerns all of them. */
  #putBack(pending: Pending, thrown: unknown): Pending {
    const { parts, rule, signal, onFailure } = this.#with;
    const error = toTileliftError(thrown);
    if (signal.aborted || concernsAll(error)) throw thrown;
    const { path } = pending.found;
    const record = toErrorRecord(error);
    parts.log.warn({ ruleId: rule.id, error }, 'a source has to wait');
    onFailure(record);
    if (this.#told.get(path) !== record.message) {
      const values = { name: nameOf(rule, path), why: errorPhrase(record) };
      note(parts, rule.id, { key: 'sources.waits', values });
    }
    this.#told.set(path, record.message);
    const reason = saidError(record).message;
    const nextAt = parts.elapsed() + parts.timing.renewClaimsMs;
    return { ...pending, settled: false, doubt: { kind: 'wait-longer', reason }, nextAt };
  }
}

/** The folder or the journal, rather than one source. */
function concernsAll({ code }: TileliftError): boolean {
  return code.startsWith('watch-folder-') || code.startsWith('journal-');
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof TileliftError && thrown.code === 'watch-already-taken';
}
