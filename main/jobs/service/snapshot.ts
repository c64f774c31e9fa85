import type { ErrorCode, ErrorRecord } from '../../errors.ts';
import { actionsOf } from '../actions.ts';
import type { JobSnapshot } from '../model.ts';
import { signInCodes } from '../needs-sign-in.ts';
import { awaitsConfirmation, isRunning, type JobState, needsTurn, runningPart } from '../state.ts';
import type { LiveJob } from '../steps/live-job.ts';

/** `hasTurn`: the job may send, or is preparing to. */
export function snapshotOf(job: LiveJob, hasTurn: boolean): JobSnapshot {
  const { record, state, progress, asset } = job;
  const interruptedPart = runningPart(state);
  const scan = 'scan' in interruptedPart ? interruptedPart.scan : null;
  const facts = 'asset' in interruptedPart ? interruptedPart.asset : null;
  const uploadedAt = 'uploadedAt' in interruptedPart ? interruptedPart.uploadedAt : null;
  const sending = state.kind === 'uploading';
  const waitReason = waitingFor(job, hasTurn);
  const bytesDone = uploadedAt === null ? progress.acknowledged : (scan?.bytes ?? 0);
  const bytesPerSecond = sending && waitReason !== 'network' ? progress.bytesPerSecond : null;
  const holdsCredentials = interruptedPart.kind === 'uploading' && (sending || state.kind === 'paused');
  return {
    id: record.id,
    accountId: record.accountId,
    status: state.kind,
    name: record.body.name,
    assetType: record.body.type,
    sourceType: record.body.options.sourceType,
    paths: record.paths,
    createdAt: record.createdAt,
    uploadedAt,
    ...(uploadedAt === null || !facts || facts.interrupted
      ? {}
      : { sendingMs: uploadedAt - facts.createdAt }),
    endedAt: 'at' in state ? state.at : null,
    fileCount: scan?.files ?? null,
    bytesTotal: scan?.bytes ?? null,
    ...(scan?.links ? { links: scan.links } : {}),
    bytesDone,
    bytesOnWire: progress.onWire,
    bytesPerSecond,
    secondsLeft: scan && secondsLeft(scan.bytes - bytesDone - progress.onWire, bytesPerSecond),
    partsTotal: scan?.parts ?? null,
    partsDone: uploadedAt === null ? progress.partsDone : (scan?.parts ?? 0),
    partsOnWire: progress.partsOnWire,
    credentialsEndAt: holdsCredentials ? interruptedPart.asset.credentialsEndAt : null,
    partsSentAgain: progress.partsSentAgain,
    concurrency:
      sending && waitReason !== 'network' && progress.concurrency > 0 ? progress.concurrency : null,
    waitingFor: waitReason,
    ...terrainOf(job),
    assetId: facts?.id ?? null,
    assetStatus: interruptedPart.kind === 'tiling' ? interruptedPart.assetStatus : null,
    percentComplete: state.kind === 'complete' ? 100 : (asset?.percentComplete ?? null),
    progressMessage: asset?.progressMessage ?? null,
    error: errorOf(job),
    nextTryAt: job.nextTryAt,
    ...(record.predecessor === undefined ? {} : { predecessor: record.predecessor }),
    byRule: record.exactly !== undefined,
    actions: actionsOf(job),
    place: job.place,
    isQueued: isQueued(state, hasTurn),
    expected: record.expected ?? null,
  };
}

/** Includes paused jobs that waited for their turn. */
export function isQueued(state: JobState, hasTurn: boolean): boolean {
  if (state.kind === 'paused') return state.was.kind === 'queued';
  return needsTurn(state) && !hasTurn && !awaitsConfirmation(state);
}

function secondsLeft(bytesLeft: number, bytesPerSecond: number | null): number | null {
  if (bytesPerSecond === null || bytesPerSecond <= 0) return null;
  return Math.max(0, bytesLeft) / bytesPerSecond;
}

function errorOf({ state, trouble, heldBack }: LiveJob): ErrorRecord | null {
  if ('error' in state) return state.error;
  return state.kind === 'creating' && state.question !== null ? state.question : (trouble ?? heldBack);
}

function terrainOf({ terrain }: LiveJob): Pick<JobSnapshot, 'terrain'> {
  if (!terrain) return {};
  const { id, name, percentComplete } = terrain;
  return { terrain: { id, name, percentComplete } };
}

const offlineCodes: ReadonlySet<ErrorCode> = new Set([
  'service-unreachable',
  'storage-unreachable',
  'proxy-unreachable',
]);

function waitsFor(trouble: ErrorRecord | null): 'source' | 'sign-in' | null {
  if (trouble?.code === 'source-away') return 'source';
  return trouble && signInCodes.has(trouble.code) ? 'sign-in' : null;
}

function waitingFor(job: LiveJob, hasTurn: boolean): JobSnapshot['waitingFor'] {
  const { state, trouble, isWaiting, progress } = job;
  if (!isRunning(state)) return null;
  if (awaitsConfirmation(state)) return 'confirmation';
  if (isWaiting) return waitsFor(trouble);
  if (job.heldBack) return signInCodes.has(job.heldBack.code) ? 'sign-in' : 'turn';
  if (job.terrain) return 'terrain';
  if (needsTurn(state) && !hasTurn) return 'turn';
  return progress.waitingForNetwork || (trouble && offlineCodes.has(trouble.code)) ? 'network' : null;
}
