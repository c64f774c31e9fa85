import type { AmountOfData, Forecast } from '../../shared/job.ts';

/** Estimates upload durations. Pure. */

/** Small files show files per second, others bytes per second. */
export interface Speed extends AmountOfData {
  /** 0 for parts of large files. */
  readonly files: number;
  readonly ms: number;
}

type SecondsToSend = (bytes: number, bytesPerSecond: number) => number;

/** Requests for smaller files usually take longer than their bytes. */
export const smallBytes = 1_048_576;
/** Smaller stretches measure latency. */
const minBytes = 1_000_000;
const minFiles = 50;
const minMs = 200;
/** Files per second reached on any network with parallel requests. */
const certainFilesPerSecond = 10;

/** Whether a stretch measures a speed. */
export function isWorthStoring({ bytes, files, ms }: Speed): boolean {
  return ms >= minMs && (files > 0 ? files >= minFiles : bytes >= minBytes);
}

/**
 * The larger of bytes ÷ byte rate and files ÷ file rate. Null while a possibly dominant rate is unknown,
 * unless the rest already exceeds the credentials' life.
 */
export function forecast(
  { bytes, files }: AmountOfData,
  speeds: readonly Speed[],
  credentialLifeMs: number,
  secondsToSend: SecondsToSend = atFullSpeed,
): Forecast | null {
  const largeFileSpeed = sumOf(speeds.filter((speed) => speed.files === 0));
  const smallFileSpeed = sumOf(speeds.filter((speed) => speed.files > 0));
  const byBytes = largeFileSpeed && secondsToSend(bytes, largeFileSpeed.bytesPerSecond);
  const byFiles = smallFileSpeed && files / smallFileSpeed.filesPerSecond;
  // Assume the worst for unknown rates: small files use less bandwidth than the network has.
  const atMostByBytes = byBytes ?? (smallFileSpeed && secondsToSend(bytes, smallFileSpeed.bytesPerSecond));
  const atMostByFiles = byFiles ?? (bytes >= files * smallBytes ? 0 : files / certainFilesPerSecond);
  const seconds = Math.max(byBytes ?? 0, byFiles ?? 0);
  const isKnown = atMostByBytes !== null && Math.max(atMostByBytes, atMostByFiles) <= seconds;
  const shareOfLife = (seconds * 1000) / credentialLifeMs;
  if (!(isKnown || shareOfLife > 1)) return null;
  const filesDecide = smallFileSpeed !== null && (byFiles ?? 0) > (byBytes ?? 0);
  return {
    seconds,
    bytesPerSecond: seconds > 0 ? bytes / seconds : (largeFileSpeed?.bytesPerSecond ?? 0),
    filesPerSecond: filesDecide ? smallFileSpeed.filesPerSecond : null,
    shareOfLife,
  };
}

/** Whether the upload will probably outlive its credentials. */
export function mustBeConfirmed(estimate: Forecast | null): boolean {
  return estimate !== null && estimate.shareOfLife > 1;
}

function atFullSpeed(bytes: number, bytesPerSecond: number): number {
  return bytes / bytesPerSecond;
}

function sumOf(speeds: readonly Speed[]) {
  const bytes = speeds.reduce((sum, speed) => sum + speed.bytes, 0);
  const files = speeds.reduce((sum, speed) => sum + speed.files, 0);
  const ms = speeds.reduce((sum, speed) => sum + speed.ms, 0);
  if (ms <= 0 || bytes + files <= 0) return null;
  return { bytesPerSecond: (bytes * 1000) / ms, filesPerSecond: (files * 1000) / ms };
}
