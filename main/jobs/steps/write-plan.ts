import { setImmediate } from 'node:timers/promises';
import type { Amount } from '../../../shared/job.ts';
import type { SourceFile } from '../../files/model.ts';
import { planFile } from '../../transfer/plan.ts';
import type { Journal, PlannedFile } from '../journal/journal-model.ts';
import type { LiveJob } from './live-job.ts';

/** A transaction of this many files takes a few milliseconds. */
const page = 500;

/** What was found besides the files. */
interface Besides {
  /** In the source, not followed. */
  readonly links?: number;
  /** Files that are not sent, as the person wanted. */
  readonly leftOut?: number;
  /** Files from beside what was dropped, likewise. */
  readonly takenAlong?: number;
}

type PlanJournal = Pick<Journal, 'dropFiles' | 'addFiles'>;

/** A plan that is being written, page by page as its files are found. */
export interface PlanInWriting {
  /** Some hundreds at a time, or as few as a folder has. Throws `journal-full` or `journal-unusable`. */
  add(files: readonly SourceFile[]): void;
  /** Gives what there is of it by now, all of it in the journal. Throws as `add`. */
  written(): Amount;
  /** From now on it is a plan. */
  end(job: Pick<LiveJob, 'apply'>, besides: Besides): void;
}

/**
 * Begins another plan in the place of the one before. The `scanned` event comes last: a crash before it
 * leaves files but no plan, and the job scans again.
 *
 * @throws the signal's reason, and as `add` does
 */
export async function beginPlan(
  jobId: string,
  journal: PlanJournal,
  signal: AbortSignal,
): Promise<PlanInWriting> {
  while (journal.dropFiles(jobId)) await breathe(signal);
  const sums = { files: 0, bytes: 0, parts: 0 };
  let added = 0;
  let waiting: PlannedFile[] = [];
  const write = () => {
    if (waiting.length > 0) journal.addFiles(jobId, waiting);
    waiting = [];
  };
  return {
    add: (files) => {
      for (const file of files) {
        const plan = planFile(file.size);
        if (file.content !== undefined) added += 1;
        sums.files += 1;
        sums.bytes += file.size;
        sums.parts += plan.partCount;
        if (waiting.push({ ...file, plan }) === page) write();
      }
    },
    written: () => {
      write();
      return { files: sums.files, bytes: sums.bytes };
    },
    end: (job, { links, leftOut, takenAlong }) => {
      write();
      job.apply({
        ...{ kind: 'scanned', ...sums },
        ...(links ? { links } : {}),
        ...(leftOut ? { leftOut } : {}),
        ...(added ? { added } : {}),
        ...(takenAlong ? { takenAlong } : {}),
      });
    },
  };
}

async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
