import type { JobView } from '../../preload/contract.ts';
import { type EndedPlace, type EndedRest, noRest } from '../../shared/job.ts';
import { type JobFilter, reachesEnded } from '../../shared/search/job-filter.ts';
import type { Api } from '../api.ts';

interface SearchedList {
  /** End of the loaded ended jobs; null if all are loaded. */
  readonly end: () => EndedPlace | null;
  /** Adds matches behind that end. */
  readonly bring: (jobs: readonly JobView[]) => void;
}

interface Question {
  readonly filter: JobFilter;
  readonly startPlace: EndedPlace;
}

/**
 * Searches the journal for ended jobs that aren't loaded. It requests one page at a time; of several searches
 * at once it sends only the latest.
 */
export class JobSearch {
  unloaded: EndedRest = $state.raw(noRest);
  /** The last filter that has an answer. */
  answered: JobFilter | null = $state.raw(null);
  readonly #api: Api;
  readonly #list: SearchedList;
  #onFailure: (error: unknown) => void = () => {};
  #filter: JobFilter | null = null;
  #request: Question | null = null;
  #nextPage: EndedPlace | null = null;
  #currentSearch: Promise<void> | null = null;

  constructor(api: Api, list: SearchedList) {
    this.#api = api;
    this.#list = list;
  }

  start(onFailure: (error: unknown) => void): void {
    this.#onFailure = onFailure;
  }

  async look(filter: JobFilter): Promise<void> {
    const place = this.#list.end();
    this.#filter = filter;
    this.#nextPage = null;
    this.unloaded = noRest;
    this.#request = place !== null && reachesEnded(filter) ? { filter, startPlace: place } : null;
    if (this.#request === null) this.answered = filter;
    else await this.#ask();
  }

  end(): void {
    this.#filter = null;
    this.#request = null;
    this.#nextPage = null;
    this.unloaded = noRest;
  }

  async loadMore(): Promise<void> {
    if (this.#filter !== null && this.#nextPage !== null)
      this.#request ??= { filter: this.#filter, startPlace: this.#nextPage };
    await this.#ask();
  }

  async loadAll(): Promise<void> {
    await this.#ask();
    for (let previous = null; this.#nextPage !== null && this.#nextPage !== previous; ) {
      previous = this.#nextPage;
      await this.loadMore();
    }
  }

  async #ask(): Promise<void> {
    this.#currentSearch ??= this.#askAll().finally(() => {
      this.#currentSearch = null;
    });
    await this.#currentSearch;
  }

  async #askAll(): Promise<void> {
    for (let question = this.#request; question; question = this.#request) {
      this.#request = null;
      try {
        const { jobs, next: nextPage, rest: remainder } = await this.#api.call('jobs.find', question);
        if (this.#filter !== question.filter) continue;
        this.#list.bring(jobs);
        this.#nextPage = nextPage;
        this.unloaded = remainder;
      } catch (error) {
        this.#onFailure(error);
      }
      if (this.#filter === question.filter) this.answered = question.filter;
    }
  }
}
