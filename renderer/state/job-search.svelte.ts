import type { JobView } from '../../preload/contract.ts';
import type { EndedPlace, EndedRest } from '../../shared/job.ts';
import { type JobFilter, reachesEnded } from '../../shared/search/job-filter.ts';
import type { Api } from '../api.ts';

const nothingLeft: EndedRest = { count: 0, bytes: 0 };

/** The list's part of a search. */
interface SearchedList {
  /** End of the loaded ended jobs; null if all are loaded. */
  readonly end: () => EndedPlace | null;
  /** Adds matches behind that end. */
  readonly bring: (jobs: readonly JobView[]) => void;
}

interface Question {
  readonly filter: JobFilter;
  readonly after: EndedPlace;
}

/**
 * Searches the journal for ended jobs that aren't loaded. It requests one page at a time; of several searches
 * at once it sends only the latest.
 */
export class JobSearch {
  /** Matches that aren't loaded. */
  rest: EndedRest = $state.raw(nothingLeft);
  /** The last filter that has an answer. */
  answered: JobFilter | null = $state.raw(null);
  readonly #api: Api;
  readonly #list: SearchedList;
  #failed: (thrown: unknown) => void = () => {};
  #filter: JobFilter | null = null;
  /** The next request; null if there is none. */
  #wanted: Question | null = null;
  /** Start of the next page. */
  #next: EndedPlace | null = null;
  #asking: Promise<void> | null = null;

  constructor(api: Api, list: SearchedList) {
    this.#api = api;
    this.#list = list;
  }

  /** `failed` receives errors of searches. */
  start(failed: (thrown: unknown) => void): void {
    this.#failed = failed;
  }

  /** Loads the first page. */
  async look(filter: JobFilter): Promise<void> {
    const after = this.#list.end();
    this.#filter = filter;
    this.#next = null;
    this.rest = nothingLeft;
    this.#wanted = after !== null && reachesEnded(filter) ? { filter, after } : null;
    if (this.#wanted === null) this.answered = filter;
    else await this.#ask();
  }

  /** Ends the search. */
  end(): void {
    this.#filter = null;
    this.#wanted = null;
    this.#next = null;
    this.rest = nothingLeft;
  }

  /** Loads the next page. */
  async more(): Promise<void> {
    if (this.#filter !== null && this.#next !== null)
      this.#wanted ??= { filter: this.#filter, after: this.#next };
    await this.#ask();
  }

  /** Loads all pages. */
  async all(): Promise<void> {
    await this.#ask();
    for (let before = null; this.#next !== null && this.#next !== before; ) {
      before = this.#next;
      await this.more();
    }
  }

  async #ask(): Promise<void> {
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = null;
    });
    await this.#asking;
  }

  async #askAll(): Promise<void> {
    for (let asked = this.#wanted; asked; asked = this.#wanted) {
      this.#wanted = null;
      try {
        const { jobs, next, rest } = await this.#api.call('jobs.find', asked);
        if (this.#filter !== asked.filter) continue;
        this.#list.bring(jobs);
        this.#next = next;
        this.rest = rest;
      } catch (thrown) {
        this.#failed(thrown);
      }
      if (this.#filter === asked.filter) this.answered = asked.filter;
    }
  }
}
