import type { Amount } from '../../../shared/job.ts';
import type { ChangesInShort } from '../../../shared/source-changes.ts';
import { applyChanges } from '../../source/changes/apply-changes.ts';
import { filesOfPart } from '../../source/changes/chosen-changes.ts';
import { Fingerprint, fingerprintBitByBit, lineOf } from '../../source/fingerprint.ts';
import type { SourceFile } from '../../source/model.ts';
import { loadSystems } from '../../source/place/systems.ts';
import { sumSizes } from '../../transfer/file-transfer.ts';
import type { JobCollaborators } from '../job-collaborators.ts';
import type { JobRecord } from '../journal/journal-model.ts';
import type { LiveJob } from '../live-job.ts';
import { checkExact, ExactLook, sourceChanged } from './exact-source.ts';
import { beginPlan, writePlan } from './write-plan.ts';

type Outside = Pick<JobCollaborators, 'scan' | 'scanInPages' | 'journal'>;

/**
 * Scans the source of a job and writes what is to be sent of it to the journal.
 *
 * @throws TileliftError what can't be sent, `source-changed` where it is not what the job is for,
 *   `journal-full`, `journal-unusable`
 * @throws the signal's reason when it aborts
 */
export async function planSource(job: LiveJob, outside: Outside, signal: AbortSignal): Promise<Amount> {
  return (
    (job.record.changes ? null : await planInPages(job, outside, signal)) ?? planAsWhole(job, outside, signal)
  );
}

/**
 * Files go to the journal as they are found, and are in memory no longer than that. Null: as `scanInPages`.
 */
async function planInPages(
  job: LiveJob,
  { scanInPages, journal }: Outside,
  signal: AbortSignal,
): Promise<Amount | null> {
  const plan = await beginPlan(job.id, journal, signal);
  const { paths, exactly } = job.record;
  const fingerprint = new Fingerprint();
  const exact = exactly?.fingerprint ? new ExactLook(exactly.fingerprint) : null;
  const take = (files: readonly SourceFile[]) => {
    for (const file of files) fingerprint.add(lineOf(file));
    exact?.add(files);
    plan.add(files);
  };
  const look = async () => {
    const scan = await scanInPages(job.record, take, signal);
    if (scan && exact?.isExact() === false) throw sourceChanged(paths);
    return scan;
  };
  const scan = await look().catch(async (thrown) => {
    // Half a plan is none; on the way out, the next scan clears it away.
    if (!signal.aborted) await beginPlan(job.id, journal, signal).catch(() => {});
    throw thrown;
  });
  if (!scan) return null;
  journal.setFingerprint(job.id, fingerprint.digest(), null);
  plan.end(job, { links: scan.links });
  return { files: scan.files, bytes: scan.bytes };
}

/** Where what is sent depends on all of the source: what a person decided about it, two files of one key. */
async function planAsWhole(job: LiveJob, outside: Outside, signal: AbortSignal): Promise<Amount> {
  const { record } = job;
  const { scan, journal } = outside;
  const found = await scan(record, signal);
  await checkExact(record, found.files, signal);
  const part = filesOfPart(found.files, record.changes);
  const fingerprint = await fingerprintBitByBit(part, signal);
  const takenAlong = await scanAlong(record, part, outside, signal);
  const { files, leftOut, systems } = await changedBy(record, [...part, ...takenAlong]);
  journal.setFingerprint(job.id, fingerprint, inShort(systems, leftOut, takenAlong.length));
  const besides = { links: found.links?.length ?? 0, leftOut, takenAlong: takenAlong.length };
  await writePlan(job, files, journal, signal, besides);
  return { files: files.length, bytes: sumSizes(files) };
}

/**
 * What a person takes along from beside what was dropped: never by way of a link, nothing that is there
 * already.
 */
async function scanAlong(
  { changes }: JobRecord,
  files: readonly SourceFile[],
  { scan }: Pick<JobCollaborators, 'scan'>,
  signal: AbortSignal,
): Promise<readonly SourceFile[]> {
  const keys = new Set(files.map(({ key }) => key));
  const found: SourceFile[] = [];
  for (const { folder, paths } of changes?.takenAlong ?? []) {
    const exactly = { keysFrom: folder, gitignore: [], fingerprint: null };
    for (const file of (await scan({ paths, exactly }, signal)).files) {
      if (keys.has(file.key)) continue;
      keys.add(file.key);
      found.push(file);
    }
  }
  return found;
}

/** Null for nothing. */
function inShort(
  systems: ReadonlySet<number | string>,
  leftOut: number,
  takenAlong: number,
): ChangesInShort | null {
  if (systems.size + leftOut + takenAlong === 0) return null;
  const assigned = [...systems].filter((system) => typeof system === 'number');
  const worded = assigned.length < systems.size;
  return { assigned: assigned.toSorted((a, b) => a - b), worded, leftOut, takenAlong };
}

/** What is sent of what was found. Files that exist in the upload alone are as old as the job. */
async function changedBy({ changes, createdAt }: JobRecord, files: readonly SourceFile[]) {
  if (!changes) return { files, leftOut: 0, systems: new Set<never>() };
  const { systemOf } = await loadSystems();
  return applyChanges(files, changes, createdAt, systemOf);
}
