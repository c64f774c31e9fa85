import { byTurn } from '../../../shared/queue.ts';
import { TileliftError, toErrorRecord, toTileliftError } from '../../errors.ts';
import { doubledMs } from '../../service/backoff.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import { needsSignIn } from '../needs-sign-in.ts';
import { awaitsConfirmation, isOver, isRunning, type JobState, needsTurn } from '../state.ts';
import { completeStep } from '../steps/complete-step.ts';
import { createStep } from '../steps/create-step.ts';
import type { JobCollaborators, StepSignals } from '../steps/job-collaborators.ts';
import type { Happening, LiveJob } from '../steps/live-job.ts';
import { tileStep } from '../steps/tile-step.ts';
import { uploadStep } from '../steps/upload-step.ts';
import { FolderLooks } from '../waits/folder-looks.ts';
import { holdBack } from '../waits/sign-in-waits.ts';
import { judgeSource } from '../waits/source-away.ts';
import { SourceWaits } from '../waits/source-waits.ts';
import { TerrainWaits } from '../waits/terrain-waits.ts';

interface JobRunnerOptions {
  readonly jobs: ReadonlyMap<string, LiveJob>;
  readonly collaborators: JobCollaborators;
  /** Jobs that send at the same time. */
  readonly maxSending: number;
}

/** How long `stop` waits for the answer to a request that creates an asset. */
const stopPatienceMs = 3_000;
/**
 * After this, a job that could not write its journal tries again, ms: someone may have made room. Each try
 * may scan the source again, so the interval doubles.
 */
const journalRetry = { firstMs: 15_000, maxMs: waitLimits.fullJournal };

interface Run {
  readonly ending: AbortController;
  readonly done: Promise<void>;
}

/** Drives jobs: those that send wait for their turn, the others run side by side. */
export class JobRunner {
  readonly #jobs: ReadonlyMap<string, LiveJob>;
  readonly #with: JobCollaborators;
  readonly #maxSending: number;
  readonly #runs = new Map<string, Run>();
  readonly #sending = new Set<string>();
  /** How often in a row each job could not write its journal. */
  readonly #journalTries = new Map<string, number>();
  readonly #last = new AbortController();
  readonly #looks = new FolderLooks();
  readonly #waits: SourceWaits;
  readonly #terrains: TerrainWaits;
  #started = false;

