import type { Seen } from '../../../shared/source.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import { WorkLine } from '../../work-line.ts';
import { without } from '../model/left-out.ts';
import type { FoundSource } from '../model/model.ts';
import { type NotedInspection, noted, notedUnread, notInspected } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import type { Delay, NotReadyReason } from './completeness.ts';
import { decideKind, leftOutBy, otherKind } from './kind.ts';

interface SourceFindingsOptions {
  readonly inspector: Pick<Inspector, 'propose' | 'readBeginning' | 'scanHeaders'>;
  readonly onDone: (ruleId: string, path: string) => void;
}

type Source = Pick<FoundSource, 'path' | 'paths' | 'digest' | 'files'>;
type RuleOfKind = Pick<WatchRule, 'id' | 'folder' | 'kindFrom' | 'sourceType' | 'options'>;

interface Inspection {
  readonly digest: string;
  readonly kind: string;
  readonly stopping: AbortController;
  progress: Seen | null;
  /** Null until the end. */
  outcome: NotedInspection | null;
}

/** Cached results; older sources are inspected again. */
const maxRemembered = 2_000;
/** Interval of progress updates, and of checks in the queue, ms. */
const [progressMs, againMs] = [1_000, 10_000];

/**
 * Inspects settled sources of all rules, one at a time, in a thread with a survey's limits. A failed or
 * timed-out inspection holds back no source.
 */
export class SourceFindings {
  readonly #options: SourceFindingsOptions;
  readonly #inspections = new Map<string, Inspection>();
  readonly #line = new WorkLine();

  constructor(options: SourceFindingsOptions) {
    this.#options = options;
  }

  /** Null unless this content is being inspected. */
  underWay(rule: RuleOfKind, source: Source): Delay | null {
    const inspection = this.#inspectionBy(rule, source);
    return inspection?.outcome === null ? waitFor(inspection, source) : null;
  }

  /** Starts an inspection. Null if this content has been inspected. */
  inspect(rule: RuleOfKind, source: Source): Delay | null {
    const previous = this.#inspectionBy(rule, source);
    if (previous) return previous.outcome === null ? waitFor(previous, source) : null;
    this.forget(rule.id, source.path);
    const inspection: Inspection = {
      ...{ digest: source.digest, kind: kindIn(rule), stopping: new AbortController() },
      ...{ progress: null, outcome: null },
    };
    this.#inspections.set(nameOf(rule.id, source.path), inspection);
    const [oldest] = this.#inspections.keys();
    if (this.#inspections.size > maxRemembered && oldest !== undefined) this.#end(oldest);
    void this.#line.run(() => this.#run(rule, source, inspection));
    return waitFor(inspection, source);
  }

  /** Inspects a source independently of rules. Empty if the signal aborts. */
  async find(rule: RuleOfKind, source: Source, signal: AbortSignal): Promise<NotedInspection> {
    const inspection = this.#line.run(() =>
      signal.aborted ? notInspected : this.#findIn(rule, source, signal),
    );
    return Promise.race([inspection, whenAborted(signal)]);
  }

  outcomeOf(ruleId: string, source: Pick<FoundSource, 'path' | 'digest'>): NotedInspection {
    return this.#inspectionOf({ id: ruleId }, source)?.outcome ?? notInspected;
  }

  forget(ruleId: string, path: string): void {
    this.#end(nameOf(ruleId, path));
  }

  dispose(): void {
    for (const name of [...this.#inspections.keys()]) this.#end(name);
  }

  #end(name: string): void {
    this.#inspections.get(name)?.stopping.abort();
    this.#inspections.delete(name);
  }

  #inspectionBy(rule: RuleOfKind, source: Source): Inspection | undefined {
    const inspection = this.#inspectionOf(rule, source);
    return inspection?.kind === kindIn(rule) ? inspection : undefined;
  }

  #inspectionOf({ id }: Pick<WatchRule, 'id'>, { path, digest }: Pick<FoundSource, 'path' | 'digest'>) {
    const inspection = this.#inspections.get(nameOf(id, path));
    return inspection?.digest === digest ? inspection : undefined;
  }

  async #run(rule: RuleOfKind, source: Source, inspection: Inspection): Promise<void> {
    const { signal } = inspection.stopping;
    if (signal.aborted) return;
    inspection.outcome = await this.#findIn(rule, source, signal, (progress) => {
      inspection.progress = progress;
    });
    if (!signal.aborted) this.#options.onDone(rule.id, source.path);
  }

  async #findIn(
    rule: RuleOfKind,
    source: Source,
    signal: AbortSignal,
    onProgress: (progress: Seen) => void = () => {},
  ): Promise<NotedInspection> {
    const latest: { progress: Seen | null } = { progress: null };
    const kindMismatch = await otherKind(rule, source, this.#options);
    const ofKind = kindMismatch ? [kindMismatch.finding] : [];
    try {
      const files = without(source.files, await leftOutBy(rule, source, this.#options));
      await this.#options.inspector.scanHeaders({ folder: rule.folder, files }, signal, (progress) => {
        latest.progress = progress;
        onProgress(progress);
      });
      const findings = noted(
        latest.progress?.findings ?? [],
        await this.#typesOf(rule, source),
        rule.options,
      );
      const degrees = latest.progress?.degrees ?? [];
      return { findings: [...ofKind, ...findings, ...notedUnread(degrees)], degrees };
    } catch {
      return { findings: ofKind, degrees: [] };
    }
  }

  async #typesOf(rule: RuleOfKind, source: Source): Promise<readonly string[]> {
    if (rule.kindFrom === 'rule') return [rule.sourceType];
    const kind = await decideKind(rule, source, this.#options);
    return kind ? [kind.sourceType] : [];
  }
}

const whenAborted = (signal: AbortSignal): Promise<NotedInspection> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(notInspected), { once: true }));

const kindIn = ({ kindFrom, sourceType, options }: RuleOfKind): string =>
  [kindFrom, sourceType, options].join('\0');

const nameOf = (ruleId: string, path: string): string => `${ruleId}\0${path}`;

function waitFor({ progress }: Inspection, { files }: Pick<FoundSource, 'files'>): Delay {
  const values = { looked: progress?.looked ?? 0, total: progress?.total ?? files.length };
  const reason = { key: 'sources.doubt.lookedInto', values } as const;
  const notReady: NotReadyReason = { kind: 'not-ready', reason, isInspected: true };
  return { notReady, againMs: progress === null ? againMs : progressMs };
}
