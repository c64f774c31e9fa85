import { setImmediate } from 'node:timers/promises';
import type { HeldAnswer, HeldQuestion, HoldReason, HoldWhy } from '../../../shared/watch.ts';
import type { PhraseValue } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import type { Key } from '../../../strings/say.ts';
import { type ErrorRecord, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { foundPhrase, type NotedFinding } from '../findings/noted-findings.ts';
import type { Decision } from '../ledger/decide.ts';
import { isRestOfDelivery, looksSame, maybeSameContent } from '../ledger/same-content.ts';
import type { FoundSource, LedgerEntry, SourceAction } from '../model.ts';
import type { Pause } from '../pause.ts';
import type { WatchRule } from '../rule.ts';
import { compare } from '../verify/content.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { nameOf } from '../words.ts';
import { caughtBy } from './brake.ts';
import { type Choice, choiceWords, leaveSources, wantAssets } from './choices.ts';
import type { HeldRow } from './held-rows.ts';
import { type FileBefore, type WhatChanged, whatChanged } from './what-changed.ts';

/** Sources that one transaction is about: a few milliseconds' worth. */
const slice = 500;

/** A source that waits for a person's choice. */
export interface HeldSource {
  /** As it is there now. */
  readonly found: FoundSource;
  readonly why: HoldWhy;
  /** ms since the epoch. */
  readonly since: number;
  /** One question is asked about it and all others of which this is so. */
  readonly together: boolean;
  /** Null until it was found out, and where it can't be. */
  readonly changed: WhatChanged | null;
  /** What kept it from being taken; null where it was not to be taken. */
  readonly error: ErrorRecord | null;
  /** What was found in its files; none where it is held for another reason. */
  readonly findings: readonly NotedFinding[];
}

/**
 * The held sources of one rule. That they are held is in the journal, what they are like is found again by
 * every look, and what a person has chosen is in the ledger.
 */
export class HeldSources {
  readonly #rule: WatchRule;
  readonly #parts: WatchParts;
  readonly #lookAt: (path: string) => void;
  readonly #rows: Map<string, HeldRow>;
  readonly #byPath = new Map<string, HeldSource>();
  /** Since when sources look changed, by the watch's own clock, ms: only those not asked about before. */
  readonly #seen = new Map<string, number>();
  #comparing: Promise<void> = Promise.resolve();

  /** `lookAt`: what the rule does with a path is to be decided again. */
  constructor(rule: WatchRule, parts: WatchParts, lookAt: (path: string) => void) {
    this.#rule = rule;
    this.#parts = parts;
    this.#lookAt = lookAt;
    this.#rows = new Map(parts.ledger.heldOf(rule.id).map((row) => [row.path, row]));
  }

  /** In the order in which they came. */
  get all(): Iterable<HeldSource> {
    return this.#byPath.values();
  }

  get size(): number {
    return this.#byPath.size;
  }

  /** What is to be asked about many at once; null when nothing is. */
  get question(): HeldQuestion | null {
    const together = this.#together();
    const why = together[0]?.why;
    return why && isKept(why) ? { why, count: together.length } : null;
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  /**
   * The sources of one look. Where too many finished ones look changed at once, it holds all of them from
   * then on; under a rule that makes new assets of changes, only those whose contents can't be compared.
   */
  async see(sources: Iterable<FoundSource>, pause: Pause): Promise<void> {
    const { ledger, elapsed, clock } = this.#parts;
    if (this.#rule.whenChanged === 'leave') return;
    const now = elapsed();
    for (const found of sources) {
      await pause();
      const known = ledger.find(this.#rule.id, found.path);
      if (!known || looksSame(found, known)) continue;
      if (this.#rule.whenChanged === 'new-asset' && !this.#isIncomparable(found, known)) continue;
      if (isRestOfDelivery(found, known)) continue;
      const isAsked = this.#rows.has(found.path) || known.wantedAt !== null;
      if (isFinished(known) && !isAsked && !this.#seen.has(found.path)) this.#seen.set(found.path, now);
    }
    if (this.#seen.size === 0) return;
    const counts = ledger.counts(this.#rule.id);
    const caught = caughtBy(this.#seen, now, counts.complete + counts.skipped);
    const fresh = caught.filter((path) => this.#rows.get(path)?.why !== 'many-changed');
    if (fresh.length === 0) return;
    const since = clock.now();
    for (const paths of slices(fresh)) {
      this.#write(paths.map((path) => ({ path, why: 'many-changed', since, together: true })));
      await setImmediate();
    }
    this.#writeActivity('sources.manyHeld', { count: fresh.length });
  }

  #isIncomparable(found: FoundSource, known: LedgerEntry): boolean {
    const content = this.#parts.ledger.contentSeen(this.#rule.id, found.path, found.digest);
    return maybeSameContent(found, known) && compare(content, known) === 'untold';
  }

  /**
   * A decision by the ledger alone, changed where the source is held already: what a person was asked about
   * waits for the answer.
   */
  overrule(found: FoundSource, known: LedgerEntry | undefined, decision: Decision): Decision {
    const held = this.#byPath.get(found.path);
    if (decision.kind === 'take' && held && !isKept(held.why) && held.found.digest === found.digest)
      return { kind: 'hold', why: held.why };
    const row = this.#rows.get(found.path);
    if (!row || !known || !isFinished(known) || known.wantedAt !== null) return decision;
    const isAsked = decision.kind === 'hold' || (decision.kind === 'take' && !decision.again);
    return isAsked ? { kind: 'hold', why: row.why } : decision;
  }

  /** Whether a source that has settled is held rather than taken. */
  holdBack(found: FoundSource, decision: Decision): boolean {
    if (decision.kind === 'hold') this.meet(found, decision);
    return decision.kind === 'hold';
  }

  /**
   * Why a source could not be taken, where that is for a person to decide: it is held then, until it changes,
   * and after a restart until the same is found once more.
   */
  ask(found: FoundSource, thrown: unknown): boolean {
    if (!(thrown instanceof TileliftError) || thrown.code !== 'watch-kind-undecided') return false;
    const error = toErrorRecord(thrown);
    this.#keep(found, { why: 'kind-undecided', error, findings: [] });
    this.#writeActivity('sources.waits', { name: nameOf(this.#rule, found.path), why: errorPhrase(error) });
    return true;
  }

  /**
   * Holds a settled source for what was found in its files, likewise; not where a person wants it anyway.
   * False: there is nothing to hold it for.
   */
  holdFor(found: FoundSource, findings: readonly NotedFinding[]): boolean {
    const [first] = findings;
    const isWanted = this.#parts.ledger.find(this.#rule.id, found.path)?.wantedAt != null;
    if (!first || isWanted) return false;
    this.#keep(found, { why: 'findings', error: null, findings });
    this.#writeActivity('sources.heldFor', { name: nameOf(this.#rule, found.path), why: foundPhrase(first) });
    return true;
  }

  /** Until it changes, and after a restart until the same is found once more. */
  #keep(found: FoundSource, why: Pick<HeldSource, 'why' | 'error' | 'findings'>): void {
    const since = this.#byPath.get(found.path)?.since ?? this.#parts.clock.now();
    this.#byPath.set(found.path, { found, since, together: false, changed: null, ...why });
    this.#parts.ledger.keepBatch(this.#rule.id, found);
    this.#parts.onChange(this.#rule.id);
  }

  /** Holds the source, or lets it go, as was decided. */
  meet(found: FoundSource, decision: Decision): void {
    const { path } = found;
    // Nobody can say yet.
    if (decision.kind === 'compare') return;
    if (decision.kind === 'known' || decision.kind === 'renamed' || decision.kind === 'touched')
      this.#seen.delete(path);
    if (decision.kind !== 'hold') {
      this.#letGo([path]);
      return;
    }
    if (!isKept(decision.why)) return;
    const known = this.#rows.get(path);
    // After a backup was put back all of them raise the same question.
    const together = decision.why === 'restored';
    const row = known ?? { path, why: decision.why, since: this.#parts.clock.now(), together };
    if (!known) {
      this.#write([row]);
      // What arrives while it is asked about is another one.
      this.#parts.ledger.keepBatch(this.#rule.id, found);
      this.#writeActivity('sources.isHeld', { name: nameOf(this.#rule, path) });
    }
    const before = this.#byPath.get(path);
    const isSame = before?.found.fingerprint === found.fingerprint;
    this.#byPath.set(path, {
      ...row,
      found,
      changed: isSame ? before.changed : null,
      error: null,
      findings: [],
    });
    if (!isSame) this.#comparing = this.#comparing.then(() => this.#compare(found));
  }

  /** What of it has changed is found out afterwards: a journal with 100,000 files of it takes its time. */
  async #compare({ path, fingerprint, files }: FoundSource): Promise<void> {
    const { ledger, jobs, log, onChange } = this.#parts;
    const isHeld = () => this.#byPath.get(path)?.found.fingerprint === fingerprint;
    try {
      const jobId = isHeld() ? ledger.find(this.#rule.id, path)?.jobId : null;
      if (!jobId) return;
      const changed = await whatChanged(filesOf(jobId, ledger, jobs), files);
      const held = this.#byPath.get(path);
      if (!held || !isHeld()) return;
      this.#byPath.set(path, { ...held, changed });
      onChange(this.#rule.id);
    } catch (thrown) {
      log.warn(
        { error: toErrorRecord(toTileliftError(thrown)) },
        'what has changed of a source can’t be told',
      );
    }
  }

  /** Shows none that is not among these paths. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of [...this.#byPath.keys()]) if (!paths.has(path)) this.#byPath.delete(path);
    for (const path of [...this.#seen.keys()]) if (!paths.has(path)) this.#seen.delete(path);
  }

  /** Shows none until they are found again. */
  clear(): void {
    this.#byPath.clear();
    this.#seen.clear();
  }

  /**
   * What a person wants of a held source. It is on the disk before anything follows from it. False: that is
   * nothing that held sources know.
   */
  async act(path: string, action: SourceAction): Promise<boolean> {
    const held = this.#byPath.get(path);
    if (action === 'take-anyway' && held?.why === 'findings') {
      await this.#choose(held, 'make-asset');
      return true;
    }
    if (action === 'leave-it' || action === 'make-asset') {
      if (held) await this.#choose(held, action);
      return true;
    }
    if (action !== 'try-again' || !held) return false;
    if (held.why === 'kind-undecided') this.#byPath.delete(path);
    this.#lookAt(path);
    return true;
  }

  async #choose(held: HeldSource, choice: Choice): Promise<void> {
    await this.#carryOut([held], choice);
    this.#writeActivity(choiceWords[choice], { name: nameOf(this.#rule, held.found.path) });
  }

  /** What a person wants of all that one question is asked about. */
  async answer(answer: HeldAnswer): Promise<void> {
    const held = this.#together();
    const count = held.length;
    if (count === 0) return;
    if (answer !== 'one-by-one') {
      await this.#carryOut(held, answer === 'leave-all' ? 'leave-it' : 'make-asset');
      this.#writeActivity(answer === 'leave-all' ? 'sources.allLeft' : 'sources.allWanted', { count });
      return;
    }
    this.#parts.ledger.askSingly(this.#rule.id);
    for (const row of this.#rows.values()) this.#rows.set(row.path, { ...row, together: false });
    for (const one of held) this.#byPath.set(one.found.path, { ...one, together: false });
    this.#parts.onChange(this.#rule.id);
  }

  #together(): readonly HeldSource[] {
    return [...this.#byPath.values()].filter(({ together }) => together);
  }

  async #carryOut(held: readonly HeldSource[], choice: Choice): Promise<void> {
    const { ledger, clock, onChange } = this.#parts;
    for (const some of slices(held)) {
      const found = some.map((one) => one.found);
      const doubtful = some.filter(({ why }) => why === 'restored').map((one) => one.found.path);
      if (choice === 'leave-it') leaveSources(ledger, this.#rule.id, found, clock.now(), doubtful);
      else wantAssets(ledger, this.#rule.id, found, clock.now());
      this.#letGo(found.map(({ path }) => path));
      for (const { path } of found) this.#lookAt(path);
      await setImmediate();
    }
    onChange(this.#rule.id);
  }

  #write(rows: readonly HeldRow[]): void {
    this.#parts.ledger.hold(this.#rule.id, rows);
    for (const row of rows) this.#rows.set(row.path, row);
  }

  #letGo(paths: readonly string[]): void {
    const known = paths.filter((path) => this.#rows.has(path));
    if (known.length > 0) this.#parts.ledger.release(this.#rule.id, known);
    for (const path of paths) {
      this.#rows.delete(path);
      this.#byPath.delete(path);
    }
  }

  #writeActivity(key: Key, values: Readonly<Record<string, PhraseValue>>): void {
    writeActivity(this.#parts, this.#rule.id, { key, values });
  }
}

/** Whether the journal keeps that it is held for this; else every look finds it again. */
const isKept = (why: HoldWhy): why is HoldReason => why !== 'kind-undecided' && why !== 'findings';

/** As the journal has them; of a job that was taken off the list, as its receipt has them. */
function* filesOf(
  jobId: string,
  ledger: WatchParts['ledger'],
  jobs: WatchParts['jobs'],
): Iterable<FileBefore> {
  if (jobs.get(jobId)) yield* jobs.sentFiles(jobId);
  else for (const { key, size } of ledger.receiptOf(jobId)?.files ?? []) yield { key, size, mtimeMs: null };
}

function* slices<T>(all: readonly T[]): Iterable<readonly T[]> {
  for (let at = 0; at < all.length; at += slice) yield all.slice(at, at + slice);
}

/** Its end was told, or it was not wanted: that it changes is news. */
const isFinished = ({ state }: LedgerEntry) => state === 'complete' || state === 'skipped';
