import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type ErrorRecord, toErrorRecord, toTileliftError } from '../errors.ts';
import { Bell } from './bell.ts';
import { decide } from './decide.ts';
import type { SurveyedSource } from './found-source.ts';
import type { FoundSource } from './model.ts';
import { finishMoves } from './move-source.ts';
import { type Pending, PendingSources } from './pending-sources.ts';
import { createReadReferences } from './references.ts';
import type { WatchRule } from './rule.ts';
import { settleFurther } from './settle-source.ts';
import { type SurveyOptions, surveyPart, surveyRule } from './survey.ts';
import type { Turns } from './turns.ts';
import { note, type WatchParts } from './watch-parts.ts';
import { folderAway, WatchedFolder } from './watched-folder.ts';
import { nameOf } from './words.ts';

export interface RuleRunnerHooks {
  readonly turns: Turns;
  /** Makes a settled source into a job. False: another computer has it. */
  readonly take: (source: FoundSource, again: boolean) => Promise<boolean>;
  /** A source that was taken lies here unchanged: what the rule wants done at its end may have been cut off. */
  readonly finish: (source: FoundSource) => Promise<void>;
  /** Takes up sources whose time for another try has come; gives when the next one's comes, ms since the epoch, null for none. */
  readonly retry: () => Promise<number | null>;
}

export type RunnerState = 'watching' | 'looking' | 'suspended';

/** Samples taken side by side, and sources looked at between two breaths. */
const sideBySide = 4;
const page = 200;
/** After a look comes a rest of this many times its length. */
const restAfterLook = 20;
/** Another computer may give a source back. */
const elsewhereMs = 60_000;
const never = Number.POSITIVE_INFINITY;

/** Watches one folder: what arrives there settles, and is taken when its turn comes. */
export class RuleRunner {
  readonly #rule: WatchRule;
  readonly #parts: WatchParts;
  readonly #hooks: RuleRunnerHooks;
  readonly #folder: WatchedFolder;
  readonly #pending = new PendingSources();
  readonly #hints = new Set<string>();
  readonly #bell = new Bell();
  readonly #ending = new AbortController();
  readonly #surveying: SurveyOptions;
  #state: RunnerState = 'looking';
  #notice: ErrorRecord | null = null;
  /** Everything is to be looked through, not only what was hinted at. */
  #lookWanted = true;
  /** Times of the watch's own clock, ms. */
  #restUntil = 0;
  #nextLookAt = 0;
  /** ms since the epoch. */
  #lastLookAt: number | null = null;
  #done: Promise<void> = Promise.resolve();

