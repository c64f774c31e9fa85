import type { HeldAnswer } from '../../../shared/watch.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import { type Pause, WorkLine } from '../../work-line.ts';
import type { FoundSource, LedgerEntry, SourceAction } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { slicesOf } from '../model/scheduling.ts';
import { nameOf } from '../model/source-names.ts';
import { compare } from '../scan/content.ts';
import { isFinished, questionOf } from './decide.ts';
import {
  hasSameFacts,
  isRequested,
  isRestOfDelivery,
  isUnverifiableElsewhere,
  maybeSameContent,
} from './ledger/asset-rules.ts';
import type { Ledger, LedgerChange } from './ledger/ledger.ts';
import { type LedgerPorts, sentFilesOf, writeActivity } from './ports.ts';
import { fewChanges, type ListedSource, type SourceList } from './source-list.ts';
import { next, stateOf } from './source-state.ts';
import { whatChanged } from './what-changed.ts';

/**
 * Detects that too many finished sources look changed at once and can't be compared. The cause is rarely the
 * data: a migrated table, a file server that rounds times, or a restored snapshot. Pure.
 */

/** Changes within this time count together, ms. */
export const guardWindowMs = 10 * 60_000;
/** More changes than this always trigger the guard. */
const maxChanges = 20;
/** Share of a rule's finished sources. */
const maxShare = 0.1;

/** `changed`: changed sources in the window; `finished`: finished ones in any state. */
export function isTooMany(changed: number, finished: number): boolean {
  return changed > maxChanges || (changed > fewChanges && changed > finished * maxShare);
}

/**
 * Returns the paths to hold together.
 *
 * @param changeTimes when each source first looked changed, ms of the watch's own clock
 * @param currentTime same clock
 */
export function caughtBy(
  changeTimes: ReadonlyMap<string, number>,
  currentTime: number,
  finished: number,
): readonly string[] {
  const recent = [...changeTimes]
    .filter(([, changedAt]) => currentTime - changedAt <= guardWindowMs)
    .map(([path]) => path);
  return isTooMany(recent.length, finished) ? recent : [];
}

/** The part of the ledger that decisions change. */
export type DecidedRows = Pick<Ledger, 'find' | 'markSkipped' | 'learn' | 'stand' | 'change'>;

/**
 * Skips sources as they are; only a later change raises a new question. Those with a job under way keep it.
 * `timestamp`: ms since the epoch; `dismissedPaths`: paths whose failed uploads aren't retried either.
 */
export function leaveSources(
  ledger: DecidedRows,
  ruleId: string,
  sources: readonly FoundSource[],
  timestamp: number,
  dismissedPaths: readonly string[] = [],
): void {
  // `markSkipped` leaves existing rows alone; `learn` ignores sources without a row.
  ledger.markSkipped(ruleId, sources, timestamp);
  ledger.learn(ruleId, sources);
  const dismissed = new Set(dismissedPaths);
  for (const { path } of sources) {
    const entry = ledger.find(ruleId, path);
    if (!entry || entry.state === 'taken') continue;
    const isDismissed = dismissed.has(path) && entry.state !== 'complete';
    if (isUnverifiableElsewhere(entry) || isDismissed) ledger.change(ruleId, path, unwanted);
  }
}

/** A failed source is retried only after it has changed. */
export function dismissSource(ledger: DecidedRows, ruleId: string, path: string): void {
  const nextState = next(stateOf(ledger.find(ruleId, path)), { kind: 'user-decided', choice: 'dismiss' });
  if (nextState.kind === 'skipped') ledger.change(ruleId, path, { ...untried, state: 'skipped' });
}

const untried = { error: null, retries: 0, retryAt: null } as const;
const unwanted: LedgerChange = { ...untried, state: 'skipped', assetId: null, endedAt: null, restarts: 0 };

/** Requests assets of sources, also finished ones, which settle again. `timestamp`: ms since the epoch. */
export function wantAssets(
  ledger: DecidedRows,
  ruleId: string,
  sources: readonly FoundSource[],
  timestamp: number,
): void {
  ledger.stand(ruleId, sources, { why: 'upload', startedAt: timestamp });
}

/** The user's choice for a held source. */
type Choice = 'leave' | 'upload';

interface QuestionsOptions {
  readonly rule: WatchRule;
  readonly parts: LedgerPorts;
  readonly list: SourceList;
  readonly rescan: (path: string) => void;
}

