import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EndedPlace } from '../../../shared/job.ts';
import type { JobAction } from '../../../shared/job-status.ts';
import { byTurn, movedPlaces } from '../../../shared/queue.ts';
import type { Bandwidth } from '../../../shared/timetable.ts';
import type { Vault } from '../../account/vault/vault.ts';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import { createListeners } from '../../listeners.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../outside.ts';
import type { ServiceApi, UploadLocation } from '../../service/model.ts';
import { scanInPages } from '../../source/walk/scan.ts';
import type { Storage } from '../../storage/storage.ts';
import { TilingReads } from '../../tiling/tiling-reads.ts';
import type { Random } from '../../service/backoff.ts';
import { secondsToSend } from '../../transfer/bandwidth.ts';
import { createStorageClient } from '../../workers/storage-client.ts';
import { actionsOf } from '../actions.ts';
import { checkNewJob } from '../check-new-job.ts';
import { forecast } from '../forecast.ts';
import { historyOf } from '../history.ts';
import type { JobCollaborators } from '../steps/job-collaborators.ts';
import { RemovedJobs } from '../journal/clear-removed.ts';
import type { JobRecord, Journal, PlacedJob } from '../journal/journal-model.ts';
import { EndedJobs } from '../list/ended-jobs.ts';
import { findEnded } from '../list/find-ended.ts';
import { HeldJobs } from '../list/held-jobs.ts';
import { LiveJob } from '../steps/live-job.ts';
import type { EndedPage, ExactSource, JobService, JobSnapshot, NewJob, SentFile } from '../model.ts';
import { JobRunner, turnOf } from './runner.ts';
import { isQueued, snapshotOf } from './snapshot.ts';
import { isEnded, mayStillSend, runningPart } from '../state.ts';
import { asItIs } from '../steps/exact-source.ts';
import { OwedAborts } from '../steps/owed-aborts.ts';
import { createUploadGrants } from '../steps/upload-credentials.ts';
import { isTakenUp, takeUpAll } from './take-up.ts';

export interface JobServiceOptions {
  readonly journal: Journal;
  /** Keeps upload credentials. */
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: {
    serviceFor(accountId: string): ServiceApi;
    /** Why nothing can be asked with an account; null where it can. Default: found out by asking. */
    whyUnready?(accountId: string): TileliftError | null;
  };
  /** Why a job that has no asset yet must not begin; null where it may. Default: it may. */
  readonly whyHeld?: JobCollaborators['whyHeld'];
  readonly log: Log;
  /** Default: the S3 client. */
  readonly storageFor?: (location: UploadLocation) => Storage;
  /** An upload begins soon. Default: nothing is prepared. */
  readonly prepareUpload?: () => void;
  /** Why nothing may be sent to a storage for an account. Default: what is neither https nor this machine. */
  readonly refuseStorage?: JobCollaborators['refuseStorage'];
  /** How often the status of an asset is asked for, ms. Default: 10 seconds (contract part 8). */
  readonly pollMs?: number;
  /** How assets that are followed are. Default: what these jobs alone ask for. */
  readonly reads?: TilingReads;
  /** Parts in flight. */
  readonly parallelParts?: number;
  /** Jobs that send at the same time. Default 1. */
  readonly maxSending?: number;
  /** Contract part 8: about one hour. */
  readonly credentialLifeMs?: number;
  /** What uploads may take at which times. Default: everything at all times. */
  readonly bandwidth?: () => Bandwidth;
  /** The file that a scan's worker threads run. Default: the source, for plain Node. */
  readonly scanWorker?: URL;
}

/** Ended jobs that are read in one go: a few milliseconds' worth. */
const maxReadAtOnce = 100;
/** Jobs of one source that are looked through for one that was asked for in the same words. */
const maxOfSource = 1_000;
/** Files of a job that a person is shown, of each kind. */
const listedFiles = 100;
const noLimit: Bandwidth = { limit: null, timetable: [] };
const defaultPollMs = 10_000;
const defaultCredentialLifeMs = 60 * 60_000;

/**
 * Jobs from drop to end of tiling, across restarts. Throws `journal-unusable` when the journal is
 * unreadable.
 */