  constructor(rule: WatchRule, parts: WatchParts, hooks: RuleRunnerHooks) {
    this.#rule = rule;
    this.#parts = parts;
    this.#hooks = hooks;
    this.#surveying = {
      signal: this.#ending.signal,
      readReferences: createReadReferences(),
      ...(parts.scanWorker ? { worker: parts.scanWorker } : {}),
    };
    this.#folder = new WatchedFolder({
      rule,
      timing: parts.timing,
      clock: parts.clock,
      instance: parts.instance,
      onHint: (path) => this.#hint(path),
      onTrouble: (error) => this.#show(this.#state, error),
    });
  }

  get state() {
    return {
      state: this.#state,
      notice: this.#notice,
      isNetworkDrive: this.#folder.drive === 'network',
      lastLookAt: this.#lastLookAt,
    };
  }

  /** Sources that are not taken yet, in the order in which they came. */
  get pending(): Iterable<Pending> {
    return this.#pending.all;
  }

  isPending(path: string): boolean {
    return this.#pending.get(path) !== undefined;
  }

  start(): void {
    const stopListening = this.#hooks.turns.onFree(() => this.#bell.ring());
    this.#done = this.#run().finally(stopListening);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#bell.ring();
    await this.#done;
  }

  /** Looks through the whole folder as soon as it can. */
  look(): void {
    this.#lookWanted = true;
    this.#restUntil = 0;
    this.#bell.ring();
  }

  /** Something that the loop looks at has changed: retries, turns. */
  ring(): void {
    this.#bell.ring();
  }

  /** Looks at what a change of this path, relative to the folder, may concern. */
  lookAt(path: string): void {
    this.#hint(join(this.#rule.folder, path));
  }

  /** Takes a source without waiting until it has settled. */
  takeNow(path: string): void {
    const pending = this.#pending.get(path);
    if (!pending) return;
    this.#pending.set({ ...pending, urgent: true, settled: false, nextAt: 0 });
    this.#bell.ring();
  }

  async #run(): Promise<void> {
    while (!this.#isEnding()) {
      let wait = this.#parts.timing.presenceMs;
      try {
        const presence = await this.#folder.look();
        if (presence === 'away') this.#suspend();
        else {
          if (presence === 'back') this.#resume();
          wait = Math.min(wait, await this.#round());
        }
      } catch (thrown) {
        if (!this.#isEnding()) this.#meet(thrown);
      }
      if (!this.#isEnding()) await this.#bell.wait(wait);
    }
    await this.#folder.close();
  }

  /** Gives how long nothing is to be done, ms. */
  async #round(): Promise<number> {
    const { elapsed, clock } = this.#parts;
    const retryAt = await this.#hooks.retry();
    const isRested = elapsed() >= this.#restUntil;
    if ((this.#lookWanted && isRested) || elapsed() >= this.#nextLookAt) await this.#lookThrough();
    else if (this.#hints.size > 0 && isRested) await this.#lookAtHints();
    await this.#settle();
    await this.#take();
    const toDo = this.#lookWanted || this.#hints.size > 0;
    const soonest = Math.min(toDo ? this.#restUntil : this.#nextLookAt, this.#pending.nextAt() ?? never);
    const untilRetry = retryAt === null ? never : retryAt - clock.now();
    return Math.max(0, Math.min(soonest - elapsed(), untilRetry));
  }

  #hint(path: string): void {
    const isFirst = this.#hints.size === 0 && !this.#lookWanted;
    if (path === this.#rule.folder) this.#lookWanted = true;
    else this.#hints.add(path);
    // What is written now will be written on: a moment later one look does for many hints. Later ones must not put it off.
    const { elapsed, timing } = this.#parts;
    if (isFirst) this.#restUntil = Math.max(this.#restUntil, elapsed() + timing.gatherMs);
    this.#bell.ring();
  }

  async #lookThrough(): Promise<void> {
    const { elapsed, timing, clock } = this.#parts;
    this.#lookWanted = false;
    this.#hints.clear();
    const began = elapsed();
    this.#show('looking', this.#notice);
    await finishMoves(this.#rule.folder);
    const { sources } = await surveyRule(this.#rule, this.#surveying);
    const there = new Set(sources.map(({ path }) => path));
    for (const { found } of [...this.#pending.all])
      if (!there.has(found.path)) this.#pending.delete(found.path);
    await this.#considerAll(sources);
    this.#lastLookAt = clock.now();
    this.#nextLookAt = elapsed() + timing.lookMs[this.#folder.drive];
    this.#restSince(began);
    this.#show('watching', this.#notice);
  }

  async #lookAtHints(): Promise<void> {
    const hints = [...this.#hints];
    this.#hints.clear();
    const began = this.#parts.elapsed();
    const found = new Map<string, SurveyedSource>();
    for (const hint of hints) {
      const { sources } = await surveyPart(this.#rule, hint, this.#surveying);
      for (const source of sources) found.set(source.path, source);
    }
    await this.#considerAll([...found.values()]);
    this.#restSince(began);
  }

  #restSince(began: number): void {
    const now = this.#parts.elapsed();
    this.#restUntil = now + Math.max(this.#parts.timing.gatherMs, (now - began) * restAfterLook);
  }

  async #considerAll(sources: readonly SurveyedSource[]): Promise<void> {
    for (const [index, source] of sources.entries()) {
      if (index % page === page - 1) await setImmediate();
      this.#ending.signal.throwIfAborted();
      await this.#consider(source);
    }
    this.#parts.onChange(this.#rule.id);
  }

  async #consider(found: SurveyedSource): Promise<void> {
    const { ledger, clock } = this.#parts;
    const rule = this.#rule;
    const known = ledger.find(rule.id, found.path);
    const decision = decide({
      found,
      known,
      sameIdentity: known ? [] : ledger.withIdentity(rule.id, found.identity),
      rule,
      now: clock.now(),
      isThere: (path) => existsSync(join(rule.folder, path)),
    });
    if (decision.kind === 'take') return this.#expect(found, decision.again);
    this.#pending.delete(found.path);
    if (decision.kind === 'known') return this.#hooks.finish(found);
    if (decision.kind !== 'renamed') return;
    const { path, fingerprint, newestMs } = found;
    ledger.change(rule.id, decision.from, { path, fingerprint, newestMs });
    note(this.#parts, rule.id, `${nameOf(rule, decision.from)} is now called ${nameOf(rule, path)}.`);
  }

  #expect(found: SurveyedSource, again: boolean): void {
    if (this.#pending.get(found.path)) return;
    const now = this.#parts.elapsed();
    this.#pending.set({
      found,
      again,
      samples: [{ at: now, digest: found.digest }],
      doubt: null,
      elsewhere: false,
      settled: false,
      urgent: false,
      firstSeenAt: this.#parts.clock.now(),
      nextAt: now + this.#settleMs() / 3,
    });
  }

  async #settle(): Promise<void> {
    const due = this.#pending.due(this.#parts.elapsed());
    for (let at = 0; at < due.length; at += sideBySide) {
      this.#ending.signal.throwIfAborted();
      await Promise.all(due.slice(at, at + sideBySide).map((one) => this.#settleOne(one)));
    }
    if (due.length > 0) this.#parts.onChange(this.#rule.id);
  }

  async #settleOne(before: Pending): Promise<Pending | null> {
    const after = await settleFurther(before, {
      ...this.#surveying,
      rule: this.#rule,
      settleMs: this.#settleMs(),
      elapsed: this.#parts.elapsed,
    });
    if (after) this.#pending.set(after);
    else this.#pending.delete(before.found.path);
    return after;
  }

  /** In the order in which they came. */
  async #take(): Promise<void> {
    for (const waiting of [...this.#pending.all]) {
      if (!waiting.settled || !this.#hooks.turns.free()) continue;
      this.#ending.signal.throwIfAborted();
      // It may have waited long for its turn.
      const pending = await this.#settleOne(waiting);
      if (!pending?.settled) continue;
      if (await this.#hooks.take(pending.found, pending.again)) this.#pending.delete(pending.found.path);
      else {
        const nextAt = this.#parts.elapsed() + elsewhereMs;
        this.#pending.set({ ...pending, elsewhere: true, settled: false, nextAt });
      }
      this.#parts.onChange(this.#rule.id);
    }
  }

  /** What was settling is found again when the folder is back. */
  #suspend(): void {
    if (this.#state === 'suspended') return;
    this.#pending.clear();
    this.#hints.clear();
    note(this.#parts, this.#rule.id, 'The folder is away.');
    this.#show('suspended', folderAway(this.#rule.folder));
  }

  #resume(): void {
    if (this.#state === 'suspended') note(this.#parts, this.#rule.id, 'The folder is back.');
    this.#lookWanted = true;
    this.#restUntil = 0;
    this.#show('watching', null);
  }

  /** A round that failed as a whole: the disk, the journal. The next one tries again. */
  #meet(thrown: unknown): void {
    const error = toTileliftError(thrown);
    this.#parts.log.warn({ ruleId: this.#rule.id, error }, 'a round of watching failed');
    this.#lookWanted = true;
    this.#show('watching', toErrorRecord(error));
  }

  #show(state: RunnerState, notice: ErrorRecord | null): void {
    this.#state = state;
    this.#notice = notice;
    this.#parts.onChange(this.#rule.id);
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  #settleMs(): number {
    const usual = this.#parts.timing.settleMs[this.#folder.drive];
    return Math.max(usual, (this.#rule.settleSeconds ?? 0) * 1000);
  }
}