/** Asks about held sources of one rule, and applies the answers. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #rule: WatchRule;
  readonly #parts: LedgerPorts;
  readonly #list: SourceList;
  /** When they first looked changed (the watch's clock, ms), unless the user was asked. */
  readonly #changed = new Map<string, { readonly source: FoundSource; readonly changedAt: number }>();
  readonly #comparing = new WorkLine();

  constructor(options: QuestionsOptions) {
    this.#options = options;
    this.#rule = options.rule;
    this.#parts = options.parts;
    this.#list = options.list;
  }

  /** If too many finished sources look changed at once and can't be compared, asks about all of them. */
  async guard(sources: Iterable<FoundSource>, pause: Pause): Promise<void> {
    const { ledger, clock } = this.#parts;
    const { id: ruleId } = this.#rule;
    if (this.#rule.whenChanged === 'leave') return;
    const currentTime = clock.elapsed();
    for (const source of sources) {
      await pause();
      const entry = ledger.find(ruleId, source.path);
      if (!entry || hasSameFacts(source, entry) || isRestOfDelivery(source, entry, clock.now())) continue;
      if (!this.#isIncomparable(source, entry)) continue;
      const isAsked = questionOf(entry) !== null || isRequested(entry);
      if (isFinished(entry) && !isAsked && !this.#changed.has(source.path))
        this.#changed.set(source.path, { source, changedAt: currentTime });
    }
    if (this.#changed.size === 0) return;
    const { complete, skipped } = ledger.counts(ruleId);
    const changeTimes = new Map([...this.#changed].map(([path, { changedAt }]) => [path, changedAt]));
    const caught = caughtBy(changeTimes, currentTime, complete + skipped);
    const fresh = caught.flatMap((path) => {
      const why = ledger.find(ruleId, path)?.standing?.why;
      return why === 'many-changed' || why === 'upload' ? [] : (this.#changed.get(path)?.source ?? []);
    });
    if (fresh.length === 0) return;
    const standing = { why: 'many-changed', startedAt: clock.now() } as const;
    for await (const batch of slicesOf(fresh)) ledger.stand(ruleId, batch, standing);
    writeActivity(this.#parts, ruleId, { key: 'sources.manyHeld', values: { count: fresh.length } });
  }

  #isIncomparable(source: FoundSource, entry: LedgerEntry): boolean {
    const content = this.#parts.ledger.contentSeen(this.#rule.id, source.path, source.digest);
    return maybeSameContent(source, entry) && compare(content, entry) === 'unverifiable';
  }

  forgetChange(path: string): void {
    this.#changed.delete(path);
  }

  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#changed.keys()) if (!paths.has(path)) this.#changed.delete(path);
  }

  /** Runs in the background, because a journal with 100,000 files takes time. */
  findChanges(source: FoundSource): void {
    void this.#comparing.run(() => this.#findChanges(source));
  }

  async #findChanges({ path, dataFingerprint, files }: FoundSource): Promise<void> {
    const { ledger, log, onChange } = this.#parts;
    const heldSource = () => {
      const source = this.#list.get(path);
      return source?.state.kind === 'held' && source.source?.dataFingerprint === dataFingerprint
        ? source
        : undefined;
    };
    try {
      const jobId = heldSource() && ledger.find(this.#rule.id, path)?.jobId;
      if (!jobId) return;
      const changed = await whatChanged(sentFilesOf(jobId, this.#parts), files);
      const source = heldSource();
      if (!source?.question) return;
      this.#list.set({ ...source, question: { ...source.question, changed } });
      onChange(this.#rule.id);
    } catch (cause) {
      const error = toErrorRecord(toTileliftError(cause));
      log.warn({ error }, 'the changes of a source could not be determined');
    }
  }

  /**
   * The choice is durable before anything follows from it. Returns false if the source isn't held or doesn't
   * allow the choice.
   */
  async act(path: string, action: SourceAction): Promise<boolean> {
    const source = this.#list.get(path);
    const why = source?.state.kind === 'held' ? source.state.why : null;
    const mayUpload = action === 'make-asset' || (action === 'take-anyway' && why === 'findings');
    const choice = action === 'leave-it' ? 'leave' : mayUpload ? 'upload' : null;
    if (choice) {
      const isHeld = source && next(source.state, { kind: 'user-decided', choice }) !== source.state;
      if (isHeld) await this.#choose(source, choice);
      return true;
    }
    if (action !== 'try-again' || why === null) return false;
    if (why === 'kind-undecided') this.#list.delete(path);
    this.#options.rescan(path);
    return true;
  }

  async #choose(source: ListedSource, choice: Choice): Promise<void> {
    await this.#carryOut([source], choice);
    const key = choice === 'leave' ? 'sources.leftAsIs' : 'sources.wantedAnew';
    const values = { name: nameOf(this.#rule, source.path) };
    writeActivity(this.#parts, this.#rule.id, { key, values });
  }

  async answer(answer: HeldAnswer): Promise<void> {
    const grouped = this.#list.grouped;
    const count = grouped.length;
    if (count === 0) return;
    await this.#carryOut(grouped, answer === 'leave-all' ? 'leave' : 'upload');
    const key = answer === 'leave-all' ? 'sources.allLeft' : 'sources.allWanted';
    writeActivity(this.#parts, this.#rule.id, { key, values: { count } });
  }

  async #carryOut(sources: readonly ListedSource[], choice: Choice): Promise<void> {
    const { ledger, clock, onChange } = this.#parts;
    const { id: ruleId } = this.#rule;
    for await (const batch of slicesOf(sources)) {
      const scanned = batch.flatMap((source) => source.source ?? []);
      const restored = batch.filter(({ state }) => state.kind === 'held' && state.why === 'restored');
      const restoredPaths = restored.map(({ path }) => path);
      if (choice === 'upload') wantAssets(ledger, ruleId, scanned, clock.now());
      else leaveSources(ledger, ruleId, scanned, clock.now(), restoredPaths);
      for (const { path } of batch) {
        this.#list.delete(path);
        this.#options.rescan(path);
      }
    }
    onChange(ruleId);
  }
}
