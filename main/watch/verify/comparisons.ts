import { type ErrorRecord, toErrorRecord, toTileliftError } from '../../errors.ts';
import type { Decision } from '../ledger/decide.ts';
import type { FoundSource, LedgerEntry } from '../model.ts';
import type { WatchParts } from '../watch-parts.ts';

/** A source that is being compared with what was uploaded. */
export interface Comparison {
  readonly found: FoundSource;
  /** ms since the epoch. */
  readonly since: number;
  /** Of its bytes, those that have been read. */
  readonly bytesRead: number;
  /** Why it could not be read; the next look tries again. */
  readonly error: ErrorRecord | null;
}

interface Running extends Comparison {
  bytesRead: number;
  error: ErrorRecord | null;
  readonly stopping: AbortController;
}

/**
 * The sources of one rule that are being compared. What comes out is remembered in the ledger, and the source
 * is looked at again.
 */
export class Comparisons {
  readonly #ruleId: string;
  readonly #parts: WatchParts;
  readonly #onCompared: (path: string) => void;
  readonly #byPath = new Map<string, Running>();

  /** `onCompared`: the rule is to look at this path again. */
  constructor(ruleId: string, parts: WatchParts, onCompared: (path: string) => void) {
    this.#ruleId = ruleId;
    this.#parts = parts;
    this.#onCompared = onCompared;
  }

  /** In the order in which they came. */
  get all(): Iterable<Comparison> {
    return this.#byPath.values();
  }

  get size(): number {
    return this.#byPath.size;
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  /** Compares the source, or lets it be, as was decided. */
  meet(found: FoundSource, decision: Decision): void {
    const before = this.#byPath.get(found.path);
    const goesOn = before?.found.digest === found.digest && before.error === null;
    if (decision.kind === 'compare' && goesOn) return;
    this.#drop(found.path);
    if (decision.kind === 'compare') void this.#compare(found, decision.rows);
  }

  /** Lets all go that are not among these paths. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of [...this.#byPath.keys()]) if (!paths.has(path)) this.#drop(path);
  }

  clear(): void {
    this.keepOnly(new Set());
  }

  #drop(path: string): void {
    this.#byPath.get(path)?.stopping.abort();
    this.#byPath.delete(path);
  }

  async #compare(found: FoundSource, rows: readonly LedgerEntry[]): Promise<void> {
    const { contents, clock, log, onChange } = this.#parts;
    const stopping = new AbortController();
    const running: Running = { found, since: clock.now(), bytesRead: 0, error: null, stopping };
    this.#byPath.set(found.path, running);
    const onBytes = (bytes: number) => {
      running.bytesRead += bytes;
    };
    try {
      for (const row of rows) await contents.ofRow(row);
      stopping.signal.throwIfAborted();
      await contents.ofSource(this.#ruleId, found, { signal: stopping.signal, onBytes });
      if (this.#byPath.get(found.path) !== running) return;
      this.#byPath.delete(found.path);
      this.#onCompared(found.path);
    } catch (thrown) {
      if (stopping.signal.aborted) return;
      const error = toTileliftError(thrown);
      log.warn({ ruleId: this.#ruleId, error }, 'a source could not be compared');
      running.error = toErrorRecord(error);
    }
    onChange(this.#ruleId);
  }
}
