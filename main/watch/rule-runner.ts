import { join } from 'node:path';
import { type ErrorRecord, errorPhrase, TileliftError, toErrorRecord, toTileliftError } from '../errors.ts';
import { Bell } from './bell.ts';
import { Hints } from './folder/hints.ts';
import { isThere } from './folder/places.ts';
import { folderAway, WatchedFolder } from './folder/watched-folder.ts';
import { type Decision, decide } from './ledger/decide.ts';
import { takeOverLeftPlans } from './left-plans.ts';
import type { FoundSource } from './model.ts';
import { finishMoves } from './move-source.ts';
import { withPatience } from './patience.ts';
import type { Pending } from './pending-sources.ts';
import type { WatchRule } from './rule.ts';
import type { SurveyedSource } from './source/found-source.ts';
import { createPage } from './source/pages.ts';
import { createReadReferences } from './source/references.ts';
import { type Survey, type SurveyOptions, surveyPart, surveyRule } from './source/survey.ts';
import { SourceQueue } from './source-queue.ts';
import type { Turns } from './turns.ts';
import { note, type WatchParts } from './watch-parts.ts';
import { nameOf } from './words.ts';

export interface RuleRunnerHooks {
  readonly turns: Turns;
  /** Makes a settled source into a job. False: another computer has it. */
  readonly take: (source: FoundSource, again: boolean) => Promise<boolean>;
  /** A source that was taken lies here unchanged: what the rule wants done at its end may have been cut off. */
  readonly finish: (source: FoundSource) => Promise<void>;
  /** It failed, and its job goes on by itself or can be tried again: it needs no other asset. */
  readonly hasOwnJob: (path: string) => boolean;
  /** Takes up sources whose time for another try has come; gives when the next one's comes, ms since the epoch, null for none. */
  readonly retry: () => Promise<number | null>;
}

/** `paused`: its folder may not be watched. */
export type RunnerState = 'watching' | 'looking' | 'suspended' | 'paused';

/** After a look comes a rest of this many times its length. */
const restAfterLook = 20;
/** How long `stop` waits for a disk that does not answer, ms. */
const stopPatienceMs = 3_000;
const never = Number.POSITIVE_INFINITY;

