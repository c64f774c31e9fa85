import { TileliftError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { Journal, PlacedJob } from '../journal/journal-model.ts';
import { isEnded } from '../state.ts';
import type { LiveJob } from '../steps/live-job.ts';

interface EndedJobsOptions {
  readonly journal: Pick<Journal, 'job' | 'setAside'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly live: (placed: PlacedJob) => LiveJob;
  /** One whose events tell of no end any more, since some of them could not be read. */
  readonly onUnfinished: (job: LiveJob) => void;
}

/** So many of those that were looked at last are kept at hand. */
const maxKept = 500;

/**
 * Jobs that have ended: the journal has them, and each is read when someone looks at it. One object stands
 * for a job at a time only as long as it is kept: whoever waits asks for it again.
 */
export class EndedJobs {
  readonly #options: EndedJobsOptions;
  /** The one that was looked at last comes last. */
  readonly #kept = new Map<string, LiveJob>();

  constructor(options: EndedJobsOptions) {
    this.#options = options;
  }

  /** Of the list, or off it and still there. Undefined where there is none that can be read. */
  get(id: string): LiveJob | undefined {
    const job = this.#kept.get(id) ?? this.#read(id);
    if (!job) return undefined;
    if (isEnded(job.state)) this.keep(job);
    else {
      this.forget(id);
      this.#options.onUnfinished(job);
    }
    return job;
  }

  keep(job: LiveJob): void {
    this.#kept.delete(job.id);
    this.#kept.set(job.id, job);
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(id);
    }
  }

  /** It goes on, or is gone. */
  forget(id: string): void {
    this.#kept.delete(id);
  }

  #read(id: string): LiveJob | undefined {
    const { journal, clock, log, live } = this.#options;
    const read = () => {
      const placed = journal.job(id);
      return placed && live(placed);
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
