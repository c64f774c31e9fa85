import type { HoldReason, HoldWhy } from '../../../shared/watch.ts';
import type { PhraseValue } from '../../../strings/phrase.ts';
import type { Key } from '../../../strings/say.ts';
import { type TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import type { FoundSource, LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/words.ts';
import { whereaboutsOf } from '../scan/folder/whereabouts.ts';
import type { SurveyedSource } from '../scan/found-source.ts';
import { type Survey, unreadableError } from '../scan/scan-rule.ts';
import type { Pending } from '../settle/pending-sources.ts';
import { wantAssets } from './choices.ts';
import { type Decision, decide, questionOf } from './decide.ts';
import { Questions } from './questions.ts';
import { learn } from './record-rename.ts';
import { sightingOf } from './source-context.ts';
import { type ListedSource, SourceList } from './source-list.ts';
import { isPassing, next, type SourceEvent, type SourceState, stateOf } from './source-state.ts';
import { type WatchParts, writeActivity } from './watch-parts.ts';

interface WatchedSourcesOptions {
  readonly rule: WatchRule;
  readonly parts: WatchParts;
  readonly hasOwnJob: (known: LedgerEntry) => Promise<boolean>;
  /** Returns how far a source has settled that will be picked up or asked about. */
  readonly expect: (found: SurveyedSource, decision: Decision) => Pending;
  readonly onNews: (found: SurveyedSource) => void;
  /** Present with the uploaded content. */
  readonly onKnown: (path: string) => Promise<void>;
  readonly lookAt: (path: string) => void;
}

/** Decides about each source of one rule and keeps its state. */
export class WatchedSources {
  readonly list = new SourceList();
  readonly questions: Questions;
  readonly #rule: WatchRule;
  readonly #parts: WatchParts;
  readonly #options: WatchedSourcesOptions;

  constructor(options: WatchedSourcesOptions) {
    this.#options = options;
    this.#rule = options.rule;
    this.#parts = options.parts;
    const { rule, parts, lookAt } = options;
    this.questions = new Questions({ rule, parts, lookAt, list: this.list });
  }

  stateOf(path: string, row = this.#rowOf(path)): SourceState {
    const listed = this.list.get(path);
    const isCompared = listed?.state.kind === 'waiting' && listed.state.why === 'comparing';
    return listed && !isCompared ? listed.state : stateOf(row);
  }

  /** Decides about a source and returns its next state. `isFinished`: it has settled. */
  async see(found: SurveyedSource, isFinished: boolean): Promise<SourceState> {
    const { path } = found;
    const before = this.#rowOf(path);
    const decision = await this.#decide(found, before);
    if (decision.kind !== 'known' && !isFinished) this.#options.onNews(found);
    const known = decision.kind === 'known' ? before : this.#rowOf(path);
    const state = next(this.stateOf(path, known), { kind: 'seen', decision, isFinished });
    this.#endStanding(known, decision);
    if (isPassing(state)) {
      if (decision.kind === 'compare') this.#compare(found, decision.rows, state);
      else if (decision.kind === 'leave') this.#list(path, state, { found });
      else this.#list(path, state, { found, pending: this.#options.expect(found, decision) });
    } else if (state.kind === 'held') this.#hold(found, state);
    else this.list.delete(path);
    if (decision.kind === 'renamed') this.apply(decision.from, { kind: 'renamed' });
    if (decision.kind === 'renamed' || decision.kind === 'touched') {
      learn(this.#rule, found, decision, this.#parts);
      this.#options.lookAt(path);
    } else if (decision.kind === 'known') await this.#options.onKnown(path);
    else return state;
    this.questions.forgetChange(path);
    return state;
  }

  async #decide(found: SurveyedSource, known: LedgerEntry | undefined): Promise<Decision> {
    const { ledger, clock } = this.#parts;
    const { id: ruleId } = this.#rule;
    const listed = this.list.get(found.path);
    const isAsListed = listed?.state.kind === 'held' && listed.found?.digest === found.digest;
    const heldFor = isAsListed && !isLasting(listed.state.why) ? listed.state.why : null;
    const isRestored = ledger.isRestored(ruleId);
    const sighting = await sightingOf(this.#rule, found, ledger, { now: clock.now() });
    const hasOwnJob = known?.state === 'waits-for-retry' && (await this.#options.hasOwnJob(known));
    const decision = decide({ ...sighting, isRestored, hasOwnJob, heldFor });
    if (isRestored && !known?.standing && known?.state !== 'taken' && mayBeTakenYet(decision))
      this.#ask(found, 'restored', decision.kind === 'hold');
    return decision;
  }

  #ask(found: FoundSource, why: HoldReason, isTold: boolean): void {
    const { ledger, clock } = this.#parts;
    // After a restored backup all of them raise the same question.
    ledger.stand(this.#rule.id, [found], { why, since: clock.now(), together: why === 'restored' });
    // Later files belong to another source.
    ledger.keepBatch(this.#rule.id, found);
    if (isTold) this.#writeActivity('sources.isHeld', { name: nameOf(this.#rule, found.path) });
  }

  #endStanding(known: LedgerEntry | undefined, { kind }: Decision): void {
    if (kind === 'hold' || kind === 'compare') return;
    const why = known?.standing?.why;
    if (!known || !why || why === 'upload') return;
    if (why === 'restored' && (kind === 'later' || kind === 'leave')) return;
    this.#parts.ledger.endStandings(known.ruleId, [known.path]);
  }

  /** `more`: further fields of its list entry. */
  apply(path: string, event: SourceEvent, more: Partial<ListedSource> = {}): SourceState {
    const state = next(this.stateOf(path), event);
    const isListed = isPassing(state) || state.kind === 'held' || (state.kind === 'skipped' && more.alone);
    if (!isListed) this.list.delete(path);
    else this.#list(path, state, more);
    return state;
  }

  #list(path: string, state: SourceState, more: Partial<ListedSource>): void {
    const before = this.list.get(path);
    const since = before?.state.kind === state.kind ? before.since : this.#parts.clock.now();
    this.list.set({ since, found: before?.found ?? null, error: null, ...more, path, state });
  }

  /** `there`: paths of all sources. `tops`: the scanned top-level entries, or null for the whole folder. */
  async seeOthers(
    { unreadable, leftAlone }: Pick<Survey, 'unreadable' | 'leftAlone'>,
    there: ReadonlySet<string>,
    tops: ReadonlySet<string> | null,
  ): Promise<void> {
    const spoilt = new Map<string, TileliftError>();
    for (const one of unreadable) if (one.source !== null) spoilt.set(one.source, unreadableError(one));
    const alone = new Set(leftAlone.map(({ found }) => found.path));
    for (const { path, state } of [...this.list.all]) {
      const isSeen = there.has(path) || spoilt.has(path) || alone.has(path);
      const isInScope = tops === null || (state.kind === 'skipped' && tops.has(path));
      if (!isSeen && isInScope) this.apply(path, { kind: 'vanished' });
    }
    if (tops === null) this.questions.keepOnly(there);
    for (const [path, error] of spoilt) this.#seeUnreadable(path, error);
    for (const { found, why } of leftAlone)
      this.apply(found.path, { kind: 'inspected', result: 'no-data' }, { found, alone: why });
    await this.#seeGone(new Set([...there, ...spoilt.keys()]), tops);
  }

  #seeUnreadable(path: string, error: TileliftError): void {
    const before = this.list.get(path)?.error?.code;
    const state = this.apply(
      path,
      { kind: 'inspected', result: 'unreadable' },
      { error: toErrorRecord(error) },
    );
    if (state.kind !== 'waiting' || before === error.code) return;
    const key = error.code === 'source-name-not-utf8' ? 'sources.nameNotUtf8' : 'sources.unreadable';
    this.#writeActivity(key, { name: nameOf(this.#rule, path), path: String(error.subject) });
  }

  /** Missing failed sources no longer count. */
  async #seeGone(there: ReadonlySet<string>, tops: ReadonlySet<string> | null): Promise<void> {
    const { ledger, clock } = this.#parts;
    const { id: ruleId, folder } = this.#rule;
    for (const { path, standing } of ledger.failed(ruleId)) {
      if (standing || there.has(path) || (tops && !tops.has(topOf(path)))) continue;
      // A partial scan doesn't prove that other paths are gone.
      if (tops && (await whereaboutsOf(folder, path, path))) continue;
      ledger.change(ruleId, path, { standing: { why: 'gone', since: clock.now(), together: false } });
    }
  }

  /** The journal keeps the choice for the next scan. */
  takeAnyway(path: string): void {
    const { alone, found } = this.list.get(path) ?? {};
    if (!alone || !found) return;
    wantAssets(this.#parts.ledger, this.#rule.id, [found], this.#parts.clock.now());
    this.#options.lookAt(path);
  }

  forget(): void {
    for (const { path } of [...this.list.all]) this.apply(path, { kind: 'folder-unavailable' });
    this.list.clear();
    this.questions.keepOnly(new Set());
  }

  /** Holds a settled source until it changes. */
  holdFor(found: FoundSource, why: 'kind-undecided' | 'findings', more: Partial<ListedSource>): void {
    const question = { together: false, changed: null, findings: [], ...more.question };
    this.apply(found.path, { kind: 'inspected', result: why }, { error: null, ...more, found, question });
    this.#parts.ledger.keepBatch(this.#rule.id, found);
    this.#parts.onChange(this.#rule.id);
  }

  #hold(found: FoundSource, state: SourceState & { readonly kind: 'held' }): void {
    if (!isLasting(state.why)) return;
    const { path } = found;
    const known = this.#rowOf(path);
    if (!known || questionOf(known) === null) this.#ask(found, state.why, true);
    const standing = this.#rowOf(path)?.standing;
    const before = this.list.get(path);
    const isSame = before?.state.kind === 'held' && before.found?.fingerprint === found.fingerprint;
    const changed = isSame ? (before.question?.changed ?? null) : null;
    const question = { together: standing?.together ?? false, changed, findings: [] };
    const since = standing?.since ?? this.#parts.clock.now();
    this.list.set({ path, state, since, found, error: null, question });
    if (!isSame) this.questions.findChanges(found);
  }

  #compare(found: FoundSource, rows: readonly LedgerEntry[], state: SourceState): void {
    const { path } = found;
    const before = this.list.get(path);
    if (before?.bytesRead && before.found?.digest === found.digest && before.error === null) return;
    const { contents, clock, log, onChange } = this.#parts;
    const stopping = new AbortController();
    let read = 0;
    const source = { path, state, since: clock.now(), found, error: null, stopping, bytesRead: () => read };
    this.list.set(source);
    const onBytes = (bytes: number) => {
      read += bytes;
    };
    const work = async () => {
      for (const row of rows) await contents.ofRow(row);
      stopping.signal.throwIfAborted();
      await contents.ofSource(this.#rule.id, found, { signal: stopping.signal, onBytes });
    };
    work().then(
      () => {
        if (this.list.get(path) !== source) return;
        this.list.delete(path);
        this.#options.lookAt(path);
        onChange(this.#rule.id);
      },
      (thrown) => {
        if (stopping.signal.aborted || this.list.get(path) !== source) return;
        const error = toTileliftError(thrown);
        log.warn({ ruleId: this.#rule.id, error }, 'a source could not be compared');
        this.list.set({ ...source, error: toErrorRecord(error) });
        onChange(this.#rule.id);
      },
    );
  }

  #rowOf(path: string): LedgerEntry | undefined {
    return this.#parts.ledger.find(this.#rule.id, path);
  }

  #writeActivity(key: Key, values: Readonly<Record<string, PhraseValue>>): void {
    writeActivity(this.#parts, this.#rule.id, { key, values });
  }
}

/** Persisted; other reasons are derived again by each scan. */
const isLasting = (why: HoldWhy): why is HoldReason => why !== 'kind-undecided' && why !== 'findings';

/** A lost journal may already have uploaded it. */
const mayBeTakenYet = (decision: Decision): boolean =>
  decision.kind === 'compare' ||
  (decision.kind === 'hold' && decision.why === 'restored') ||
  (decision.kind === 'leave' && decision.why === 'under-way');

const topOf = (path: string): string => path.split('/')[0] ?? '';

/**
 * Returns the top-level entries (ledger keys) that contain these absolute paths; null for the folder itself.
 */
export function topsOf(
  rule: Pick<WatchRule, 'folder'>,
  paths: readonly string[],
): ReadonlySet<string> | null {
  const tops = paths.map((path) => topOf(toKey(pathBelow(rule.folder, path) ?? '')));
  return tops.includes('') ? null : new Set(tops);
}
