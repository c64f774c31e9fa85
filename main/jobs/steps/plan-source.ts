import type { Amount } from '../../../shared/job.ts';
import type { ChangesInShort } from '../../../shared/source-changes.ts';
import { Fingerprint, lineOf } from '../../files/fingerprint.ts';
import type { SourceFile } from '../../files/model.ts';
import { beginChanges } from '../../inspect/changes/apply-changes.ts';
import { WantedFiles } from '../../inspect/changes/chosen-changes.ts';
import { loadSystems } from '../../inspect/crs/systems.ts';
import { ExactLook, sourceChanged } from './exact-source.ts';
import type { JobCollaborators } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';
import { refuseCollisions } from './plan-collisions.ts';
import { FilesAlong } from './take-along.ts';
import { beginPlan, type PlanInWriting } from './write-plan.ts';

type Outside = Pick<JobCollaborators, 'scanInPages' | 'journal'>;

/**
 * Scans the source of a job and writes what is to be sent of it to the journal. Files go there as they are
 * found, and are in memory no longer than that.
 *
 * @throws TileliftError what can't be sent, `source-changed` where it is not what the job is for,
 *   `journal-full`, `journal-unusable`
 * @throws the signal's reason when it aborts
 */
export async function planSource(job: LiveJob, outside: Outside, signal: AbortSignal): Promise<Amount> {
  const plan = await beginPlan(job.id, outside.journal, signal);
  try {
    return await fillPlan(plan, job, outside, signal);
  } catch (thrown) {
    // Half a plan is none; on the way out, the next scan clears it away.
    if (!signal.aborted) await beginPlan(job.id, outside.journal, signal).catch(() => {});
    throw thrown;
  }
}

async function fillPlan(
  plan: PlanInWriting,
  job: LiveJob,
  { scanInPages, journal }: Outside,
  signal: AbortSignal,
): Promise<Amount> {
  const { paths, exactly, createdAt } = job.record;
  const changes = journal.changes(job.id);
  const fingerprint = new Fingerprint();
  const exact = exactly?.fingerprint ? new ExactLook(exactly.fingerprint) : null;
  const wanted = changes?.only ? new WantedFiles(changes.only) : null;
  const along = new FilesAlong(changes?.takenAlong ?? []);
  // Files that exist in the upload alone are as old as the job.
  const work = changes ? await beginChanges(changes, createdAt, (await loadSystems()).systemOf) : null;
  const send = (files: readonly SourceFile[]) => plan.add(work?.take(files) ?? files);

  const scan = await scanInPages(
    job.record,
    (found) => {
      exact?.add(found);
      const files = wanted?.take(found) ?? found;
      for (const file of files) fingerprint.add(lineOf(file));
      along.pass(files);
      send(files);
    },
    signal,
  );
  if (exact?.isExact() === false) throw sourceChanged(paths);
  wanted?.end();
  const takenAlong = await along.scan(scanInPages, send, signal);
  const told = work?.end() ?? { leftOut: 0, systems: new Set<never>() };
  const amount = plan.written();
  await refuseCollisions(job.id, scan.doubtful, journal, signal);
  journal.setFingerprint(job.id, fingerprint.digest(), inShort(told, takenAlong));
  plan.end(job, { links: scan.links, leftOut: told.leftOut, takenAlong });
  return amount;
}

/** Null for nothing. */
function inShort(
  { systems, leftOut }: { readonly systems: ReadonlySet<number | string>; readonly leftOut: number },
  takenAlong: number,
): ChangesInShort | null {
  if (systems.size + leftOut + takenAlong === 0) return null;
  const assigned = [...systems].filter((system) => typeof system === 'number');
  const worded = assigned.length < systems.size;
  return { assigned: assigned.toSorted((a, b) => a - b), worded, leftOut, takenAlong };
}
