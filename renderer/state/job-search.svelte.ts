import type { JobView } from '../../preload/contract.ts';
import type { EndedPlace, EndedRest } from '../../shared/job.ts';
import { type JobFilter, reachesEnded } from '../../shared/search/job-filter.ts';
import type { Api } from '../api.ts';

const nothingLeft: EndedRest = { count: 0, bytes: 0 };

/** The list, as far as a search knows it. */
interface SearchedList {
  /** Where what it has of the ended jobs ends; null where it has all. */
  readonly end: () => EndedPlace | null;
  /** These were found behind that. */
  readonly bring: (jobs: readonly JobView[]) => void;
}

interface Question {
  readonly filter: JobFilter;
  readonly after: EndedPlace;
}

/**
 * Looks for ended jobs that the list does not have yet. Main looks through the journal: a search asks for one
 * page of what it finds there, and only the last of several at once is asked.
 */
export class JobSearch {
  /** Found ones that were not asked for yet. */
  rest: EndedRest = $state.raw(nothingLeft);
  /** What was looked for last, once it has an answer. */
  answered: JobFilter | null = $state.raw(null);
  readonly #api: Api;
  readonly #list: SearchedList;
  #failed: (thrown: unknown) => void = () => {};
  #filter: JobFilter | null = null;
  /** What is to be asked next; null where there is nothing more. */
  #wanted: Question | null = null;
  /** Where the next page of what is looked for goes on. */
  #next: EndedPlace | null = null;
  #asking: Promise<void> | null = null;

  constructor(api: Api, list: SearchedList) {
    this.#api = api;
    this.#list = list;
  }

  /** Whom to tell of an answer that can’t be had. */
  start(failed: (thrown: unknown) => void): void {
    this.#failed = failed;
  }

  /** Looks for the first ones. */
  async look(filter: JobFilter): Promise<void> {
    const after = this.#list.end();
    this.#filter = filter;
    this.#next = null;
    this.rest = nothingLeft;
    this.#wanted = after !== null && reachesEnded(filter) ? { filter, after } : null;
    if (this.#wanted === null) this.answered = filter;
    else await this.#ask();
  }

  /** Nothing is looked for any more. */
  end(): void {
    this.#filter = null;
    this.#wanted = null;
    this.#next = null;
    this.rest = nothingLeft;
  }

  /** The next page of what is looked for, where there is one. */
  async more(): Promise<void> {
    if (this.#filter !== null && this.#next !== null)
      this.#wanted ??= { filter: this.#filter, after: this.#next };
    await this.#ask();
  }

  /** All that is looked for, page by page. */
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
