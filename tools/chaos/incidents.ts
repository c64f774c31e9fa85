import type { JobStatus } from '../../shared/job-status.ts';
import type { Control, FaultAction, FaultMatch } from '../../test/service/model.ts';
import type { JobLine } from './engine.ts';
import type { Chance } from './random.ts';

/** A state and progress of a job, plus a delay. */
interface IncidentMoment {
  readonly phase: Phase;
  readonly uploadedShare: number;
  readonly delayMs: number;
}

/** A kill or a fault at a certain moment. */
export interface Incident {
  readonly moment: IncidentMoment;
  /** Chosen by the job's actual state at that moment. */
  readonly strike: 'kill' | ((status: JobStatus) => Trouble);
}

/** A fault of the service or of storage. */
export interface Trouble {
  readonly name: string;
  /** Causes it. Reports its own losses (parts lost in storage) to `damage`. */
  readonly bring: (control: Control, damage: Damage) => Promise<void>;
}

interface Damage {
  partLost(key: string, number: number): void;
  connectionsDropped(): void;
}

const phases = ['creating', 'uploading', 'completing', 'tiling'] as const;
type Phase = (typeof phases)[number];

/** Whether the job has reached or passed the moment. */
export function hasCome(moment: IncidentMoment, job: JobLine): boolean {
  if (job.status === 'queued') return false;
  const currentPlace = place(job.status);
  const plannedPlace = place(moment.phase);
  if (currentPlace !== plannedPlace) return currentPlace > plannedPlace || currentPlace < 0;
  return moment.phase !== 'uploading' || job.bytesDone >= moment.uploadedShare * (job.bytesTotal ?? 0);
}

/** Returns -1 for paused and ended jobs. */
function place(status: JobStatus): number {
  const names: readonly JobStatus[] = phases;
  return names.indexOf(status);
}

/** Targets of faults other than kills; storage faults require our own storage. */
export type FaultReach = 'service and storage' | 'service' | 'nothing';

/** Incidents for one job, in the order of their moments. More than half are kills. */
export function planIncidents(count: number, chance: Chance, faultReach: FaultReach): readonly Incident[] {
  return Array.from({ length: count }, () => oneIncident(chance, faultReach)).sort(
    (a, b) => order(a.moment) - order(b.moment),
  );
}

function order({ phase, uploadedShare }: IncidentMoment): number {
  return place(phase) + uploadedShare;
}

function oneIncident(chance: Chance, faultReach: FaultReach): Incident {
  const phase = chance.pickWeighted<Phase>([
    [3, 'creating'],
    [12, 'uploading'],
    [2, 'completing'],
    [3, 'tiling'],
  ]);
  const moment = {
    phase,
    uploadedShare: phase === 'uploading' ? chance.next() * 0.98 : 0,
    delayMs: chance.between(0, phase === 'tiling' ? 800 : 60),
  };
  const trouble = (status: JobStatus) => chance.pick(troublesOf(status, faultReach))(chance);
  return { moment, strike: chance.next() < 0.6 || faultReach === 'nothing' ? 'kill' : trouble };
}

type MakeTrouble = (chance: Chance) => Trouble;

/** Faults for the next state's requests must exist before it; the next job is created during tiling. */
function troublesOf(status: JobStatus, faultReach: FaultReach): readonly MakeTrouble[] {
  if (faultReach !== 'service and storage') return status === 'creating' ? atCreation : afterCreation;
  if (status === 'creating') return beforeUploading;
  if (status === 'uploading') return [...whileUploading, ...afterUploading];
  return [...afterUploading, ...beforeUploading];
}

const fault =
  (name: string, match: FaultMatch, action: (chance: Chance) => FaultAction): MakeTrouble =>
  (chance) => {
    const chosenAction = action(chance);
    return { name, bring: async (control) => void control.addFault({ match, action: chosenAction }) };
  };
const status =
  (code: number, body = '', headers: Readonly<Record<string, string>> = {}) =>
  () =>
    ({ kind: 'status', status: code, body, headers }) as const;
const s3 = (code: string) => `<Error><Code>${code}</Code><Message></Message></Error>`;
const lostAnswer = () => ({ kind: 'cut-answer', afterBytes: 0 }) as const;

const putMatch = { room: 'storage', method: 'PUT' } as const;
const create = { room: 'api', method: 'POST', path: '^/v1/assets$' } as const;
const beginMatch = { room: 'storage', method: 'POST', path: '[?&]uploads' } as const;
const finish = { room: 'storage', method: 'POST', path: 'uploadId=' } as const;

const atCreation: readonly MakeTrouble[] = [
  fault('answer to create lost', create, lostAnswer),
  fault('create: 503', { ...create, times: 2 }, status(503)),
];

const beforeUploading: readonly MakeTrouble[] = [
  ...atCreation,
  fault('answer to CreateMultipartUpload lost', beginMatch, lostAnswer),
];

const whileUploading: readonly MakeTrouble[] = [
  fault('reset in a body', putMatch, (chance) => ({
    kind: 'cut-request',
    afterBytes: chance.between(0, 8 << 20),
  })),
  fault('answer to a part lost', { ...putMatch, times: 3 }, lostAnswer),
  fault('SlowDown', { ...putMatch, times: 5 }, status(503, s3('SlowDown'))),
  fault('429 with Retry-After', putMatch, status(429, '', { 'Retry-After': '1' })),
  fault('500', { ...putMatch, times: 3 }, status(500)),
  fault('byte garbled', putMatch, (chance) => ({
    kind: 'corrupt-request',
    atByte: chance.between(0, 1 << 20),
  })),
  fault('stalled', putMatch, () => ({ kind: 'stall' })),
  fault('slow line', { ...putMatch, times: 4 }, () => ({ kind: 'throttle', bytesPerSecond: 8 << 20 })),
  () => ({ name: 'part lost on storage', bring: losePart }),
  () => ({ name: 'storage gone for a second', bring: closeForASecond }),
  (chance) => {
    const ms = chance.pick([20, -20]) * 60_000;
    return { name: 'clock 20 minutes off', bring: async (control) => control.skewClock(ms) };
  },
];

const afterCreation: readonly MakeTrouble[] = [
  fault('answer to uploadComplete lost', { room: 'api', path: 'uploadComplete' }, lostAnswer),
  fault('status: 503', { room: 'api', method: 'GET', path: '^/v1/assets/', times: 3 }, status(503)),
  () => ({ name: 'access tokens ended', bring: async (control) => control.expireAccessTokens() }),
];

const afterUploading: readonly MakeTrouble[] = [
  fault('answer to CompleteMultipartUpload lost', finish, lostAnswer),
  fault('error inside 200', finish, status(200, s3('InternalError'))),
  ...afterCreation,
];

async function losePart(control: Control, damage: Damage): Promise<void> {
  const [upload] = control.openUploads();
  if (!upload) return;
  await control.loseParts({ key: upload.key, numbers: [1] });
  damage.partLost(upload.key, 1);
}

const goneMs = 1000;

async function closeForASecond(control: Control, damage: Damage): Promise<void> {
  damage.connectionsDropped();
  await control.closeStorage();
  await new Promise((resolve) => setTimeout(resolve, goneMs));
  await control.openStorage();
}
