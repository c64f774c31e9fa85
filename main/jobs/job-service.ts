import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { assetTypes } from '../../shared/assets.ts';
import type { JobAction } from '../../shared/job-status.ts';
import { fitsAssetType } from '../../shared/kinds.ts';
import { byTurn, movedPlaces } from '../../shared/queue.ts';
import type { Bandwidth } from '../../shared/timetable.ts';
import type { Vault } from '../account/vault/vault.ts';
import { TileliftError } from '../errors.ts';
import { createListeners } from '../listeners.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../outside.ts';
import type { ServiceApi, UploadLocation } from '../service/model.ts';
import { scanSource } from '../source/walk/scan.ts';
import type { Storage } from '../storage/storage.ts';
import { refusePlainStorage } from '../storage/storage-address.ts';
import { TilingReads } from '../tiling/tiling-reads.ts';
import type { Random } from '../transfer/backoff.ts';
import { secondsToSend } from '../transfer/bandwidth.ts';
import { createStorageClient } from '../workers/storage-client.ts';
import { actionsOf } from './actions.ts';
import { forecast } from './forecast.ts';
import { HeldJobs } from './held-jobs.ts';
import { historyOf } from './history.ts';
import type { JobCollaborators } from './job-collaborators.ts';
import { RemovedJobs } from './journal/clear-removed.ts';
import type { JobRecord, Journal } from './journal/journal-model.ts';
import { LiveJob } from './live-job.ts';
import type { JobService, NewJob, SentFile } from './model.ts';
import { JobRunner, turnOf } from './runner.ts';
import { isQueued, snapshotOf } from './snapshot.ts';
import { awaitsConfirmation, isEnded, isRunning, type JobState, mayStillSend, runningPart } from './state.ts';
import { asItIs } from './steps/exact-source.ts';
import { OwedAborts } from './steps/owed-aborts.ts';
import { createUploadGrants } from './steps/upload-credentials.ts';

export interface JobServiceOptions {
  readonly journal: Journal;
  /** Keeps upload credentials. */
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  readonly accounts: { serviceFor(accountId: string): ServiceApi };
  readonly log: Log;
  /** Default: the S3 client. */
  readonly storageFor?: (location: UploadLocation) => Storage;
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
  const tell = (id: string) => {
    listeners.tell(id);
  };
  const live = (record: JobRecord, place = 0) =>
    new LiveJob(record, journal.events(record.id), { journal, clock, onChange: tell, place });
  const places = journal.places();
  for (const record of journal.jobs()) jobs.set(record.id, live(record, places.get(record.id)));

