import type { AmountOfData } from '../../../shared/job.ts';
import type { ChangesInShort } from '../../../shared/source-changes.ts';
import { Fingerprint, lineOf } from '../../files/fingerprint.ts';
import type { SourceFile } from '../../files/model.ts';
import { beginChanges } from '../../inspect/changes/apply-changes.ts';
import { WantedFiles } from '../../inspect/changes/chosen-changes.ts';
import { loadSystems } from '../../inspect/crs/systems.ts';
import { ExactSourceCheck, sourceChanged } from './exact-source.ts';
import { ExtraFiles } from './extra-files.ts';
import type { JobCollaborators } from './job-collaborators.ts';
import type { LiveJob } from './live-job.ts';
import { refuseCollisions } from './plan-collisions.ts';
import { beginPlan, type PlanInWriting } from './write-plan.ts';

type PlanPorts = Pick<JobCollaborators, 'scanInPages' | 'journal'>;

/**
 * Streams the source's files to the journal.
 *
 * @throws TileliftError for unsendable files; `source-changed`, `journal-full`, `journal-unusable`
 * @throws the signal's reason when it aborts
 */
export async function planSource(job: LiveJob, ports: PlanPorts, signal: AbortSignal): Promise<AmountOfData> {
  const plan = await beginPlan(job.id, ports.journal, signal);
  try {
    return await fillPlan(plan, job, ports, signal);
  } catch (error) {
    // Discards the unfinished plan; after an abort, the next scan does so.
    if (!signal.aborted) await beginPlan(job.id, ports.journal, signal).catch(() => {});
    throw error;
  }
}

async function fillPlan(
  plan: PlanInWriting,
  job: LiveJob,
  { scanInPages, journal }: PlanPorts,
  signal: AbortSignal,
): Promise<AmountOfData> {
  const { paths, exactly: exactSource, createdAt } = job.record;
  const changes = journal.changes(job.id);
  const fingerprint = new Fingerprint();
  const exact = exactSource?.fingerprint ? new ExactSourceCheck(exactSource.fingerprint) : null;
  const chosenFiles = changes?.only ? new WantedFiles(changes.only) : null;
  const extraFiles = new ExtraFiles(changes?.takenAlong ?? []);
  // Generated files get the job's time.
  const work = changes ? await beginChanges(changes, createdAt, (await loadSystems()).systemByCode) : null;
  const send = (files: readonly SourceFile[]) => plan.add(work?.take(files) ?? files);

  const scan = await scanInPages(
    job.record,
    (scannedFiles) => {
      exact?.add(scannedFiles);
      const files = chosenFiles?.take(scannedFiles) ?? scannedFiles;
      for (const file of files) fingerprint.add(lineOf(file));
      extraFiles.addFiles(files);
      send(files);
    },
    signal,
  );
  if (exact?.isExact() === false) throw sourceChanged(paths);
  chosenFiles?.end();
  const companionCount = await extraFiles.scan(scanInPages, send, signal);
  const changeTotals = work?.end() ?? { leftOut: 0, systems: new Set<never>() };
  const amount = plan.writtenAmount();
  await refuseCollisions(job.id, scan.doubtful, journal, signal);
  journal.setFingerprint(job.id, fingerprint.digest(), inShort(changeTotals, companionCount));
  plan.end(job, { links: scan.links, leftOut: changeTotals.leftOut, takenAlong: companionCount });
  return amount;
}

function inShort(
  { systems, leftOut }: { readonly systems: ReadonlySet<number | string>; readonly leftOut: number },
  companionCount: number,
): ChangesInShort | null {
  if (systems.size + leftOut + companionCount === 0) return null;
  const assignedCodes = [...systems].filter((system) => typeof system === 'number');
  const hasSystemText = assignedCodes.length < systems.size;
  return {
    assigned: assignedCodes.toSorted((a, b) => a - b),
    worded: hasSystemText,
    leftOut,
    takenAlong: companionCount,
  };
}
