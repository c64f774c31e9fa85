import { type Footprint, type Seen, unpackFootprints } from '../../../shared/source.ts';
import type { SourceFile } from '../../files/model.ts';
import { chooseForHeads } from '../headers/choose.ts';
import { sidecarsOf } from '../headers/look-inside.ts';
import type { SurveyNews } from './survey.ts';

/** What is known of a source before its walk has ended. */
export interface WalkedSoFar {
  /** Files that were found. */
  readonly fileCount: number;
  /** What a few of them say; null while nothing was seen. */
  readonly seen: Seen | null;
  /** Of these few. */
  readonly footprints: readonly Footprint[];
}

interface FirstWordsParts {
  /** Monotonic ms. */
  readonly now: () => number;
  /** Looks into these files. */
  readonly survey: (
    files: readonly SourceFile[],
    signal: AbortSignal,
    tell: (news: SurveyNews) => void,
  ) => Promise<void>;
  readonly tell: (walked: WalkedSoFar) => void;
}

/** Files of the sample. */
export const maxFirst = 20;
/** A walk that ends within this has its words sooner without a sample. ms */
const soonMs = 50;
/** How often the number of files is told, ms. */
const tellMs = 500;

/**
 * The first words about a source that takes a while to walk through: a few files, spread over what has been
 * found by then, are looked into while the walk goes on. There is one sample: after it, what all files say is
 * worth more.
 */
export class FirstWords {
  readonly #parts: FirstWordsParts;
  readonly #began: number;
  readonly #over = new AbortController();
  /** Of each folder the files that may be in the sample, with those that stand beside them. */
  readonly #worth: SourceFile[] = [];
  readonly #beside: SourceFile[] = [];
  #isTaken = false;
  #fileCount = 0;
  #toldAt: number;
  #seen: Seen | null = null;
  readonly #footprints: Footprint[] = [];

  constructor(parts: FirstWordsParts) {
    this.#parts = parts;
    this.#began = parts.now();
    this.#toldAt = this.#began;
  }

  /** Files of a folder, as the walk finds them. */
  take(files: readonly SourceFile[]): void {
    if (this.#over.signal.aborted) return;
    const now = this.#parts.now();
    this.#fileCount += files.length;
    if (!this.#isTaken) {
      const worth = chooseForHeads(files, maxFirst);
      this.#worth.push(...worth);
      this.#beside.push(...sidecarsOf(worth, files));
      if (now - this.#began >= soonMs && this.#worth.length > 0) this.#look();
    }
    if (now - this.#toldAt >= tellMs) this.#tell();
  }

  /** The walk is over, or nobody wants to know: nothing more is told. */
  end(): void {
    this.#over.abort();
  }

  #look(): void {
    this.#isTaken = true;
    const sample = chooseForHeads(this.#worth, maxFirst);
    void this.#parts.survey([...sample, ...sidecarsOf(sample, this.#beside)], this.#over.signal, (news) => {
      if (this.#over.signal.aborted) return;
      this.#seen = news.seen;
      this.#footprints.push(...unpackFootprints(news.footprints));
      this.#tell();
    });
  }

  #tell(): void {
    this.#toldAt = this.#parts.now();
    this.#parts.tell({ fileCount: this.#fileCount, seen: this.#seen, footprints: this.#footprints });
  }
}
