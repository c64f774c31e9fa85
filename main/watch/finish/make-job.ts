import { bytesOf } from '../../files/file-table.ts';
import { whereaboutsOf } from '../../files/whereabouts.ts';
import type { SourceMarks } from '../lease/takeover.ts';
import type { FolderLeases } from '../model/lease-model.ts';
import { gitignoreFor, without } from '../model/left-out.ts';
import type { FoundSource, LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { sourcePhrase } from '../model/source-names.ts';
import { type KindParts, leftOutBy, ruleFor } from '../settle/kind.ts';
import type { SourceFindings } from '../settle/source-findings.ts';
import { type LedgerPorts, writeActivity } from '../state/ports.ts';
import { creationBodyOf } from './asset-name.ts';
import type { JobFollower } from './job-follower.ts';
import type { Refusals } from './refusals.ts';

interface JobMakerOptions extends KindParts {
  readonly parts: LedgerPorts;
  readonly findings: SourceFindings;
  readonly follower: Pick<JobFollower, 'hasSlot' | 'follow'>;
  readonly refusals: Pick<Refusals, 'mayTakeAnother'>;
  readonly leases: FolderLeases;
  readonly marks: SourceMarks;
  readonly rescan: (ruleId: string, path: string) => void;
}

/** Creates the jobs of settled sources. */
export class JobMaker {
  readonly #options: JobMakerOptions;

  constructor(options: JobMakerOptions) {
    this.#options = options;
  }

  mayMake({ id, accountId }: WatchRule): boolean {
    const { follower, refusals } = this.#options;
    return follower.hasSlot(accountId) && refusals.mayTakeAnother(id);
  }

  /**
   * Returns false if another computer has the source or its folder. `isRetry`: it failed before and hasn't
   * changed. Throws `watch-already-taken`, and the errors of leases and jobs.
   */
  async makeJob(folderRule: WatchRule, source: FoundSource, isRetry: boolean): Promise<boolean> {
    const { leases, marks, rescan } = this.#options;
    const rule = await ruleFor(folderRule, source, this.#options);
    const elsewhere = await marks.meet(rule, source);
    if (elsewhere === 'known') rescan(rule.id, source.path);
    if (elsewhere !== 'free') return elsewhere === 'known';
    if (!(await leases.renew(rule))) return false;
    await this.#addJob(rule, source, isRetry);
    return true;
  }

  /** One transaction writes the job and the ledger row, so that a kill leaves both or neither. */
  async #addJob(rule: WatchRule, source: FoundSource, isRetry: boolean): Promise<void> {
    const { parts, findings, follower } = this.#options;
    const { ledger, jobs, clock } = parts;
    const inspection = findings.outcomeOf(rule.id, source);
    const existingPaths = await existingPathsOf(rule, ledger.withIdentity(rule.id, source.identity));
    const leftOut = await leftOutBy(rule, source, this.#options);
    const files = without(source.files, leftOut);
    const timestamp = clock.now();
    const jobId = jobs.add(
      {
        accountId: rule.accountId,
        paths: source.paths,
        body: creationBodyOf(rule, source, timestamp, ledger.takenSoFar(rule.id)),
        acceptForecast: rule.whenTooLong === 'upload',
        expected: { files: files.length, bytes: bytesOf(files) },
        ...(leftOut.size > 0 && { changes: { leftOut: [...leftOut], assigned: [] } }),
        exactly: {
          keysFrom: source.keysFrom,
          gitignore: gitignoreFor(rule, source.keysFrom),
          fingerprint: source.dataFingerprint,
          home: rule.folder,
        },
      },
      (id) => {
        ledger.take(rule.id, source, id, timestamp, isRetry, (path) => existingPaths.has(path));
        ledger.noteInspection(id, inspection);
      },
    );
    findings.forget(rule.id, source.path);
    const values = { source: sourcePhrase(source) };
    writeActivity(parts, rule.id, { key: isRetry ? 'sources.tookAgain' : 'sources.tookIt', values });
    follower.follow(jobId, rule.id);
  }
}

/** The existing paths of these rows. An unchecked path counts as missing, the stricter answer. */
async function existingPathsOf(
  { folder }: WatchRule,
  rows: readonly LedgerEntry[],
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (const { path } of rows) if (await whereaboutsOf(folder, path, path)) existing.add(path);
  return existing;
}
