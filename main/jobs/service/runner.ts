import { byTurn } from '../../../shared/queue.ts';
import { isJournalTrouble, TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { doubledMs } from '../../service/backoff.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import { needsSignIn } from '../needs-sign-in.ts';
import { awaitsConfirmation, isFinal, isRunning, type JobState, needsTurn } from '../state.ts';
import { completeStep } from '../steps/complete-step.ts';
import { createStep } from '../steps/create-step.ts';
import type { JobCollaborators, StepSignals } from '../steps/job-collaborators.ts';
import type { EventData, LiveJob } from '../steps/live-job.ts';
import { tileStep } from '../steps/tile-step.ts';
import { uploadStep } from '../steps/upload-step.ts';
import { FolderChecks } from '../waits/folder-checks.ts';
import { holdBack } from '../waits/sign-in-waits.ts';
import { judgeSource } from '../waits/source-away.ts';
import { SourceWaits } from '../waits/source-waits.ts';
import { TerrainWaits } from '../waits/terrain-waits.ts';

interface JobRunnerOptions {
  readonly jobs: ReadonlyMap<string, LiveJob>;
  readonly collaborators: JobCollaborators;
  readonly maxSending: number;
}

/** A creation's response is worth a short wait. */
const stopPatienceMs = 3_000;
/** Space may be freed. Each try may rescan the source. */
const journalRetry = { firstMs: 15_000, maxMs: waitLimits.fullJournal };

interface Run {
  readonly stopController: AbortController;
  readonly finished: Promise<void>;
}

/** Jobs that send take turns, the others run in parallel. */
export class JobRunner {
  readonly #jobs: ReadonlyMap<string, LiveJob>;
  readonly #deps: JobCollaborators;
  readonly #maxSending: number;
  readonly #runs = new Map<string, Run>();
  readonly #sending = new Set<string>();
  /** Consecutive failures. */
  readonly #journalTries = new Map<string, number>();
  readonly #finalStop = new AbortController();
  readonly #folderChecks = new FolderChecks();
  readonly #sourceWaits: SourceWaits;
  readonly #terrains: TerrainWaits;
  #isStarted = false;

  constructor({ jobs, collaborators, maxSending }: JobRunnerOptions) {
    this.#jobs = jobs;
    this.#deps = collaborators;
    this.#maxSending = maxSending;
    this.#terrains = new TerrainWaits(collaborators);
    this.#sourceWaits = new SourceWaits({
      checks: this.#folderChecks,
      clock: collaborators.clock,
      onBack: () => this.startReady(),
      onExpired: (job) => {
        job.apply(expiryEvent(job, new TileliftError('credentials-expired')));
        this.releaseEnded(job);
      },
      onTrouble: (job, error) => this.#halt(job, error),
    });
  }

  start(): void {
    this.#isStarted = true;
    this.startReady();
  }

  startReady(): void {
    if (!this.#isStarted) return;
    const idleJobs = [...this.#jobs.values()].filter(
      (job) => mayContinue(job.state) && !job.isWaiting && !this.#runs.has(job.id),
    );
    holdBack(idleJobs, [...this.#jobs.values()], this.#deps);
    const readyJobs = idleJobs.filter((job) => !job.heldBack);
    for (const job of readyJobs.sort((a, b) => byTurn(turnOf(a), turnOf(b)))) {
      if (this.#terrains.mustAsk(job)) this.#run(job, ({ signal }) => this.#askForTerrain(job, signal));
      else if (!needsTurn(job.state)) this.#run(job, (signals) => this.#runSteps(job, signals));
      else if (this.#sending.size < this.#maxSending) {
        this.#sending.add(job.id);
        this.#run(job, (signals) => this.#runSteps(job, signals));
      }
    }
  }

  hasTurn(id: string): boolean {
    return this.#sending.has(id);
  }

  /** Includes cleaning up. */
  isBusy(id: string): boolean {
    return this.#runs.has(id);
  }

  /** The job's state is set already. */
  interrupt(job: LiveJob): void {
    this.#sourceWaits.end(job);
    const run = this.#runs.get(job.id);
    if (run) run.stopController.abort();
    else this.releaseEnded(job);
    this.startReady();
  }

  releaseEnded(job: LiveJob): void {
    if (!this.#runs.has(job.id) && isFinal(job.state) && this.#deps.grants.get(job.id)) {
      this.#run(job, async () => this.#deps.pendingAborts.release(job.id));
    }
  }

  /** State and journal stay, so the next start continues. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#sourceWaits.stop();
    const runs = [...this.#runs.values()];
    for (const run of runs) run.stopController.abort();
    const allFinished = Promise.all(runs.map((run) => run.finished));
    const patience = new AbortController();
    const patienceEnded = this.#deps.clock.sleep(stopPatienceMs, patience.signal).catch(() => {});
    await Promise.race([allFinished, patienceEnded]);
    patience.abort();
    this.#finalStop.abort();
    await allFinished;
  }

  #run(job: LiveJob, work: (signals: StepSignals) => Promise<void>): void {
    const stopController = new AbortController();
    const signals = { signal: stopController.signal, lastSignal: this.#finalStop.signal };
    const finished = this.#runGuarded(job, () => work(signals)).then(() => {
      this.#runs.delete(job.id);
      this.#sending.delete(job.id);
      this.startReady();
    });
    this.#runs.set(job.id, { stopController, finished });
  }

  async #runSteps(job: LiveJob, signals: StepSignals): Promise<void> {
    try {
      while (!signals.signal.aborted && mayContinue(job.state)) {
        await this.#step(job, signals);
        if (!needsTurn(job.state) && this.#sending.delete(job.id)) this.startReady();
      }
    } catch (error) {
      if (!signals.signal.aborted && !(await this.#waitsForSource(job, error, signals)))
        this.#end(job, error);
    }
    if (isFinal(job.state)) this.#deps.pendingAborts.release(job.id);
  }

  /** The job holds no turn, so others pass it. */
  async #askForTerrain(job: LiveJob, signal: AbortSignal): Promise<void> {
    try {
      await this.#terrains.wait(job, signal);
    } catch (error) {
      if (!signal.aborted) this.#end(job, error);
    }
  }

  async #step(job: LiveJob, signals: StepSignals): Promise<void> {
    const { state } = job;
    switch (state.kind) {
      case 'queued':
        return job.apply({ kind: 'started' });
      case 'creating':
        return createStep(job, this.#deps, signals);
      case 'uploading':
        await uploadStep(job, state, this.#deps, signals);
        return this.#deps.pendingAborts.release(job.id);
      case 'completing':
        return completeStep(job, state, this.#deps, signals);
      case 'tiling':
        return tileStep(job, state, this.#deps, signals);
    }
  }

  #end(job: LiveJob, cause: unknown): void {
    const error = toTileliftError(cause);
    this.#deps.log.warn({ jobId: job.id, state: job.state.kind, error }, 'a step did not succeed');
    if (isJournalTrouble(error)) throw error;
    const record = toErrorRecord(error);
    if (needsSignIn(error)) job.wait(error);
    else if (error.code !== 'credentials-expired') job.apply({ kind: 'failed', error: record });
    else job.apply(expiryEvent(job, error));
  }

  /** False unless the source's drive is or was absent: then the job waits or continues. */
  async #waitsForSource(job: LiveJob, cause: unknown, { signal }: StepSignals): Promise<boolean> {
    const { state } = job;
    if (state.kind !== 'uploading') return false;
    const error = toTileliftError(cause);
    const context = { journal: this.#deps.journal, folderChecks: this.#folderChecks };
    try {
      const verdict = await judgeSource(error, job.record, context, signal);
      if (verdict.kind === 'itself') return false;
      if (verdict.kind === 'back') return this.#sourceWaits.mayRetry(job, verdict.times);
      this.#deps.log.warn({ jobId: job.id, error }, 'the source of a job is away');
      this.#sourceWaits.beginWait(job, verdict, state.asset.credentialsEndAt);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      throw error;
    }
  }

  /** Without a journal the job can only show the error and retry later. */
  async #runGuarded(job: LiveJob, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#journalTries.delete(job.id);
    } catch (error) {
      this.#halt(job, error);
    }
  }

  #halt(job: LiveJob, cause: unknown): void {
    const error = toTileliftError(cause);
    this.#deps.log.error({ jobId: job.id, error }, 'a job can’t go on');
    if (!isJournalTrouble(error)) {
      job.halt(error);
      return;
    }
    const attempts = (this.#journalTries.get(job.id) ?? 0) + 1;
    this.#journalTries.set(job.id, attempts);
    const pause = doubledMs(attempts, journalRetry);
    job.halt(error, pause);
    job.pauses.sleep(pause, this.#finalStop.signal).then(
      () => {
        job.retry();
        this.startReady();
      },
      () => {},
    );
  }
}

function expiryEvent({ progress }: LiveJob, error: TileliftError): EventData {
  return { kind: 'expired', error: toErrorRecord(error), bytesDone: progress.acknowledged };
}

function mayContinue(state: JobState): boolean {
  return isRunning(state) && !awaitsConfirmation(state);
}

/** The queue's sort key. */
export const turnOf = ({ state, place }: LiveJob) => ({ status: state.kind, place });
