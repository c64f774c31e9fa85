import { type Footprint, type Seen, unpackFootprints } from '../../../shared/source.ts';
import type { SourceFile } from '../../files/model.ts';
import { chooseHeaderFiles } from '../headers/choose.ts';
import { findSidecars } from '../headers/header-task.ts';
import type { HeaderScanProgress } from './header-scan.ts';

/** Results before the scan has ended. */
export interface WalkResults {
  readonly fileCount: number;
  /** Null before the sample's first result. */
  readonly seen: Seen | null;
  readonly footprints: readonly Footprint[];
}

interface FirstResultsParts {
  /** Monotonic ms. */
  readonly currentTime: () => number;
  readonly survey: (
    files: readonly SourceFile[],
    signal: AbortSignal,
    notify: (news: HeaderScanProgress) => void,
  ) => Promise<void>;
  readonly notify: (walked: WalkResults) => void;
}

export const maxSample = 20;
/** Shorter scans need no sample, ms. */
const minScanMs = 50;
const reportMs = 500;

/**
 * Inspects one sample of the found files during a long scan. More aren't worth it, because the scan of all
 * files follows.
 */
export class FirstResults {
  readonly #parts: FirstResultsParts;
  readonly #began: number;
  readonly #finished = new AbortController();
  /** Candidates for the sample from each folder, and their sidecars. */
  readonly #worth: SourceFile[] = [];
  readonly #sidecars: SourceFile[] = [];
  #isTaken = false;
  #fileCount = 0;
  #toldAt: number;
  #results: Seen | null = null;
  readonly #footprints: Footprint[] = [];

  constructor(parts: FirstResultsParts) {
    this.#parts = parts;
    this.#began = parts.currentTime();
    this.#toldAt = this.#began;
  }

  /** Adds a folder's files during the scan. */
  addFiles(files: readonly SourceFile[]): void {
    if (this.#finished.signal.aborted) return;
    const currentTime = this.#parts.currentTime();
    this.#fileCount += files.length;
    if (!this.#isTaken) {
      const worth = chooseHeaderFiles(files, maxSample);
      this.#worth.push(...worth);
      this.#sidecars.push(...findSidecars(worth, files));
      if (currentTime - this.#began >= minScanMs && this.#worth.length > 0) this.#look();
    }
    if (currentTime - this.#toldAt >= reportMs) this.#notify();
  }

  end(): void {
    this.#finished.abort();
  }

  #look(): void {
    this.#isTaken = true;
    const sample = chooseHeaderFiles(this.#worth, maxSample);
    void this.#parts.survey(
      [...sample, ...findSidecars(sample, this.#sidecars)],
      this.#finished.signal,
      (news) => {
        if (this.#finished.signal.aborted) return;
        this.#results = news.seen;
        this.#footprints.push(...unpackFootprints(news.footprints));
        this.#notify();
      },
    );
  }

  #notify(): void {
    this.#toldAt = this.#parts.currentTime();
    this.#parts.notify({ fileCount: this.#fileCount, seen: this.#results, footprints: this.#footprints });
  }
}
