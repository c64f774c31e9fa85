import { type Footprint, type Seen, unpackFootprints } from '../../../shared/source.ts';
import type { SourceFile } from '../../files/model.ts';
import { chooseHeaderFiles } from '../headers/choose.ts';
import { findSidecars } from '../headers/look-inside.ts';
import type { SurveyNews } from './survey.ts';

/** Results before the scan has ended. */
export interface WalkedSoFar {
  readonly fileCount: number;
  /** Null before the sample's first result. */
  readonly seen: Seen | null;
  readonly footprints: readonly Footprint[];
}

interface FirstWordsParts {
  /** Monotonic ms. */
  readonly now: () => number;
  readonly survey: (
    files: readonly SourceFile[],
    signal: AbortSignal,
    tell: (news: SurveyNews) => void,
  ) => Promise<void>;
  readonly tell: (walked: WalkedSoFar) => void;
}

export const maxFirst = 20;
/** Shorter scans need no sample, ms. */
const soonMs = 50;
const tellMs = 500;

/**
 * Inspects one sample of the found files during a long scan. More aren't worth it, because the survey of all
 * files follows.
 */
export class FirstWords {
  readonly #parts: FirstWordsParts;
  readonly #began: number;
  readonly #over = new AbortController();
  /** Candidates for the sample from each folder, and their sidecars. */
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

  /** Adds a folder's files during the scan. */
  take(files: readonly SourceFile[]): void {
    if (this.#over.signal.aborted) return;
    const now = this.#parts.now();
    this.#fileCount += files.length;
    if (!this.#isTaken) {
      const worth = chooseHeaderFiles(files, maxFirst);
      this.#worth.push(...worth);
      this.#beside.push(...findSidecars(worth, files));
      if (now - this.#began >= soonMs && this.#worth.length > 0) this.#look();
    }
    if (now - this.#toldAt >= tellMs) this.#tell();
  }

  end(): void {
    this.#over.abort();
  }

  #look(): void {
    this.#isTaken = true;
    const sample = chooseHeaderFiles(this.#worth, maxFirst);
    void this.#parts.survey([...sample, ...findSidecars(sample, this.#beside)], this.#over.signal, (news) => {
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
