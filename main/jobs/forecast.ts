/** How long an upload will take, held against the life of its storage credentials (design, "Credential life"). Pure. */

/** What one upload, or one stretch of it, sent in how much time. */
export interface Speed {
  readonly bytes: number;
  /** Time in which it was sending, pauses left out. */
  readonly ms: number;
}

export interface Forecast {
  readonly seconds: number;
  readonly bytesPerSecond: number;
  /** Share of the credential life, 1 for all of it. Over 0.8 warns, over 1 asks. */
  readonly shareOfLife: number;
}

/** A stretch smaller or shorter than this says more about latency than about the line. */
const leastBytes = 1_000_000;
const leastMs = 200;

/** True when a stretch is worth remembering. */
export function tellsSpeed({ bytes, ms }: Speed): boolean {
  return bytes >= leastBytes && ms >= leastMs;
}

/** Null while no upload has shown how fast the line is. `limit`: what uploads may take at most just now, bytes a second. */
export function forecast(
  bytes: number,
  speeds: readonly Speed[],
  credentialLifeMs: number,
  limit: number | null = null,
): Forecast | null {
  const sent = speeds.reduce((sum, speed) => sum + speed.bytes, 0);
  const ms = speeds.reduce((sum, speed) => sum + speed.ms, 0);
  if (sent <= 0 || ms <= 0) return null;
  const bytesPerSecond = Math.min((sent * 1000) / ms, limit ?? Number.POSITIVE_INFINITY);
  const seconds = bytes / bytesPerSecond;
  return { seconds, bytesPerSecond, shareOfLife: (seconds * 1000) / credentialLifeMs };
}

/** The upload will probably outlive its credentials: nothing is created before somebody wants it all the same. */
export function mustBeConfirmed(told: Forecast | null): boolean {
  return told !== null && told.shareOfLife > 1;
}
