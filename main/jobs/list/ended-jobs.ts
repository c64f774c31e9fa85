import { TileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import type { Journal, PlacedJob } from '../journal/journal-model.ts';
import { isEnded } from '../state.ts';
import type { LiveJob } from '../steps/live-job.ts';

interface EndedJobsOptions {
  readonly journal: Pick<Journal, 'job' | 'setAside'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly live: (placedJob: PlacedJob) => LiveJob;
  /** Unreadable events may hide a job's end. */
  readonly onUnfinished: (job: LiveJob) => void;
}

const maxCached = 500;

/** Caches recent ended jobs. Fetch again after waiting: an evicted job gets a new object. */
export class EndedJobs {
  readonly #options: EndedJobsOptions;
  /** Least recently used first. */
  readonly #cache = new Map<string, LiveJob>();

  constructor(options: EndedJobsOptions) {
    this.#options = options;
  }

  /** Undefined if missing or unreadable. */
  get(id: string): LiveJob | undefined {
    const job = this.#cache.get(id) ?? this.#read(id);
    if (!job) return undefined;
    if (isEnded(job.state)) this.storeJob(job);
    else {
      this.forget(id);
      this.#options.onUnfinished(job);
    }
    return job;
  }

  storeJob(job: LiveJob): void {
    this.#cache.delete(job.id);
    this.#cache.set(job.id, job);
    for (const id of this.#cache.keys()) {
      if (this.#cache.size <= maxCached) break;
      this.#cache.delete(id);
    }
  }

  forget(id: string): void {
    this.#cache.delete(id);
  }

  #read(id: string): LiveJob | undefined {
    const { journal, clock, log, live } = this.#options;
    const read = () => {
      const placedJob = journal.job(id);
      return placedJob && live(placedJob);
    };
    try {
      return read();
    } catch (error) {
      log.warn({ jobId: id, error }, 'an ended job can’t be read');
      if (!(error instanceof TileliftError)) throw error;
    }
    try {
      journal.setAside(id, clock.now());
      return read();
    } catch (error) {
      log.warn({ jobId: id, error }, 'an ended job is not shown');
      return undefined;
    }
  }
}
