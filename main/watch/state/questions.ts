import { setImmediate } from 'node:timers/promises';
import type { HeldAnswer } from '../../../shared/watch.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import type { FoundSource, LedgerEntry, SourceAction } from '../model/model.ts';
import type { Pause } from '../model/pause.ts';
import type { WatchRule } from '../model/rule.ts';
import { nameOf } from '../model/words.ts';
import { compare } from '../scan/content.ts';
import { caughtBy } from './bulk-change-guard.ts';
import { type Choice, choiceWords, leaveSources, wantAssets } from './choices.ts';
import { isFinished, questionOf } from './decide.ts';
import { isRestOfDelivery, looksSame, maybeSameContent } from './ledger/same-content.ts';
import { isRequested } from './ledger/second-asset.ts';
import type { ListedSource, SourceList } from './source-list.ts';
import { type WatchParts, writeActivity } from './watch-parts.ts';
import { type FileBefore, whatChanged } from './what-changed.ts';

/** A few milliseconds' worth. */
const slice = 500;

interface QuestionsOptions {
  readonly rule: WatchRule;
  readonly parts: WatchParts;
  readonly list: SourceList;
  readonly lookAt: (path: string) => void;
}

/** Asks about held sources of one rule, and applies the answers. */
export class Questions {
  readonly #options: QuestionsOptions;
  readonly #rule: WatchRule;
  readonly #parts: WatchParts;
  readonly #list: SourceList;
  /** When they first looked changed (the watch's clock, ms), unless the user was asked. */
  readonly #changed = new Map<string, { readonly found: FoundSource; readonly at: number }>();
  #comparing: Promise<void> = Promise.resolve();

  constructor(options: QuestionsOptions) {
    this.#options = options;
    this.#rule = options.rule;
    this.#parts = options.parts;
    this.#list = options.list;
  }

  /**
   * If too many finished sources look changed at once, asks about all of them; under a rule that makes new
   * assets of changes, only about incomparable ones.
   */
  async guard(sources: Iterable<FoundSource>, pause: Pause): Promise<void> {
    const { ledger, elapsed, clock } = this.#parts;
    const { id: ruleId, whenChanged } = this.#rule;
    if (whenChanged === 'leave') return;
    const now = elapsed();
    for (const found of sources) {
      await pause();
      const known = ledger.find(ruleId, found.path);
      if (!known || looksSame(found, known) || isRestOfDelivery(found, known)) continue;
      if (whenChanged === 'new-asset' && !this.#isIncomparable(found, known)) continue;
      const isAsked = questionOf(known) !== null || isRequested(known);
      if (isFinished(known) && !isAsked && !this.#changed.has(found.path))
        this.#changed.set(found.path, { found, at: now });
    }
    if (this.#changed.size === 0) return;
    const { complete, skipped } = ledger.counts(ruleId);
    const since = new Map([...this.#changed].map(([path, { at }]) => [path, at]));
    const caught = caughtBy(since, now, complete + skipped);
    const fresh = caught.flatMap((path) => {
      const why = ledger.find(ruleId, path)?.standing?.why;
      return why === 'many-changed' || why === 'upload' ? [] : (this.#changed.get(path)?.found ?? []);
    });
    if (fresh.length === 0) return;
    const standing = { why: 'many-changed', since: clock.now(), together: true } as const;
    for (const some of slices(fresh)) {
      ledger.stand(ruleId, some, standing);
      await setImmediate();
    }
    writeActivity(this.#parts, ruleId, { key: 'sources.manyHeld', values: { count: fresh.length } });
  }

  #isIncomparable(found: FoundSource, known: LedgerEntry): boolean {
    const content = this.#parts.ledger.contentSeen(this.#rule.id, found.path, found.digest);
    return maybeSameContent(found, known) && compare(content, known) === 'untold';
  }

  forgetChange(path: string): void {
    this.#changed.delete(path);
  }

  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#changed.keys()) if (!paths.has(path)) this.#changed.delete(path);
  }

  /** Runs in the background, because a journal with 100,000 files takes time. */
  findChanges(found: FoundSource): void {
    this.#comparing = this.#comparing.then(() => this.#findChanges(found));
  }

  async #findChanges({ path, fingerprint, files }: FoundSource): Promise<void> {
    const { ledger, jobs, log, onChange } = this.#parts;
    const held = () => {
      const source = this.#list.get(path);
      return source?.state.kind === 'held' && source.found?.fingerprint === fingerprint ? source : undefined;
    };
    try {
      const jobId = held() && ledger.find(this.#rule.id, path)?.jobId;
      if (!jobId) return;
      const changed = await whatChanged(filesOf(jobId, ledger, jobs), files);
      const source = held();
      if (!source?.question) return;
      this.#list.set({ ...source, question: { ...source.question, changed } });
      onChange(this.#rule.id);
    } catch (thrown) {
      const error = toErrorRecord(toTileliftError(thrown));
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
    if (
      action === 'leave-it' ||
      action === 'make-asset' ||
      (action === 'take-anyway' && why === 'findings')
    ) {
      if (source && why) await this.#choose(source, action === 'leave-it' ? 'leave-it' : 'make-asset');
      return true;
    }
    if (action !== 'try-again' || why === null) return false;
    if (why === 'kind-undecided') this.#list.delete(path);
    this.#options.lookAt(path);
    return true;
  }

  async #choose(source: ListedSource, choice: Choice): Promise<void> {
    await this.#carryOut([source], choice);
    const values = { name: nameOf(this.#rule, source.path) };
    writeActivity(this.#parts, this.#rule.id, { key: choiceWords[choice], values });
  }

  async answer(answer: HeldAnswer): Promise<void> {
    const together = this.#list.together;
    const count = together.length;
    if (count === 0) return;
    if (answer !== 'one-by-one') {
      await this.#carryOut(together, answer === 'leave-all' ? 'leave-it' : 'make-asset');
      const key = answer === 'leave-all' ? 'sources.allLeft' : 'sources.allWanted';
      return writeActivity(this.#parts, this.#rule.id, { key, values: { count } });
    }
    this.#parts.ledger.askSingly(this.#rule.id);
    for (const source of together)
      if (source.question) this.#list.set({ ...source, question: { ...source.question, together: false } });
    this.#parts.onChange(this.#rule.id);
  }

  async #carryOut(sources: readonly ListedSource[], choice: Choice): Promise<void> {
    const { ledger, clock, onChange } = this.#parts;
    const { id: ruleId } = this.#rule;
    for (const some of slices(sources)) {
      const found = some.flatMap((source) => source.found ?? []);
      const doubtful = some.filter(({ state }) => state.kind === 'held' && state.why === 'restored');
      if (choice === 'make-asset') wantAssets(ledger, ruleId, found, clock.now());
      else
        leaveSources(
          ledger,
          ruleId,
          found,
          clock.now(),
          doubtful.map(({ path }) => path),
        );
      for (const { path } of some) {
        this.#list.delete(path);
        this.#options.lookAt(path);
      }
      await setImmediate();
    }
    onChange(ruleId);
  }
}

/** Uses the journal, or the receipt if the job was removed. */
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