/** Watches one folder: what arrives there settles, and is taken when its turn comes. */
export class RuleRunner {
  readonly #rule: WatchRule;
  readonly #parts: WatchParts;
  readonly #hooks: RuleRunnerHooks;
  readonly #folder: WatchedFolder;
  readonly #queue: SourceQueue;
  readonly #hints: Hints;
  readonly #bell = new Bell();
  readonly #ending = new AbortController();
  readonly #surveying: SurveyOptions;
  #state: RunnerState = 'looking';
  /** What is wrong with the folder for as long as it is watched like this. */
  #notice: ErrorRecord | null = null;
  /** Why the last round, or the last source that was to be taken, failed; null once it worked again. */
  #failure: ErrorRecord | null = null;
  /** Sources that can't be read, and why. */
  #unreadable: ReadonlyMap<string, string> = new Map();
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
    this.#hints = new Hints(rule);
    this.#surveying = {
      signal: this.#ending.signal,
      readReferences: createReadReferences(parts.looks),
      ...(parts.scanWorker ? { worker: parts.scanWorker } : {}),
    };
    this.#queue = new SourceQueue({
      rule,
      parts,
      surveying: this.#surveying,
      signal: this.#ending.signal,
      settleMs: () => this.#settleMs(),
      turns: hooks.turns,
      take: hooks.take,
      isWanted: (found) => this.#decide(found).kind === 'take',
      onFailure: (error) => {
        this.#failure = error;
      },
    });
    this.#folder = new WatchedFolder({
      rule,
      timing: parts.timing,
      clock: parts.clock,
      instance: parts.instance,
      refuseFolder: parts.refuseFolder,
      onHint: (path) => this.#hint(path),
      onTrouble: (error) => this.#show(this.#state, error),
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

  /** Sources that are not taken yet, in the order in which they came. */
  get pending(): Iterable<Pending> {
    return this.#queue.all;
  }

  /** Sources that can't be read, with the reason. */
  get unreadable(): ReadonlyMap<string, string> {
    return this.#unreadable;
  }

  isPending(path: string): boolean {
    return this.#queue.has(path);
  }

  /** It settles, or is about to be looked at. */
  isAwaited(path: string): boolean {
    return this.isPending(path) || this.#hints.has(join(this.#rule.folder, path));
  }

  start(): void {
    const stopListening = this.#hooks.turns.onFree(() => this.#bell.ring());
    this.#done = this.#run().finally(stopListening);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#bell.ring();
    await withPatience(this.#done, stopPatienceMs);
  }

  /** Looks through the whole folder as soon as it can. */
  look(): void {
    this.#hints.addEverything();
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
    this.#queue.hurry(path);
    this.#bell.ring();
  }

  async #run(): Promise<void> {
    while (!this.#isEnding()) {
      let wait = this.#parts.timing.presenceMs;
      try {
        const presence = await this.#folder.look();
        if (presence === 'away') this.#suspend();
        else if (presence instanceof TileliftError) this.#pause(presence);
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
    if (elapsed() >= this.#nextLookAt) this.#hints.addEverything();
    if (!this.#hints.isEmpty && elapsed() >= this.#restUntil) await this.#lookAtHints();
    await this.#queue.settle();
    await this.#queue.take();
    const soonest = Math.min(
      this.#hints.isEmpty ? this.#nextLookAt : this.#restUntil,
      this.#queue.nextAt() ?? never,
    );
    const untilRetry = retryAt === null ? never : retryAt - clock.now();
    return Math.max(0, Math.min(soonest - elapsed(), untilRetry));
  }

  #hint(path: string): void {
    const isFirst = this.#hints.isEmpty;
    this.#hints.add(path);
    // What is written now will be written on: a moment later one look does for many hints. Later ones must not put it off.
    const { elapsed, timing } = this.#parts;
    if (isFirst) this.#restUntil = Math.max(this.#restUntil, elapsed() + timing.gatherMs);
    this.#bell.ring();
  }

  async #lookAtHints(): Promise<void> {
    const began = this.#parts.elapsed();
    const places = this.#hints.take();
    try {
      if (places === 'everything') await this.#lookThrough();
      else await this.#lookAtPlaces(places);
    } catch (thrown) {
      // Whatever it was about is not lost with it.
      this.#hints.addEverything();
      throw thrown;
    } finally {
      this.#restSince(began);
    }
  }

  async #lookThrough(): Promise<void> {
    const { elapsed, timing, clock } = this.#parts;
    this.#show('looking', this.#notice);
    await takeOverLeftPlans(this.#rule, this.#parts);
    await finishMoves(this.#rule.folder, this.#parts.ledger);
    const survey = await surveyRule(this.#rule, this.#surveying);
    const there = new Set(survey.sources.map(({ path }) => path));
    for (const { found } of [...this.#queue.all]) if (!there.has(found.path)) this.#queue.delete(found.path);
    await this.#considerAll([survey], new Map());
    this.#lastLookAt = clock.now();
    this.#nextLookAt = elapsed() + timing.lookMs[this.#folder.drive];
    this.#failure = null;
    this.#show('watching', this.#notice);
  }

  async #lookAtPlaces(places: readonly string[]): Promise<void> {
    const surveys: Survey[] = [];
    for (const place of places) surveys.push(await surveyPart(this.#rule, place, this.#surveying));
    await this.#considerAll(surveys, this.#unreadable);
  }

  #restSince(began: number): void {
    const now = this.#parts.elapsed();
    this.#restUntil = now + Math.max(this.#parts.timing.gatherMs, (now - began) * restAfterLook);
  }

  /** `before`: what could not be read where these surveys did not look. */
  async #considerAll(surveys: readonly Survey[], before: ReadonlyMap<string, string>): Promise<void> {
    const found = new Map<string, SurveyedSource>();
    const unreadable = new Map(before);
    const page = createPage(this.#ending.signal);
    for (const survey of surveys) {
      for (const source of survey.sources) {
        if (page.isFull()) await page.turn();
        found.set(source.path, source);
        unreadable.delete(source.path);
      }
      for (const { source, path } of survey.unreadable) if (source !== null) unreadable.set(source, path);
    }
    this.#tellUnreadable(unreadable);
    for (const source of found.values()) {
      if (page.isFull()) await page.turn();
      await this.#consider(source);
    }
    this.#parts.onChange(this.#rule.id);
  }

  async #consider(found: SurveyedSource): Promise<void> {
    const { ledger } = this.#parts;
    const rule = this.#rule;
    const decision = this.#decide(found);
    if (decision.kind === 'take') return this.#queue.expect(found, decision.again);
    this.#queue.delete(found.path);
    if (decision.kind === 'known') return this.#hooks.finish(found);
    if (decision.kind !== 'renamed') return;
    const { path, fingerprint, newestMs } = found;
    ledger.change(rule.id, decision.from, { path, fingerprint, newestMs });
    const values = { before: nameOf(rule, decision.from), name: nameOf(rule, path) };
    note(this.#parts, rule.id, { key: 'sources.renamed', values });
  }

  #decide(found: SurveyedSource): Decision {
    const { ledger, clock } = this.#parts;
    const rule = this.#rule;
    const known = ledger.find(rule.id, found.path);
    const now = clock.now();
    const decision = decide({
      found,
      known,
      sameIdentity: known ? [] : ledger.withIdentity(rule.id, found.identity),
      rule,
      now,
      isThere: (path) => isThere(join(rule.folder, path)),
    });
    const isAgain = decision.kind === 'take' && decision.again;
    return isAgain && this.#hooks.hasOwnJob(found.path) ? { kind: 'later', at: now } : decision;
  }

  /** Each once, for as long as it can't be read. */
  #tellUnreadable(unreadable: ReadonlyMap<string, string>): void {
    for (const [source, path] of unreadable) {
      if (this.#unreadable.has(source)) continue;
      const values = { name: nameOf(this.#rule, source), path };
      note(this.#parts, this.#rule.id, { key: 'sources.unreadable', values });
    }
    this.#unreadable = unreadable;
  }

  /** What was settling is found again when the folder is back. */
  #suspend(): void {
    if (this.#state === 'suspended') return;
    this.#queue.clear();
    this.#hints.clear();
    this.#failure = null;
    note(this.#parts, this.#rule.id, { key: 'sources.folderAway' });
    this.#show('suspended', folderAway(this.#rule.folder));
  }

  /** What was settling there is nobody's business any more. */
  #pause(refusal: TileliftError): void {
    if (this.#state === 'paused') return;
    this.#queue.clear();
    this.#hints.clear();
    this.#failure = null;
    const record = toErrorRecord(refusal);
    note(this.#parts, this.#rule.id, errorPhrase(record));
    this.#show('paused', record);
  }

  #resume(): void {
    if (this.#state === 'suspended') note(this.#parts, this.#rule.id, { key: 'sources.folderBack' });
    this.#hints.addEverything();
    this.#restUntil = 0;
    this.#failure = null;
    this.#show('watching', null);
  }

  /** A round that failed as a whole: the disk, the journal. The next one tries again. */
  #meet(thrown: unknown): void {
    const error = toTileliftError(thrown);
    this.#parts.log.warn({ ruleId: this.#rule.id, error }, 'a round of watching failed');
    this.#failure = toErrorRecord(error);
    this.#show('watching', this.#notice);
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