  constructor({ jobs, collaborators, maxSending }: JobRunnerOptions) {
    this.#jobs = jobs;
    this.#with = collaborators;
    this.#maxSending = maxSending;
    this.#terrains = new TerrainWaits(collaborators);
    this.#waits = new SourceWaits({
      looks: this.#looks,
      clock: collaborators.clock,
      onBack: () => this.pump(),
      onExpired: (job) => {
        job.apply(expired(job, new TileliftError('credentials-expired')));
        this.tidy(job);
      },
      onTrouble: (job, thrown) => this.#halt(job, thrown),
    });
  }

  start(): void {
    this.#started = true;
    this.pump();
  }

  /** Starts whatever may run and does not. */
  pump(): void {
    if (!this.#started) return;
    const idle = [...this.#jobs.values()].filter(
      (job) => mayGoOn(job.state) && !job.waiting && !this.#runs.has(job.id),
    );
    holdBack(idle, [...this.#jobs.values()], this.#with);
    const ready = idle.filter((job) => !job.heldBack);
    for (const job of ready.sort((a, b) => byTurn(turnOf(a), turnOf(b)))) {
      if (this.#terrains.mustAsk(job)) this.#run(job, ({ signal }) => this.#askForTerrain(job, signal));
      else if (!needsTurn(job.state)) this.#run(job, (signals) => this.#drive(job, signals));
      else if (this.#sending.size < this.#maxSending) {
        this.#sending.add(job.id);
        this.#run(job, (signals) => this.#drive(job, signals));
      }
    }
  }

  /** It is its turn: it may send. */
  hasTurn(id: string): boolean {
    return this.#sending.has(id);
  }

  /** It still does something, if only to give back what it held. */
  isBusy(id: string): boolean {
    return this.#runs.has(id);
  }

  /** Ends what the job is doing; the state has been set before. */
  interrupt(job: LiveJob): void {
    this.#waits.end(job);
    const run = this.#runs.get(job.id);
    if (run) run.ending.abort();
    else this.tidy(job);
    this.pump();
  }

  /** In the background: an ended job gives back what it held. */
  tidy(job: LiveJob): void {
    if (!this.#runs.has(job.id) && isOver(job.state) && this.#with.grants.get(job.id)) {
      this.#run(job, async () => this.#with.owed.release(job.id));
    }
  }

  /** Ends all work. State and journal stay as they are, so that the next start continues. */
  async stop(): Promise<void> {
    this.#started = false;
    this.#waits.stop();
    const runs = [...this.#runs.values()];
    for (const run of runs) run.ending.abort();
    const quiet = Promise.all(runs.map((run) => run.done));
    const patience = new AbortController();
    const late = this.#with.clock.sleep(stopPatienceMs, patience.signal).catch(() => {});
    await Promise.race([quiet, late]);
    patience.abort();
    this.#last.abort();
    await quiet;
  }

  #run(job: LiveJob, work: (signals: StepSignals) => Promise<void>): void {
    const ending = new AbortController();
    const signals = { signal: ending.signal, lastSignal: this.#last.signal };
    const done = this.#guarded(job, () => work(signals)).then(() => {
      this.#runs.delete(job.id);
      this.#sending.delete(job.id);
      this.pump();
    });
    this.#runs.set(job.id, { ending, done });
  }

  async #drive(job: LiveJob, signals: StepSignals): Promise<void> {
    try {
      while (!signals.signal.aborted && mayGoOn(job.state)) {
        await this.#step(job, signals);
        if (!needsTurn(job.state) && this.#sending.delete(job.id)) this.pump();
      }
    } catch (thrown) {
      if (!signals.signal.aborted && !(await this.#outlasts(job, thrown, signals))) this.#end(job, thrown);
    }
    if (isOver(job.state)) this.#with.owed.release(job.id);
  }

  /** It has no turn meanwhile: others pass it. */
  async #askForTerrain(job: LiveJob, signal: AbortSignal): Promise<void> {
    try {
      await this.#terrains.wait(job, signal);
    } catch (thrown) {
      if (!signal.aborted) this.#end(job, thrown);
    }
  }

  async #step(job: LiveJob, signals: StepSignals): Promise<void> {
    const { state } = job;
    switch (state.kind) {
      case 'queued':
        return job.apply({ kind: 'started' });
      case 'creating':
        return createStep(job, this.#with, signals);
      case 'uploading':
        await uploadStep(job, state, this.#with, signals);
        return this.#with.owed.release(job.id);
      case 'completing':
        return completeStep(job, state, this.#with, signals);
      case 'tiling':
        return tileStep(job, state, this.#with, signals);
    }
  }

  #end(job: LiveJob, thrown: unknown): void {
    const error = toTileliftError(thrown);
    this.#with.log.warn({ jobId: job.id, state: job.state.kind, error }, 'a step did not succeed');
    if (isJournalTrouble(error)) throw error;
    const record = toErrorRecord(error);
    if (needsSignIn(error)) job.wait(error);
    else if (error.code !== 'credentials-expired') job.apply({ kind: 'failed', error: record });
    else job.apply(expired(job, error));
  }

  /**
   * True: what went wrong is that the source's drive is away, or was for a moment. The job then waits for it,
   * or continues at the next turn.
   */
  async #outlasts(job: LiveJob, thrown: unknown, { signal }: StepSignals): Promise<boolean> {
    const { state } = job;
    if (state.kind !== 'uploading') return false;
    const error = toTileliftError(thrown);
    const found = { journal: this.#with.journal, looks: this.#looks };
    try {
      const verdict = await judgeSource(error, job.record, found, signal);
      if (verdict.kind === 'itself') return false;
      if (verdict.kind === 'back') return this.#waits.mayGoOn(job, verdict.times);
      this.#with.log.warn({ jobId: job.id, error }, 'the source of a job is away');
      this.#waits.begin(job, verdict, state.asset.credentialsEndAt);
      return true;
    } catch (failed) {
      if (signal.aborted) return true;
      throw failed;
    }
  }

  /** Without a journal nothing can be done for a job but to show that, and to look again later. */
  async #guarded(job: LiveJob, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#journalTries.delete(job.id);
    } catch (thrown) {
      this.#halt(job, thrown);
    }
  }

  #halt(job: LiveJob, thrown: unknown): void {
    const error = toTileliftError(thrown);
    this.#with.log.error({ jobId: job.id, error }, 'a job can’t go on');
    if (!isJournalTrouble(error)) {
      job.halt(error);
      return;
    }
    const tries = (this.#journalTries.get(job.id) ?? 0) + 1;
    this.#journalTries.set(job.id, tries);
    const pause = doubledMs(tries, journalRetry);
    job.halt(error, pause);
    job.pauses.sleep(pause, this.#last.signal).then(
      () => {
        job.retry();
        this.pump();
      },
      () => {},
    );
  }
}

function expired({ progress }: LiveJob, error: TileliftError): Happening {
  return { kind: 'expired', error: toErrorRecord(error), bytesDone: progress.acknowledged };
}

function isJournalTrouble({ code }: TileliftError): boolean {
  return code === 'journal-full' || code === 'journal-unusable';
}

function mayGoOn(state: JobState): boolean {
  return isRunning(state) && !awaitsConfirmation(state);
}

/** What decides whose turn it is. */
export const turnOf = ({ state, place }: LiveJob) => ({ status: state.kind, place });
