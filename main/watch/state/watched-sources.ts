import type { HoldReason, HoldWhy } from '../../../shared/watch.ts';
import type { PhraseValue } from '../../../strings/phrase.ts';
import type { Key } from '../../../strings/say.ts';
import { type TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { pathBelow, toKey } from '../../files/paths.ts';
import { whereaboutsOf } from '../../files/whereabouts.ts';
import type { FoundSource, LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/source-names.ts';
import { type ScanResult, unreadableError } from '../scan/scan-rule.ts';
import type { Pending } from '../settle/settle-source.ts';
import type { Contents } from './contents.ts';
import { type Decision, decide, questionOf } from './decide.ts';
import { type LedgerPorts, writeActivity } from './ports.ts';
import { Questions, wantAssets } from './questions.ts';
import { readSourceContext } from './source-context.ts';
import { type ListedSource, SourceList } from './source-list.ts';
import { isPassing, next, type SourceEvent, type SourceState, stateOf } from './source-state.ts';

interface WatchedSourcesOptions {
  readonly rule: WatchRule;
  readonly parts: LedgerPorts;
  readonly contents: Contents;
  readonly hasOwnJob: (entry: LedgerEntry) => Promise<boolean>;
  /** Returns how far a source has settled that will be picked up or asked about. */
  readonly expect: (source: FoundSource, decision: Decision) => Pending;
  /** Present with the uploaded content. */
  readonly onKnown: (path: string) => Promise<void>;
  readonly rescan: (path: string) => void;
}

/** Decides about each source of one rule and keeps its state. */
export class WatchedSources {
  readonly list = new SourceList();
  readonly questions: Questions;
  readonly #rule: WatchRule;
  readonly #parts: LedgerPorts;
  readonly #options: WatchedSourcesOptions;

  constructor(options: WatchedSourcesOptions) {
    this.#options = options;
    this.#rule = options.rule;
    this.#parts = options.parts;
    const { rule, parts, rescan } = options;
    this.questions = new Questions({ rule, parts, rescan, list: this.list });
  }

  stateOf(path: string, row?: LedgerEntry): SourceState {
    const listed = this.list.get(path);
    const isCompared = listed?.state.kind === 'waiting' && listed.state.why === 'comparing';
    return listed && !isCompared ? listed.state : stateOf(row ?? this.#rowOf(path));
  }

  /** Decides about a source and returns its next state. `isFinished`: it has settled. */
  async see(source: FoundSource, isFinished: boolean): Promise<SourceState> {
    const { path } = source;
    const previousEntry = this.#rowOf(path);
    const decision = await this.#decide(source, previousEntry);
    const entry = decision.kind === 'known' ? previousEntry : this.#rowOf(path);
    const state = next(this.stateOf(path, entry), { kind: 'seen', decision, isFinished });
    this.#endStanding(entry, decision);
    if (isPassing(state)) {
      if (decision.kind === 'compare') this.#compare(source, decision.rows, state);
      else if (decision.kind === 'leave') this.#list(path, state, { source });
      else this.#list(path, state, { source, pending: this.#options.expect(source, decision) });
    } else if (state.kind === 'held') this.#hold(source, state);
    else this.list.delete(path);
    if (decision.kind === 'renamed') this.apply(decision.previousPath, { kind: 'renamed' });
    if (decision.kind === 'renamed' || decision.kind === 'touched') {
      recordRename(this.#rule, source, decision, this.#parts);
      this.#options.rescan(path);
    } else if (decision.kind === 'known') await this.#options.onKnown(path);
    else return state;
    this.questions.forgetChange(path);
    return state;
  }

  async #decide(source: FoundSource, entry: LedgerEntry | undefined): Promise<Decision> {
    const { ledger, clock } = this.#parts;
    const { id: ruleId } = this.#rule;
    const listed = this.list.get(source.path);
    const isAsListed = listed?.state.kind === 'held' && listed.source?.digest === source.digest;
    const heldFor = isAsListed && !isLasting(listed.state.why) ? listed.state.why : null;
    const isRestored = ledger.isRestored(ruleId);
    const context = await readSourceContext(this.#rule, source, ledger, clock.now());
    const hasOwnJob = entry?.state === 'waits-for-retry' && (await this.#options.hasOwnJob(entry));
    const decision = decide({ ...context, isRestored, hasOwnJob, heldFor });
    if (isRestored && !entry?.standing && entry?.state !== 'taken' && mayBeTakenYet(decision))
      this.#ask(source, 'restored', decision.kind === 'hold');
    return decision;
  }

  #ask(source: FoundSource, why: HoldReason, isReported: boolean): void {
    const { ledger, clock } = this.#parts;
    ledger.stand(this.#rule.id, [source], { why, startedAt: clock.now() });
    // Later files belong to another source.
    ledger.keepBatch(this.#rule.id, source);
    if (isReported) this.#writeActivity('sources.isHeld', { name: nameOf(this.#rule, source.path) });
  }

  #endStanding(entry: LedgerEntry | undefined, { kind }: Decision): void {
    if (kind === 'hold' || kind === 'compare') return;
    const why = entry?.standing?.why;
    if (!entry || !why || why === 'upload') return;
    if (why === 'restored' && (kind === 'later' || kind === 'leave')) return;
    this.#parts.ledger.endStandings(entry.ruleId, [entry.path]);
  }

  /** `changes`: further fields of its list entry. */
  apply(path: string, event: SourceEvent, changes: Partial<ListedSource> = {}): SourceState {
    const state = next(this.stateOf(path), event);
    const isListed =
      isPassing(state) || state.kind === 'held' || (state.kind === 'skipped' && changes.skipReason);
    if (!isListed) this.list.delete(path);
    else this.#list(path, state, changes);
    return state;
  }

  #list(path: string, state: SourceState, changes: Partial<ListedSource>): void {
    const previous = this.list.get(path);
    const startedAt = previous?.state.kind === state.kind ? previous.startedAt : this.#parts.clock.now();
    this.list.set({ startedAt, source: previous?.source ?? null, error: null, ...changes, path, state });
  }

  /** `existingPaths`: of all sources. `tops`: the scanned top-level entries, or null for the whole folder. */
  async seeOthers(
    { unreadable, leftAlone }: Pick<ScanResult, 'unreadable' | 'leftAlone'>,
    existingPaths: ReadonlySet<string>,
    tops: ReadonlySet<string> | null,
  ): Promise<void> {
    const spoilt = new Map<string, TileliftError>();
    for (const file of unreadable) if (file.source !== null) spoilt.set(file.source, unreadableError(file));
    const skippedPaths = new Set(leftAlone.map(({ path }) => path));
    for (const { path, state } of [...this.list.all]) {
      const isSeen = existingPaths.has(path) || spoilt.has(path) || skippedPaths.has(path);
      const isSkippedEntry = state.kind === 'skipped' && this.#rule.unit.kind === 'entries';
      const isInScope = tops === null || (isSkippedEntry && tops.has(topOf(toKey(path))));
      if (!isSeen && isInScope) this.apply(path, { kind: 'vanished' });
    }
    if (tops === null) this.questions.keepOnly(existingPaths);
    for (const [path, error] of spoilt) this.#seeUnreadable(path, error);
    for (const { path, source, why } of leftAlone)
      this.apply(path, { kind: 'inspected', result: 'no-data' }, { source, skipReason: why });
    await this.#seeGone(new Set([...existingPaths, ...spoilt.keys()]), tops);
  }

  #seeUnreadable(path: string, error: TileliftError): void {
    const previousCode = this.list.get(path)?.error?.code;
    const state = this.apply(
      path,
      { kind: 'inspected', result: 'unreadable' },
      { error: toErrorRecord(error) },
    );
    if (state.kind !== 'waiting' || previousCode === error.code) return;
    const key = error.code === 'source-name-not-utf8' ? 'sources.nameNotUtf8' : 'sources.unreadable';
    this.#writeActivity(key, { name: nameOf(this.#rule, path), path: String(error.subject) });
  }

  /** Missing failed sources no longer count. */
  async #seeGone(existingPaths: ReadonlySet<string>, tops: ReadonlySet<string> | null): Promise<void> {
    const { ledger, clock } = this.#parts;
    const { id: ruleId, folder } = this.#rule;
    for (const { path, standing } of ledger.failed(ruleId)) {
      if (standing || existingPaths.has(path) || (tops && !tops.has(topOf(toKey(path))))) continue;
      // A partial scan doesn't prove that other paths are gone.
      if (tops && (await whereaboutsOf(folder, path, path))) continue;
      ledger.change(ruleId, path, { standing: { why: 'gone', startedAt: clock.now() } });
    }
  }

  /** The journal keeps the choice for the next scan. */
  takeAnyway(path: string): void {
    const { skipReason, source } = this.list.get(path) ?? {};
    if (!skipReason || !source) return;
    wantAssets(this.#parts.ledger, this.#rule.id, [source], this.#parts.clock.now());
    this.#options.rescan(path);
  }

  forget(why: 'rule-changed' | 'folder-unavailable'): void {
    for (const { path } of [...this.list.all]) this.apply(path, { kind: why });
    this.list.clear();
    this.questions.keepOnly(new Set());
  }

  /** Holds a settled source until it changes. */
  holdFor(source: FoundSource, why: 'kind-undecided' | 'findings', fields: Partial<ListedSource>): void {
    const question = { changed: null, findings: [], ...fields.question };
    this.apply(source.path, { kind: 'inspected', result: why }, { error: null, ...fields, source, question });
    this.#parts.ledger.keepBatch(this.#rule.id, source);
    this.#parts.onChange(this.#rule.id);
  }

  #hold(source: FoundSource, state: SourceState & { readonly kind: 'held' }): void {
    if (!isLasting(state.why)) return;
    const { path } = source;
    const entry = this.#rowOf(path);
    if (!entry || questionOf(entry) === null) this.#ask(source, state.why, true);
    const standing = this.#rowOf(path)?.standing;
    const previous = this.list.get(path);
    const isSame =
      previous?.state.kind === 'held' && previous.source?.dataFingerprint === source.dataFingerprint;
    const changed = isSame ? (previous.question?.changed ?? null) : null;
    const question = { changed, findings: [] };
    const startedAt = standing?.startedAt ?? this.#parts.clock.now();
    this.list.set({ path, state, startedAt, source, error: null, question });
    if (!isSame) this.questions.findChanges(source);
  }

  #compare(source: FoundSource, rows: readonly LedgerEntry[], state: SourceState): void {
    const { path } = source;
    const previous = this.list.get(path);
    if (previous?.stopping && previous.source?.digest === source.digest && previous.error === null) return;
    const { clock, log, onChange } = this.#parts;
    const { contents } = this.#options;
    const stopping = new AbortController();
    const listed: ListedSource = { path, state, startedAt: clock.now(), source, error: null, stopping };
    this.list.set(listed);
    const work = async () => {
      for (const row of rows) await contents.ofRow(row);
      stopping.signal.throwIfAborted();
      await contents.ofSource(this.#rule.id, source, stopping.signal);
    };
    work().then(
      () => {
        if (this.list.get(path) !== listed) return;
        this.list.delete(path);
        this.#options.rescan(path);
        onChange(this.#rule.id);
      },
      (cause) => {
        if (stopping.signal.aborted || this.list.get(path) !== listed) return;
        const error = toTileliftError(cause);
        log.warn({ ruleId: this.#rule.id, error }, 'a source could not be compared');
        this.list.set({ ...listed, error: toErrorRecord(error) });
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

/** Updates the path and facts of a known source. Creates no asset. */
function recordRename(
  rule: WatchRule,
  source: FoundSource,
  decision: Decision & { readonly kind: 'renamed' | 'touched' },
  parts: LedgerPorts,
): void {
  const { ledger } = parts;
  const { path, identity, newestMs, digest } = source;
  const previousPath = decision.kind === 'renamed' ? decision.previousPath : path;
  const row = ledger.find(rule.id, previousPath);
  if (!row) return;
  const facts = { identity, newestMs, marks: digest, content: row.content };
  if (decision.kind === 'touched') {
    ledger.change(rule.id, path, facts);
    return;
  }
  // The content may have changed too; the next scan detects that.
  const isAlike = row.identity === identity && row.newestMs === newestMs;
  ledger.change(rule.id, previousPath, isAlike ? { path, ...facts } : { path });
  writeActivity(parts, rule.id, {
    key: 'sources.renamed',
    values: { before: nameOf(rule, previousPath), name: nameOf(rule, path) },
  });
}
