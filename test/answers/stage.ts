import { type ErrorRecord, type TileliftError, toTileliftError } from '../../main/errors.ts';
import type { JobSnapshot } from '../../main/jobs/model.ts';
import type { JobAction, JobStatus } from '../../shared/job-status.ts';
import { carriedBy } from '../../tools/chaos/resent.ts';
import { saidLines } from '../said.ts';
import type { Control, FaultAction, FaultMatch, RecordedRequest } from '../service/model.ts';
import type { AnswersHouse } from './answers-house.ts';
import { type ForeignAnswer, foreignMark } from './foreign-answers.ts';
import { ofOneJob, type Place } from './requests.ts';
import type { SourceFile, Sources } from './sources.ts';

/** A wrong consequence of a foreign response, by kind. A good case has none. */
export interface Finding {
  readonly kind:
    | 'nothing was met'
    | 'job ended'
    | 'job stuck'
    | 'signed out'
    | 'asset doubled'
    | 'upload thrown away'
    | 'confirmed part sent again'
    | 'bytes differ'
    | 'parts left behind'
    | 'call failed for good'
    | 'not told'
    | 'told in the words of a refusal';
  readonly words: string;
}

/** Number of foreign responses: more than any limit of tries that uploads have had. */
const defaultTimes = 11;
const patienceMs = 20_000;

/** Codes of decisions by service or storage. */
const refusals: ReadonlySet<string> = new Set([
  'request-refused',
  'request-too-large',
  'asset-not-found',
  'not-signed-in',
  'invalid-credentials',
  'scope-missing',
  'registration-failed',
  'client-unknown',
  'access-token-refused',
  'sign-in-denied',
  'sign-in-failed',
  'storage-denied',
  'storage-elsewhere',
  'storage-mismatch',
  'credentials-expired',
]);

/** Codes with which the service itself refuses a repeated completion or an expired access token. */
const ownCodes: ReadonlySet<string | undefined> = new Set(['InvalidState', 'InvalidCredentials']);

/** Whether an error claims a refusal by service or storage that never happened. */
export function refusalIn({
  code,
  retryable,
  remote,
}: Pick<ErrorRecord, 'code' | 'retryable' | 'remote'>): boolean {
  return (refusals.has(code) || !retryable) && !ownCodes.has(remote?.code);
}

interface StartOptions {
  readonly large?: boolean;
  /** Called once per state of the job, before its next request. */
  readonly on?: Partial<Record<JobStatus, (place: Place) => void>>;
}

/** Plays one foreign response in one situation and collects problems. */
export class Stage {
  readonly house: AnswersHouse;
  readonly findings: Finding[] = [];
  readonly #answer: ForeignAnswer | null;
  readonly #sources: Sources;
  readonly #name: string;
  readonly #notified = new Set<string>();
  #times = 0;
  #jobId = '';
  #large = false;

  /** @param answer null if the case has its own */
  constructor(house: AnswersHouse, answer: ForeignAnswer | null, sources: Sources, name: string) {
    this.house = house;
    this.#answer = answer;
    this.#sources = sources;
    this.#name = name;
  }

  get control(): Control {
    return this.house.service.control;
  }

  /** A success without a page, which could be the service's own if the contract shows no body. */
  get looksLikeSuccess(): boolean {
    const action = this.#answer?.action;
    return action?.kind === 'status' && action.status < 300 && !action.body?.startsWith('<');
  }

  get takesTheWholeRoom(): boolean {
    return this.#answer?.action.kind === 'impostor';
  }

