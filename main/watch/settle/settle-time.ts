import type { Sample } from './settling.ts';

/** The quiet time, learned from pauses in a folder. Pure. */

/** The longest pause of growing sources of a rule. */
export interface SeenPause {
  readonly ms: number;
  /** ms since the epoch. */
  readonly at: number;
}

export interface SettleTime {
  readonly defaultMs: number;
  /** ms; never less than the default. */
  readonly ms: number;
  readonly pauseMs: number | null;
}

/** Multiplies the longest pause, */
const factor = 3;
/** up to this limit, ms. */
const maxMs = 30 * 60_000;
/** Data after a longer pause is another delivery, ms. */
export const maxPauseMs = maxMs / factor;
/** Later growth is an edit, ms. */
export const maxAfterEndMs = 2 * 60_000;
/** Older pauses are forgotten; recurring ones are stored once a day at most, ms. */
const rememberedMs = 30 * 24 * 60 * 60_000;
const refreshMs = 24 * 60 * 60_000;

/** Applies a remembered pause. `now`: ms since the epoch. */
export function settleTime(defaultMs: number, seen: SeenPause | null, now: number): SettleTime {
  const pauseMs = seen && isRemembered(seen, now) ? Math.min(seen.ms, maxPauseMs) : 0;
  const ms = factor * pauseMs;
  return ms > defaultMs ? { defaultMs, ms, pauseMs } : { defaultMs, ms: defaultMs, pauseMs: null };
}

/**
 * Returns how long the source was quiet before it continued at `at`; null without a pause. Two equal samples
 * prove the time between them. Half of the time around them counts, so that rare checks don't make pauses.
 */
export function pauseBefore(samples: readonly Sample[], at: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at <= first.at) return null;
  const quiet = last.at - first.at;
  const between = quiet / (samples.length - 1);
  const ms = quiet + Math.min(Math.max(0, at - last.at), between) / 2;
  return ms <= maxPauseMs ? ms : null;
}

/** A source's size, which shows growth. */
export interface Weight {
  readonly bytes: number;
  /** Bytes on the disk, which grow in preallocated files. NaN if unknown. */
  readonly room: number;
}

export function weightOf({ bytes, allocated }: { bytes: number; allocated: readonly number[] }): Weight {
  return { bytes, room: allocated.reduce((sum, one) => sum + one, 0) };
}

interface Grown {
  readonly bytes: number;
  /** ms. */
  readonly newestMs: number;
}

/** Returns null unless the source was uploaded too early and has grown since. */
export function pauseAfterEnd(taken: Grown, found: Grown): number | null {
  const ms = found.newestMs - taken.newestMs;
  return found.bytes > taken.bytes && ms > 0 && ms <= maxAfterEndMs ? ms : null;
}

/** Returns the pause to store, or null if nothing changes. */
export function learn(seen: SeenPause | null, ms: number, now: number): SeenPause | null {
  if (!seen || !isRemembered(seen, now) || ms > seen.ms) return { ms, at: now };
  return ms >= seen.ms / 2 && now - seen.at >= refreshMs ? { ms: seen.ms, at: now } : null;
}

const isRemembered = ({ at }: SeenPause, now: number): boolean => now - at < rememberedMs;