export function createJobService(options: JobServiceOptions): JobService {
  const { journal, clock } = options;
  const log = options.log.child('jobs');
  const credentialLifeMs = options.credentialLifeMs ?? defaultCredentialLifeMs;
  const jobs = new Map<string, LiveJob>();
  const listeners = createListeners<[id: string]>();
  /** Those that have ended and still give back what they held. */
  const ending = new Set<string>();
  const tell = (id: string) => {
    const job = jobs.get(id);
    if (job && isEnded(job.state)) ending.add(id);
    listeners.tell(id);
    retire();
  };
  const live = ({ record, place }: PlacedJob) =>
    new LiveJob(record, journal.events(record.id), { journal, clock, onChange: tell, place });
  const ended = new EndedJobs({
    ...{ journal, clock, log, live },
    onUnfinished: (job) => {
      jobs.set(job.id, job);
      runner.pump();
    },
  });
  for (const job of takeUpAll(journal, live, log)) jobs.set(job.id, job);
  /** On the list or off it. */
  const known = (id: string) => jobs.get(id) ?? ended.get(id);
  const listed = (id: string) => (held.has(id) ? undefined : known(id));

  const storageFor = options.storageFor ?? ((location: UploadLocation) => createStorageClient(location));
  const grants = createUploadGrants(options.vault);
  const { random } = options;
  const owed = new OwedAborts({
    ...{ journal, grants, clock, random, storageFor, log },
    isUsed: (jobId) => {
      const job = known(jobId);
      return job !== undefined && mayStillSend(job.state);
    },
  });
  const serviceFor = (accountId: string) => options.accounts.serviceFor(accountId);
  const pollMs = options.pollMs ?? defaultPollMs;
  const scanOptions = (exactly: ExactSource | undefined, signal: AbortSignal) => ({
    signal,
    ...(exactly ? { keysFrom: exactly.keysFrom, gitignore: exactly.gitignore } : {}),
    ...(options.scanWorker ? { worker: options.scanWorker } : {}),
  });
  const collaborators: JobCollaborators = {
    ...{ journal, grants, owed, clock, random, storageFor, serviceFor, pollMs },
    prepareUpload: options.prepareUpload ?? (() => {}),
    whyUnready: (accountId) => options.accounts.whyUnready?.(accountId) ?? null,
    whyHeld: options.whyHeld ?? (() => null),
    reads: options.reads ?? new TilingReads({ serviceFor, clock, freshMs: pollMs }),
    refuseStorage: options.refuseStorage ?? (() => null),
    parallelParts: options.parallelParts,
    credentialLifeMs,
    scanInPages: ({ paths, exactly }, onFiles, signal) =>
      scanInPages(paths, onFiles, scanOptions(exactly, signal)),
    forecast: (accountId, bytes, files) =>
      forecast({ bytes, files }, journal.speeds(accountId), credentialLifeMs, (amount, bytesPerSecond) =>
        secondsToSend(amount, bytesPerSecond, options.bandwidth?.() ?? noLimit, clock.now()),
      ),
    log,
    isOurAsset: journal.isOurAsset,
  };
  const removed = new RemovedJobs(journal, log);
  const held = new HeldJobs({
    ...{ journal, clock, log },
    giveUp: (id) => {
      owed.release(id);
      journal.removeJob(id);
      ended.forget(id);
      removed.clear();
    },
  });
  for (const one of journal.heldJobs()) held.takeUp(one);
  const snapshot = (job: LiveJob) => snapshotOf(job, runner.hasTurn(job.id));
  const runner = new JobRunner({ jobs, collaborators, maxSending: options.maxSending ?? 1 });

  function add(job: NewJob, alongside?: (jobId: string) => void): string {
    checkNewJob(job);
    const { accountId, paths, body, acceptForecast, changes, exactly, expected, predecessor } = job;
    const id = randomUUID();
    const record: JobRecord = {
      id,
      accountId,
      paths: [...paths],
      body,
      createdAt: clock.now(),
      acceptForecast,
      ...(job.isKindDetected ? { isKindDetected: true } : {}),
      ...(exactly ? { exactly } : {}),
      ...(predecessor === undefined ? {} : { predecessor }),
      ...(expected ? { expected } : {}),
    };
    journal.addJob({ ...record, ...(changes ? { changes } : {}) }, alongside && (() => alongside(id)));
    const { place = 0 } = journal.job(id) ?? {};
    jobs.set(id, live({ record, place }));
    log.info({ jobId: id, paths: paths.length, type: body.type }, 'job added');
    tell(id);
    runner.pump();
    return id;
  }

  async function perform(job: LiveJob, action: JobAction): Promise<void> {
    switch (action) {
      case 'confirm':
        job.apply({ kind: 'confirmed' });
        return runner.pump();
      case 'pause':
        job.apply({ kind: 'paused' });
        return runner.interrupt(job);
      case 'cancel':
        job.apply({ kind: 'cancelled' });
        return runner.interrupt(job);
      case 'stop-following': {
        const subject = (job.state.kind === 'tiling' && job.state.assetStatus) || '';
        job.apply({
          kind: 'failed',
          error: toErrorRecord(new TileliftError('tiling-unfollowed', { subject })),
        });
        return runner.interrupt(job);
      }
      case 'resume':
        job.apply({ kind: 'resumed' });
        return runner.pump();
      case 'try-again':
        job.apply({ kind: 'tried-again' });
        ended.forget(job.id);
        jobs.set(job.id, job);
        return runner.pump();
      case 'try-now':
        return job.tryNow();
      case 'start-again':
        add({ ...startedAgain(job, journal.changes(job.id)), predecessor: job.id });
        return;
      case 'remove':
        remove([job.id]);
        return;
    }
  }

  function remove(ids: readonly string[]): readonly string[] {
    const gone = held.hold(ids);
    for (const id of gone) {
      jobs.delete(id);
      tell(id);
    }
    return gone;
  }

  /** What has ended and holds nothing any more is kept by the journal alone. */
  function retire(): void {
    for (const id of ending) {
      const job = jobs.get(id);
      if (job && runner.isBusy(id)) continue;
      ending.delete(id);
      if (!job || !isEnded(job.state)) continue;
      jobs.delete(id);
      ended.keep(job);
    }
  }

  /** Nothing begins meanwhile that is to be paused or cancelled too; what is to begin does so in turn. */
  async function actOn(ids: readonly string[], action: JobAction): Promise<readonly string[]> {
    if (action === 'remove') return remove(ids);
    const inTurn: (ReturnType<typeof turnOf> & { readonly id: string })[] = [];
    for (const [index, id] of ids.entries()) {
      const job = listed(id);
      if (job && actionsOf(job).includes(action)) inTurn.push({ id, ...turnOf(job) });
      if (index % maxReadAtOnce === maxReadAtOnce - 1) await setImmediate();
    }
    inTurn.sort(byTurn);
    for (const { id } of endsWork.has(action) ? inTurn.toReversed() : inTurn) {
      const job = listed(id);
      if (job && actionsOf(job).includes(action)) await perform(job, action);
      // Each is a transaction: several hundred in one go would hold up the main thread.
      await setImmediate();
    }
    return inTurn.map(({ id }) => id);
  }

  const unfinished = () => newestFirst([...jobs.values()]).map(snapshot);

  function endedPage(max: number, after?: EndedPlace): EndedPage {
    const rows = journal.ended(max, after);
    const last = rows.at(-1);
    return {
      jobs: rows.flatMap(({ id }) => known(id) ?? []).map(snapshot),
      next: last && rows.length === max ? { createdAt: last.createdAt, row: last.row } : null,
    };
  }

  function allEnded(): readonly JobSnapshot[] {
    const all: JobSnapshot[] = [];
    let after: EndedPlace | undefined;
    do {
      const { jobs: some, next } = endedPage(maxReadAtOnce, after);
      all.push(...some);
      after = next ?? undefined;
    } while (after);
    return all;
  }

  return {
    start: () => {
      for (const id of grants.jobIds()) {
        const job = listed(id);
        if (job && isEnded(job.state)) runner.tidy(job);
      }
      for (const job of jobs.values()) if (isTakenUp(job.state)) job.apply({ kind: 'taken-up' });
      owed.start();
      removed.clear();
      held.start();
      runner.start();
    },
    stop: async () => {
      held.stop();
      await Promise.all([runner.stop(), removed.stop(), owed.stop()]);
    },
    add,
    forecast: collaborators.forecast,
    list: () => {
      const all = new Map([...unfinished(), ...allEnded()].map((job) => [job.id, job]));
      return [...all.values()].sort((a, b) => b.createdAt - a.createdAt);
    },
    unfinished: () => unfinished().filter((job) => job.endedAt === null),
    ended: endedPage,
    findEnded: async (filter, max, after) => {
      const { ids, next, rest } = await findEnded(journal, filter, max, after);
      return { jobs: ids.flatMap((id) => listed(id) ?? []).map(snapshot), next, rest };
    },
    endedAfter: journal.endedAfter,
    endedTotals: journal.endedTotals,
    ofSource: function* (accountId, paths) {
      for (const id of journal.jobsOfSource(accountId, paths, maxOfSource)) {
        const job = listed(id);
        if (job) yield snapshot(job);
      }
    },
    ofAsset: (accountId, assetId) =>
      journal
        .jobsOfAsset(accountId, assetId)
        .flatMap((id) => known(id) ?? [])
        .map((job) => ({ ...snapshot(job), isListed: !held.has(job.id) }))
        .filter((job) => job.assetId === assetId),
    assetIds: journal.assetIds,
    get: (id) => {
      const job = listed(id);
      return job && snapshot(job);
    },
    wanted: (id) => {
      const job = listed(id);
      if (!job) throw new TileliftError('job-unknown');
      const changes = journal.changes(id);
      return { ...job.record, ...(changes ? { changes } : {}) };
    },
    files: (id) => journal.fileProgress(id, listedFiles),
    sentFiles: (id) => (listed(id) ? sentFiles(journal, id) : []),
    history: (id) => historyOf(listed(id)?.events ?? []),
    act: async (id, action) => {
      const job = listed(id);
      if (!job) throw new TileliftError('job-unknown');
      if (actionsOf(job).includes(action)) await perform(job, action);
    },
    actOn,
    move: (ids, before) => {
      const queue = [...jobs.values()].filter(({ id, state }) => isQueued(state, runner.hasTurn(id)));
      const moved = movedPlaces(queue, new Set(ids), before);
      journal.setPlaces(moved);
      for (const [id, place] of moved) jobs.get(id)?.putAt(place);
    },
    bringBack: (ids) => {
      const back = held.bringBack(ids);
      for (const id of back) tell(id);
      return back;
    },
    madeOf: journal.madeOf,
    madeAssets: journal.madeAssets,
    wake: (accountId) => {
      for (const job of jobs.values()) if (job.record.accountId === accountId && job.waiting) job.wake();
      runner.pump();
    },
    accountsChanged: () => runner.pump(),
    onChange: listeners.add,
  };
}

function newestFirst(jobs: LiveJob[]): LiveJob[] {
  return jobs.reverse().sort((a, b) => b.record.createdAt - a.record.createdAt);
}

/** What ends the work of a job, for now or for good. */
const endsWork: ReadonlySet<JobAction> = new Set(['pause', 'cancel']);

/** A person wants what is there now, where a watch rule wanted what it had seen. */
function startedAgain({ record: { exactly, ...job }, state }: LiveJob, changes: NewJob['changes']): NewJob {
  const was = runningPart(state);
  const found = 'scan' in was && was.scan ? { files: was.scan.files, bytes: was.scan.bytes } : job.expected;
  return {
    ...job,
    ...(changes ? { changes } : {}),
    ...(exactly ? { exactly: asItIs(exactly) } : {}),
    ...(found ? { expected: found } : {}),
  };
}

function* sentFiles(journal: Journal, jobId: string): Iterable<SentFile> {
  let page = journal.sentFiles(jobId);
  while (page.length > 0) {
    yield* page;
    page = journal.sentFiles(jobId, page.at(-1)?.id);
  }
}
