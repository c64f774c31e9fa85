import { toTileliftError } from '../../errors.ts';
import type { Decision } from '../ledger/decide.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { type WatchParts, writeActivity } from '../watch-parts.ts';
import { JournalAge } from './journal-age.ts';

/** A rule's runner, as far as it matters here. */
interface LooksThrough {
  readonly state: { readonly state: string; readonly lastLookAt: number | null };
  look(): void;
}

interface RestoredOptions {
  /** The journal, next to which its age is kept. Default: nowhere. */
  readonly journalPath?: string | undefined;
  /** False: it is known that rows were lost, and a person has been told of that. */
  readonly ledgerIsWhole: boolean;
}

/**
 * Notices a journal that was put back from a backup, by the counter next to it. What is in the watched
 * folders then, and is not known as it is, may have become assets since: it is held until a person has
 * chosen.
 */
export class Restored {
  readonly #parts: WatchParts;
  readonly #options: RestoredOptions;
  readonly #runnerOf: (ruleId: string) => LooksThrough | undefined;
  readonly #age: JournalAge | null;
  /**
   * Rules that may not have scanned their folder since it was noticed: `left` looks, of those that end after
   * `after`.
   */
  readonly #due = new Map<string, { after: number | null; left: number }>();
  /** Also after a start at which nothing was noticed: a kill may have come in between. */
  #isHandedBack = false;
  /** That it could not be kept is logged once. */
  #isTold = false;

  constructor(
    parts: WatchParts,
    options: RestoredOptions,
    runnerOf: (ruleId: string) => LooksThrough | undefined,
  ) {
    this.#runnerOf = runnerOf;
    this.#parts = parts;
    this.#options = options;
    const { journalPath } = options;
    this.#age =
      journalPath === undefined
        ? null
        : new JournalAge({
            journalPath,
            age: () => parts.ledger.journalAge(),
            onOlder: (before) => this.#begin(before),
          });
  }

  /** To be called before any job continues. */
  async start(): Promise<void> {
    await this.#meet();
    if (!this.#isHandedBack) await handBackQueued(this.#parts);
    this.#isHandedBack = true;
  }

  /** To be called whenever the rule's folder is there, before anything is taken from it. */
  async meet(rule: WatchRule): Promise<void> {
    if (this.#hasLooked(rule.id)) this.#parts.ledger.endRestored(rule.id);
    await this.start();
  }

  /**
   * Holds a source that would be taken, and that may have been taken as it is by a journal that is lost. To
   * be asked in the rule's first look about each that may ever be taken: what can be decided only later was
   * there, too.
   */
  hold(rule: WatchRule, found: FoundSource, decision: Decision): Decision {
    if (isSettled(decision)) return decision;
    const { ledger } = this.#parts;
    const isWanted = (ledger.find(rule.id, found.path)?.wantedAt ?? null) !== null;
    const isHeld = !isWanted && ledger.isFromBefore(rule.id, found) && decision.kind === 'take';
    return isHeld ? { kind: 'hold', why: 'restored' } : decision;
  }

  /**
   * Whether the rule has scanned its folder since the start, and since it was noticed: one look may have
   * begun before.
   */
  #hasLooked(ruleId: string): boolean {
    const runner = this.#runnerOf(ruleId);
    const last = runner?.state.lastLookAt ?? null;
    const due = this.#due.get(ruleId);
    if (last === null || !due) return last !== null;
    if (due.after === last) return false;
    due.after = last;
    due.left -= 1;
    if (due.left > 0) runner?.look();
    else this.#due.delete(ruleId);
    return due.left === 0;
  }

  async #meet(): Promise<void> {
    try {
      await this.#age?.meet();
    } catch (thrown) {
      if (this.#isTold) return;
      this.#isTold = true;
      this.#parts.log.warn({ error: toTileliftError(thrown) }, 'the journal’s age could not be kept');
    }
  }

  #begin(before: number): void {
    const parts = this.#parts;
    const rules = this.#options.ledgerIsWhole ? parts.rules() : [];
    this.#isHandedBack = false;
    parts.ledger.beginRestored(
      rules.map(({ id }) => id),
      before,
    );
    for (const { id } of rules) {
      const runner = this.#runnerOf(id);
      if (runner) {
        const { state, lastLookAt } = runner.state;
        this.#due.set(id, { after: lastLookAt, left: state === 'looking' ? 2 : 1 });
        runner.look();
      }
      writeActivity(parts, id, { key: 'sources.restored' });
    }
    parts.log.warn({ rules: rules.length }, 'the journal is older than it was');
  }
}

/** Nothing but a change of the source makes it another decision. */
const isSettled = ({ kind }: Decision): boolean =>
  kind === 'known' || kind === 'renamed' || kind === 'touched';

/**
 * Sources that a journal from a backup has before it still, and that may have become assets since: their jobs
 * are given up before they make another one, and the sources are held as the others are. A job that has its
 * asset already continues with it.
 */
async function handBackQueued({ ledger, jobs, clock }: WatchParts): Promise<void> {
  for (const entry of ledger.taken()) {
    const { ruleId, path, jobId } = entry;
    const job = jobId === null ? undefined : jobs.get(jobId);
    if (!job || job.assetId !== null || job.endedAt !== null || !ledger.isFromBefore(ruleId, entry)) continue;
    const now = clock.now();
    // First the ledger: the end of the job is then nobody's business any more.
    ledger.change(ruleId, path, { state: 'waits-for-retry', endedAt: now, retryAt: now });
    await jobs.act(job.id, 'cancel');
    await jobs.act(job.id, 'remove');
  }
}