  const storageFor = options.storageFor ?? ((location: UploadLocation) => createStorageClient(location));
  const grants = createUploadGrants(options.vault);
  const { random } = options;
  const owed = new OwedAborts({
    ...{ journal, grants, clock, random, storageFor, log },
    isUsed: (jobId) => {
      const job = jobs.get(jobId) ?? held.get(jobId);
      return job !== undefined && mayStillSend(job.state);
    },
  });
  const serviceFor = (accountId: string) => options.accounts.serviceFor(accountId);
  const pollMs = options.pollMs ?? defaultPollMs;
  const collaborators: JobCollaborators = {
    ...{ journal, grants, owed, clock, random, storageFor, serviceFor, pollMs },
    reads: options.reads ?? new TilingReads({ serviceFor, clock, freshMs: pollMs }),
    refuseStorage: options.refuseStorage ?? (({ endpoint }) => refusePlainStorage(endpoint, false)),
    parallelParts: options.parallelParts,
    credentialLifeMs,
    scan: ({ paths, exactly }, signal) =>
      scanSource(paths, {
        signal,
        ...(exactly ? { keysFrom: exactly.keysFrom, gitignore: exactly.gitignore } : {}),
        ...(options.scanWorker ? { worker: options.scanWorker } : {}),
      }),
    forecast: (accountId, bytes, files) =>
      forecast({ bytes, files }, journal.speeds(accountId), credentialLifeMs, (amount, bytesPerSecond) =>
        secondsToSend(amount, bytesPerSecond, options.bandwidth?.() ?? noLimit, clock.now()),
      ),
    log,
    knownAssetIds: () => new Set([...jobs.values(), ...held.jobs()].flatMap(assetIdsOf)),
  };
  const removed = new RemovedJobs(journal, log);
  const held = new HeldJobs({
    ...{ journal, clock, log },
    giveUp: ({ id }) => {
      owed.release(id);
      journal.removeJob(id);
      removed.clear();
    },
  });
  for (const { record, removedAt } of journal.heldJobs())
    held.takeUp(live(record, places.get(record.id)), removedAt);
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
      ...(changes ? { changes } : {}),
      ...(exactly ? { exactly } : {}),
      ...(predecessor === undefined ? {} : { predecessor }),
      ...(expected ? { expected } : {}),
    };
    journal.addJob(record, alongside && (() => alongside(id)));
    jobs.set(id, live(record, journal.places().get(id)));
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
      case 'resume':
        job.apply({ kind: 'resumed' });
        return runner.pump();
      case 'try-again':
        job.apply({ kind: 'tried-again' });
        return runner.pump();
      case 'try-now':
        return job.tryNow();
      case 'start-again':
        add({ ...startedAgain(job), predecessor: job.id });
        return;
      case 'remove':
        return remove([job]);
    }
  }

  function remove(gone: readonly LiveJob[]): void {
    held.hold(gone);
    for (const { id } of gone) {
      jobs.delete(id);
      tell(id);
    }
  }

  /** Nothing begins meanwhile that is to be paused or cancelled too; what is to begin does so in turn. */
  async function actOn(ids: readonly string[], action: JobAction): Promise<readonly string[]> {
    const inTurn = ids
      .flatMap((id) => jobs.get(id) ?? [])
      .filter((job) => actionsOf(job).includes(action))
      .sort((a, b) => byTurn(turnOf(a), turnOf(b)));
    if (action === 'remove') remove(inTurn);
    else {
      for (const job of endsWork.has(action) ? inTurn.reverse() : inTurn) {
        if (actionsOf(job).includes(action)) await perform(job, action);
        // Each is a transaction: several hundred in one go would hold up the main thread.
        await setImmediate();
      }
    }
    return inTurn.map(({ id }) => id);
  }

  return {
    start: () => {
      for (const job of jobs.values()) {
        if (isEnded(job.state)) runner.tidy(job);
        else if (isTakenUp(job.state)) job.apply({ kind: 'taken-up' });
      }
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
    list: () => newestFirst([...jobs.values()]).map(snapshot),
    listWithRemoved: () => newestFirst([...jobs.values(), ...held.jobs()]).map(snapshot),
    get: (id) => {
      const job = jobs.get(id);
      return job && snapshot(job);
    },
    wanted: (id) => {
      const job = jobs.get(id);
      if (!job) throw new TileliftError('job-unknown');
      return job.record;
    },
    files: (id) => journal.fileProgress(id, listedFiles),
    sentFiles: (id) => (jobs.has(id) ? sentFiles(journal, id) : []),
    history: (id) => historyOf(jobs.get(id)?.events ?? []),
    act: async (id, action) => {
      const job = jobs.get(id);
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
      for (const job of back) {
        jobs.set(job.id, job);
        tell(job.id);
      }
      return back.map(({ id }) => id);
    },
    madeOf: journal.madeOf,
    madeAssets: journal.madeAssets,
    wake: (accountId) => {
      for (const job of jobs.values()) if (job.record.accountId === accountId && job.waiting) job.wake();
      runner.pump();
    },
    onChange: listeners.add,
  };
}

function newestFirst(jobs: LiveJob[]): LiveJob[] {
  return jobs.reverse().sort((a, b) => b.record.createdAt - a.record.createdAt);
}

/** What ends the work of a job, for now or for good. */
const endsWork: ReadonlySet<JobAction> = new Set(['pause', 'cancel']);

/** A person wants what is there now, where a watch rule wanted what it had seen. */
function startedAgain({ record: { exactly, ...job }, state }: LiveJob): NewJob {
  const was = runningPart(state);
  const found = 'scan' in was && was.scan ? { files: was.scan.files, bytes: was.scan.bytes } : job.expected;
  return { ...job, ...(exactly ? { exactly: asItIs(exactly) } : {}), ...(found ? { expected: found } : {}) };
}

function* sentFiles(journal: Journal, jobId: string): Iterable<SentFile> {
  let page = journal.sentFiles(jobId);
  while (page.length > 0) {
    yield* page;
    page = journal.sentFiles(jobId, page.at(-1)?.id);
  }
}

/** It had begun, and continues without confirmation. */
function isTakenUp(state: JobState): boolean {
  return isRunning(state) && state.kind !== 'queued' && !awaitsConfirmation(state);
}

function assetIdsOf(job: LiveJob): number[] {
  const was = runningPart(job.state);
  const own = 'asset' in was ? [was.asset.id] : [];
  const orphans = job.events.flatMap((event) => (event.kind === 'orphan-left' ? [event.assetId] : []));
  return [...own, ...orphans];
}

/**
 * What contract 2.2 asks of a creation body, before anything is scanned or sent.
 *
 * @throws TileliftError `source-missing`, `asset-name-empty`, `asset-type-unknown`, `source-type-empty`,
 *   `source-type-mismatch`
 */
function checkNewJob({ paths, body }: NewJob): void {
  if (paths.length === 0)
    throw new TileliftError('source-missing', { subject: { key: 'general.givenPlace' } });
  if (body.name.trim() === '') throw new TileliftError('asset-name-empty');
  if (!assetTypes.includes(body.type))
    throw new TileliftError('asset-type-unknown', { subject: String(body.type) });
  const { sourceType } = body.options;
  if (sourceType.trim() === '') throw new TileliftError('source-type-empty');
  if (!fitsAssetType(sourceType, body.type)) {
    throw new TileliftError('source-type-mismatch', { subject: body.type });
  }
}
