import { setImmediate } from 'node:timers/promises';
import type { SourceFile } from '../../source/model.ts';
import { planFile } from '../../transfer/plan.ts';
import type { Journal, PlannedFile } from '../journal/journal-model.ts';
import type { LiveJob } from '../live-job.ts';

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

/**
 * Writes the plan of every file, in the place of an earlier scan's, page by page so that 100,000 files hold
 * up nobody. The `scanned` event comes last: a crash before it leaves files but no plan, and the job scans
 * again.
 */
export async function writePlan(
  job: Pick<LiveJob, 'id' | 'apply'>,
  files: readonly SourceFile[],
  journal: Pick<Journal, 'dropFiles' | 'addFiles'>,
  signal: AbortSignal,
  { links, leftOut, takenAlong }: Besides = {},
): Promise<void> {
  while (journal.dropFiles(job.id)) await breathe(signal);
  let bytes = 0;
  let parts = 0;
  let added = 0;
  for (let at = 0; at < files.length; at += page) {
    await breathe(signal);
    const planned = files
      .slice(at, at + page)
      .map((file): PlannedFile => ({ ...file, plan: planFile(file.size) }));
    for (const { size, plan, content } of planned) {
      if (content !== undefined) added += 1;
      bytes += size;
      parts += plan.partCount;
    }
    journal.addFiles(job.id, planned);
  }
  await breathe(signal);
  job.apply({
    ...{ kind: 'scanned', files: files.length, bytes, parts },
    ...(links ? { links } : {}),
    ...(leftOut ? { leftOut } : {}),
    ...(added ? { added } : {}),
    ...(takenAlong ? { takenAlong } : {}),
  });
}

async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
