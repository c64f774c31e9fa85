import type { Seen } from '../../../shared/source.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import { decideKind } from '../kind/decide-kind.ts';
import { otherKind } from '../kind/other-kind.ts';
import { leftOutBy } from '../kind/proposal.ts';
import type { FoundSource } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import type { Doubt, Wait } from '../settle/completeness.ts';
import { without } from '../survey/left-out.ts';
import { type NotedFinding, noted, notedUnread } from './noted-findings.ts';

interface SourceFindingsOptions {
  readonly inspector: Pick<Inspector, 'propose' | 'scanHeaders'>;
  readonly onDone: (ruleId: string, path: string) => void;
}

type Source = Pick<FoundSource, 'path' | 'paths' | 'digest' | 'files'>;
type RuleOfKind = Pick<WatchRule, 'id' | 'folder' | 'kindFrom' | 'sourceType' | 'options'>;

interface Look {
  readonly digest: string;
  readonly kind: string;
  readonly stopping: AbortController;
  seen: Seen | null;
  /** Null until inspected. */
  found: readonly NotedFinding[] | null;
}

/** Cached results; older sources are inspected again. */
const maxRemembered = 2_000;
/** Interval of progress updates, and of checks in the queue, ms. */
const [tellMs, againMs] = [1_000, 10_000];

/**
 * Inspects settled sources of all rules, one at a time, in a thread with a survey's limits. A failed or
 * timed-out inspection holds back no source.
 */
export class SourceFindings {
  readonly #with: SourceFindingsOptions;
  readonly #looks = new Map<string, Look>();
  #line: Promise<void> = Promise.resolve();

  constructor(options: SourceFindingsOptions) {
    this.#with = options;
  }

  /** Null unless this content is being inspected. */
  underWay(rule: RuleOfKind, source: Source): Wait | null {
    const look = this.#lookBy(rule, source);
    return look?.found === null ? waitFor(look, source) : null;
  }

  /** Starts an inspection. Null if this content has been inspected. */
  look(rule: RuleOfKind, source: Source): Wait | null {
    const before = this.#lookBy(rule, source);
    if (before) return before.found === null ? waitFor(before, source) : null;
    this.forget(rule.id, source.path);
    const look: Look = {
      ...{ digest: source.digest, kind: kindIn(rule), stopping: new AbortController() },
      ...{ seen: null, found: null },
    };
    this.#looks.set(nameOf(rule.id, source.path), look);
    const [oldest] = this.#looks.keys();
    if (this.#looks.size > maxRemembered && oldest !== undefined) this.#end(oldest);
    this.#line = this.#line.then(() => this.#run(rule, source, look));
    return waitFor(look, source);
  }

  /** Inspects a source independently of rules. Empty if the signal aborts. */
  async find(rule: RuleOfKind, source: Source, signal: AbortSignal): Promise<readonly NotedFinding[]> {
    const found = this.#line.then(() => (signal.aborted ? [] : this.#findIn(rule, source, signal)));
    this.#line = found.then(() => {});
    return Promise.race([found, whenAborted(signal)]);
  }

  of(ruleId: string, source: Pick<FoundSource, 'path' | 'digest'>): readonly NotedFinding[] {
    return this.#lookOf({ id: ruleId }, source)?.found ?? [];
  }

  forget(ruleId: string, path: string): void {
    this.#end(nameOf(ruleId, path));
  }

  close(): void {
    for (const name of [...this.#looks.keys()]) this.#end(name);
  }

  #end(name: string): void {
    this.#looks.get(name)?.stopping.abort();
    this.#looks.delete(name);
  }

  #lookBy(rule: RuleOfKind, source: Source): Look | undefined {
    const look = this.#lookOf(rule, source);
    return look?.kind === kindIn(rule) ? look : undefined;
  }

  #lookOf({ id }: Pick<WatchRule, 'id'>, { path, digest }: Pick<FoundSource, 'path' | 'digest'>) {
    const look = this.#looks.get(nameOf(id, path));
    return look?.digest === digest ? look : undefined;
  }

  async #run(rule: RuleOfKind, source: Source, look: Look): Promise<void> {
    const { signal } = look.stopping;
    if (signal.aborted) return;
    look.found = await this.#findIn(rule, source, signal, (seen) => {
      look.seen = seen;
    });
    if (!signal.aborted) this.#with.onDone(rule.id, source.path);
  }

  async #findIn(
    rule: RuleOfKind,
    source: Source,
    signal: AbortSignal,
    tell: (seen: Seen) => void = () => {},
  ): Promise<readonly NotedFinding[]> {
    const last: { seen: Seen | null } = { seen: null };
    const other = await otherKind(rule, source, this.#with);
    const ofKind = other ? [other.finding] : [];
    try {
      const files = without(source.files, await leftOutBy(rule, source, this.#with));
      await this.#with.inspector.scanHeaders(files, signal, (seen) => {
        last.seen = seen;
        tell(seen);
      });
      const found = noted(last.seen?.findings ?? [], await this.#typesOf(rule, source), rule.options);
      return [...ofKind, ...found, ...notedUnread(last.seen?.degrees ?? [])];
    } catch {
      return ofKind;
    }
  }

  async #typesOf(rule: RuleOfKind, source: Source): Promise<readonly string[]> {
    if (rule.kindFrom === 'rule') return [rule.sourceType];
    const kind = await decideKind(source, this.#with);
    return kind ? [kind.sourceType] : [];
  }
}

const whenAborted = (signal: AbortSignal): Promise<readonly never[]> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve([]), { once: true }));

const kindIn = ({ kindFrom, sourceType, options }: RuleOfKind): string =>
  [kindFrom, sourceType, options].join('\0');

const nameOf = (ruleId: string, path: string): string => `${ruleId}\0${path}`;

function waitFor({ seen }: Look, { files }: Pick<FoundSource, 'files'>): Wait {
  const values = { looked: seen?.looked ?? 0, total: seen?.total ?? files.length };
  const doubt: Doubt = { kind: 'not-ready', reason: { key: 'sources.doubt.lookedInto', values } };
  return { doubt, againMs: seen === null ? againMs : tellMs };
}
