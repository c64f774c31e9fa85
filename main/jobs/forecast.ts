import type { Amount, Forecast } from '../../shared/job.ts';

/**
 * How long an upload will take, compared with the life of its storage credentials (design, "Credential
 * life"). Pure.
 */

/**
 * What one stretch of an upload sent in how much time. Small files tell how many files a second the way
 * takes, all else how many bytes.
 */
export interface Speed extends Amount {
  /** Small files; 0 for a stretch of large files' parts, which tells about bytes alone. */
  readonly files: number;
  /** Time in which it was sending, pauses left out. */
  readonly ms: number;
}

/** Seconds for this many bytes on a network of that many a second: where a limit is set, it takes longer. */
type SecondsToSend = (bytes: number, bytesPerSecond: number) => number;

/** Up to this size the request for a file takes longer than its bytes do, on any usual network. */
export const smallBytes = 1_048_576;
/** A stretch smaller or shorter than this says more about latency than about bandwidth. */
const leastBytes = 1_000_000;
const leastFiles = 50;
const leastMs = 200;
/** Files a second that go anywhere, with many requests side by side. */
const certainFilesPerSecond = 10;

/** True when a stretch is worth remembering. */
export function tellsSpeed({ bytes, files, ms }: Speed): boolean {
  return ms >= leastMs && (files > 0 ? files >= leastFiles : bytes >= leastBytes);
}

/**
 * The larger of bytes ÷ byte rate and files ÷ file rate. Null while what may take longer has been shown by no
 * upload, unless what is known is already more than the credentials live.
 */
export function forecast(
  { bytes, files }: Amount,
  speeds: readonly Speed[],
  credentialLifeMs: number,
  secondsToSend: SecondsToSend = atFullSpeed,
): Forecast | null {
  const large = sumOf(speeds.filter((speed) => speed.files === 0));
  const small = sumOf(speeds.filter((speed) => speed.files > 0));
  const byBytes = large && secondsToSend(bytes, large.bytesPerSecond);
  const byFiles = small && files / small.filesPerSecond;
  // What is not known counts as it is at worst: small files bring fewer bytes through than the network takes.
  const atMostByBytes = byBytes ?? (small && secondsToSend(bytes, small.bytesPerSecond));
  const atMostByFiles = byFiles ?? (bytes >= files * smallBytes ? 0 : files / certainFilesPerSecond);
  const seconds = Math.max(byBytes ?? 0, byFiles ?? 0);
  const isKnown = atMostByBytes !== null && Math.max(atMostByBytes, atMostByFiles) <= seconds;
  const shareOfLife = (seconds * 1000) / credentialLifeMs;
  if (!(isKnown || shareOfLife > 1)) return null;
  const filesDecide = small !== null && (byFiles ?? 0) > (byBytes ?? 0);
  return {
    seconds,
    bytesPerSecond: seconds > 0 ? bytes / seconds : (large?.bytesPerSecond ?? 0),
    filesPerSecond: filesDecide ? small.filesPerSecond : null,
    shareOfLife,
  };
}

/** The upload will probably outlive its credentials: nothing is created before someone wants it anyway. */
export function mustBeConfirmed(told: Forecast | null): boolean {
  return told !== null && told.shareOfLife > 1;
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
