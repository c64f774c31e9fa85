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
  #request: Question | null = null;
  /** Start of the next page. */
  #nextPage: EndedPlace | null = null;
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
    const place = this.#list.end();
    this.#filter = filter;
    this.#nextPage = null;
    this.rest = nothingLeft;
    this.#request = place !== null && reachesEnded(filter) ? { filter, after: place } : null;
    if (this.#request === null) this.answered = filter;
    else await this.#ask();
  }

  /** Ends the search. */
  end(): void {
    this.#filter = null;
    this.#request = null;
    this.#nextPage = null;
    this.rest = nothingLeft;
  }

  /** Loads the next page. */
  async more(): Promise<void> {
    if (this.#filter !== null && this.#nextPage !== null)
      this.#request ??= { filter: this.#filter, after: this.#nextPage };
    await this.#ask();
  }

  /** Loads all pages. */
  async all(): Promise<void> {
    await this.#ask();
    for (let previous = null; this.#nextPage !== null && this.#nextPage !== previous; ) {
      previous = this.#nextPage;
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
    for (let question = this.#request; question; question = this.#request) {
      this.#request = null;
      try {
        const { jobs, next: nextPage, rest: remainder } = await this.#api.call('jobs.find', question);
        if (this.#filter !== question.filter) continue;
        this.#list.bring(jobs);
        this.#nextPage = nextPage;
        this.rest = remainder;
      } catch (thrown) {
        this.#failed(thrown);
      }
      if (this.#filter === question.filter) this.answered = question.filter;
    }
  }
}
