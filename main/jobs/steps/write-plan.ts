import { setImmediate } from 'node:timers/promises';
import type { AmountOfData } from '../../../shared/job.ts';
import type { SourceFile } from '../../files/model.ts';
import { planFile } from '../../transfer/plan.ts';
import type { Journal, PlannedFile } from '../journal/journal-model.ts';
import type { LiveJob } from './live-job.ts';

/** A few milliseconds' worth. */
const page = 500;

interface PlanExtras {
  readonly links?: number;
  readonly leftOut?: number;
  readonly takenAlong?: number;
}

type PlanJournal = Pick<Journal, 'dropFiles' | 'addFiles'>;

/** A plan being written page by page. */
export interface PlanInWriting {
  /** Throws `journal-full` or `journal-unusable`. */
  add(files: readonly SourceFile[]): void;
  writtenAmount(): AmountOfData;
  end(job: Pick<LiveJob, 'apply'>, extras: PlanExtras): void;
}

/**
 * The `scanned` event comes last: after a crash before it, the job scans again.
 *
 * @throws the signal's reason, and like `add`
 */
export async function beginPlan(
  jobId: string,
  journal: PlanJournal,
  signal: AbortSignal,
): Promise<PlanInWriting> {
  while (journal.dropFiles(jobId)) await yieldToLoop(signal);
  const sums = { files: 0, bytes: 0, parts: 0 };
  let added = 0;
  let pendingFiles: PlannedFile[] = [];
  const write = () => {
    if (pendingFiles.length > 0) journal.addFiles(jobId, pendingFiles);
    pendingFiles = [];
  };
  return {
    add: (files) => {
      for (const file of files) {
        const plan = planFile(file.size);
        if (file.content !== undefined) added += 1;
        sums.files += 1;
        sums.bytes += file.size;
        sums.parts += plan.partCount;
        if (pendingFiles.push({ ...file, plan }) === page) write();
      }
    },
    writtenAmount: () => {
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

async function yieldToLoop(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