  /** Sends the foreign response to the next matching requests. */
  arm(match: FaultMatch, times = defaultTimes): void {
    if (!this.#answer) throw new Error('there is no foreign answer in this case');
    const { action } = this.#answer;
    this.#times += 1;
    const name = foreignMark + this.#name;
    if (action.kind !== 'impostor') this.control.addFault({ name, match: { ...match, times }, action });
    else {
      // It counts connections itself and takes effect before any further request.
      const connections = Math.min(times, action.connections);
      this.control.addFault({ name, match: { ...match, times: 1 }, action: { ...action, connections } });
    }
  }

  fault(match: FaultMatch, action: FaultAction): void {
    this.control.addFault({ name: this.#name, match, action });
  }

  find(kind: Finding['kind'], words: string): void {
    this.findings.push({ kind, words });
  }

  start({ large = false, on = {} }: StartOptions): void {
    const { jobs, accountId } = this.house;
    this.#large = large;
    const statuses = new Set<JobStatus>();
    jobs.onChange((id) => {
      const job = jobs.get(id);
      if (!job || job.name !== this.#name) return;
      if (job.error) this.#tell(job.error);
      if (statuses.has(job.status)) return;
      statuses.add(job.status);
      on[job.status]?.({ assetId: job.assetId ?? 0 });
    });
    this.#jobId = jobs.add({
      accountId,
      paths: [large ? this.#sources.large : this.#sources.small],
      body: { name: this.#name, type: '3DTILES', options: { sourceType: 'CITYGML' } },
      acceptForecast: true,
    });
  }

  get job(): JobSnapshot | undefined {
    return this.house.jobs.get(this.#jobId);
  }

  act(action: JobAction): Promise<void> {
    return this.house.jobs.act(this.#jobId, action);
  }

  /** Waits for a state of the job. Throws if the job ends first or time runs out. */
  async until(description: string, fits: (job: JobSnapshot) => boolean): Promise<JobSnapshot> {
    const { jobs } = this.house;
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        clearTimeout(limit);
        stop();
        end();
      };
      const fail = (finding: Finding) => finish(() => reject(new Failed(finding)));
      const checkState = () => {
        const job = jobs.get(this.#jobId);
        if (!job) return;
        if (fits(job)) finish(() => resolve(job));
        else if (job.endedAt !== null)
          fail({ kind: 'job ended', words: `${job.status}: ${job.error?.code}, waiting for ${description}` });
      };
      const limit = setTimeout(() => {
        const job = jobs.get(this.#jobId);
        fail({
          kind: 'job stuck',
          words: `${job?.status} (${job?.error?.code ?? 'no error'}), waiting for ${description}`,
        });
      }, patienceMs);
      const stop = jobs.onChange((id) => id === this.#jobId && checkState());
      checkState();
    });
  }

  /** Waits until a fault other than the foreign response has hit a request of this case. */
  async metFault(): Promise<void> {
    await eventually(() => this.#requests().some(({ faultName }) => faultName === this.#name));
  }

  async hasNoOpenUploads(): Promise<boolean> {
    const prefix = `sources/${this.house.jobs.get(this.#jobId)?.assetId}/`;
    return eventually(() => !this.control.openUploads().some(({ key }) => key.startsWith(prefix)));
  }

  /**
   * Expects that the job ends COMPLETE with every byte and without duplicate requests.
   *
   * @param options `orphans`: assets that may be left behind if that is reported; `maySilently`: no problem
   * must be shown
   */
  async complete({ orphans = 0, maySilently = false } = {}): Promise<void> {
    const job = await this.until('its end', ({ status }) => status === 'complete');
    await this.#compare(job);
    const otherAssets = this.control
      .assets()
      .filter(({ name, id }) => name === this.#name && id !== job.assetId);
    const declaredOrphans = otherAssets.filter(
      ({ id, status }) => status === 'AWAITING_FILES' && this.#isDeclared(id),
    );
    if (otherAssets.length > declaredOrphans.length || declaredOrphans.length > orphans)
      this.find(
        'asset doubled',
        `${otherAssets.length} besides its own, of which ${declaredOrphans.length} are declared`,
      );
    this.#compareSent(`/sources/${job.assetId}/`);
    if (this.#notified.size === 0 && !maySilently) this.find('not told', 'no trouble was shown');
  }

  /** Call it last: collects all unexpected effects of the case. */
  check(): void {
    if (!this.#requests().some(({ faultName }) => faultName === foreignMark + this.#name))
      this.find('nothing was met', `${this.#times} faults waited`);
    for (const words of this.#notified)
      if (words.startsWith('!')) this.find('told in the words of a refusal', words.slice(1));
    const state = this.house.account.state();
    if (state.kind !== 'signed-in') this.find('signed out', state.kind);
  }

  #tell(error: ErrorRecord): void {
    this.#notified.add(`${refusalIn(error) ? '!' : ''}${error.code}`);
  }

  #requests(): readonly RecordedRequest[] {
    return this.control.requests();
  }

  #isDeclared(assetId: unknown): boolean {
    const history = saidLines(this.house.jobs.history(this.#jobId));
    return history.some(({ text }) => text.startsWith(`Asset ${String(assetId)} was left behind`));
  }

  async #compare({ assetId }: JobSnapshot): Promise<void> {
    const prefix = `sources/${assetId}/`;
    const objects = await this.control.objects(prefix);
    const storedFiles = objects.map(
      ({ key, size, etag }): SourceFile => ({ key: key.slice(prefix.length), size, etag }),
    );
    const sourceFiles = this.#large ? this.#sources.largeFiles : this.#sources.smallFiles;
    if (JSON.stringify(storedFiles) !== JSON.stringify(sourceFiles))
      this.find('bytes differ', `on storage is ${JSON.stringify(storedFiles)}`);
  }

  #compareSent(path: string): void {
    const acceptedRequests = this.#requests().filter(
      (request) => request.path.includes(path) && request.status === 200 && request.fault === null,
    );
    const begunUploads = acceptedRequests.filter(
      ({ method, path }) => method === 'POST' && /[?&]uploads/.test(path),
    ).length;
    if (begunUploads > 1) this.find('upload thrown away', `${begunUploads} uploads were begun`);
    const parts = acceptedRequests
      .filter(({ method }) => method === 'PUT')
      .map((request) => carriedBy(request.path));
    for (const part of new Set(parts)) {
      const times = parts.filter((number) => number === part).length;
      if (times > 1) this.find('confirmed part sent again', `${part}: ${times} times`);
    }
  }
}

/** Ends a case that can't continue. */
export class Failed extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.words);
    this.finding = finding;
  }
}

/** Returns false after a timeout. */
export async function eventually(isMatch: () => boolean): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (!isMatch()) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}

/** Starts a job and waits until its first part is confirmed; the second one is held in flight. */
export async function uploadHalf(stage: Stage): Promise<Place> {
  let currentPlace: Place | null = null;
  stage.start({
    large: true,
    on: {
      uploading: (place) => {
        currentPlace = place;
        stage.fault(ofOneJob.UploadPart(place), { kind: 'stall' });
      },
    },
  });
  await stage.until('its first part', ({ partsDone }) => partsDone === 1);
  await stage.metFault();
  if (!currentPlace) throw new Error('the job sent a part before it was uploading');
  return currentPlace;
}

/** The call's error, or null. */
export async function errorOf(call: () => Promise<unknown>): Promise<TileliftError | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return toTileliftError(error);
  }
}
