import type { Sample } from './settling.ts';

/** How long nothing may change before a source is taken, learnt from pauses seen in a folder. Pure. */

/** The longest pause that was seen in sources of a rule which kept growing. */
export interface SeenPause {
  readonly ms: number;
  /** When it was seen, ms since the epoch. */
  readonly at: number;
}

export interface SettleTime {
  /** What the rule and the drive want, ms. */
  readonly defaultMs: number;
  /** What holds now, ms: never less. */
  readonly ms: number;
  /** The pause because of which it is longer; null where it is the usual. */
  readonly pauseMs: number | null;
}

/** So many times the longest pause is waited, */
const factor = 3;
/** but no longer than this, ms. */
const maxMs = 30 * 60_000;
/** What continues later than this is another delivery, ms. */
export const maxPauseMs = maxMs / factor;
/** What keeps growing later than this after it was finished was changed by someone, ms. */
export const maxAfterEndMs = 2 * 60_000;
/**
 * A pause that has not come again for so long is forgotten, ms; one that comes again is put down again at
 * most every day.
 */
const rememberedMs = 30 * 24 * 60 * 60_000;
const refreshMs = 24 * 60 * 60_000;

/** `now`: ms since the epoch. */
export function settleTime(defaultMs: number, seen: SeenPause | null, now: number): SettleTime {
  const pauseMs = seen && isRemembered(seen, now) ? Math.min(seen.ms, maxPauseMs) : 0;
  const ms = factor * pauseMs;
  return ms > defaultMs ? { defaultMs, ms, pauseMs } : { defaultMs, ms: defaultMs, pauseMs: null };
}

/**
 * How long nothing had changed before the source continued, by samples from `addSample` and the time of the
 * one that differs; null for no pause. Two equal samples prove the time between them. Of the time around them
 * half counts, so that a source that never rests teaches nothing, and looking seldom does not make pauses.
 */
export function pauseBefore(samples: readonly Sample[], at: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at <= first.at) return null;
  const quiet = last.at - first.at;
  const between = quiet / (samples.length - 1);
  const ms = quiet + Math.min(Math.max(0, at - last.at), between) / 2;
  return ms <= maxPauseMs ? ms : null;
}

/** What a source’s files held, by which growth is told. */
export interface Weight {
  readonly bytes: number;
  /** Bytes on the disk: a file that had its full size first grows there. NaN where unknown. */
  readonly room: number;
}

export function weightOf({ bytes, allocated }: { bytes: number; allocated: readonly number[] }): Weight {
  return { bytes, room: allocated.reduce((sum, one) => sum + one, 0) };
}

interface Grown {
  readonly bytes: number;
  /** The newest modification time of its files, ms. */
  readonly newestMs: number;
}

/** The pause of a source that was taken too early and has grown since; null where it changed otherwise. */
export function pauseAfterEnd(taken: Grown, found: Grown): number | null {
  const ms = found.newestMs - taken.newestMs;
  return found.bytes > taken.bytes && ms > 0 && ms <= maxAfterEndMs ? ms : null;
}

/** What is to be remembered once this pause was seen; null where that changes nothing. */
export function learn(seen: SeenPause | null, ms: number, now: number): SeenPause | null {
  if (!seen || !isRemembered(seen, now) || ms > seen.ms) return { ms, at: now };
  return ms >= seen.ms / 2 && now - seen.at >= refreshMs ? { ms: seen.ms, at: now } : null;
}

const isRemembered = ({ at }: SeenPause, now: number): boolean => now - at < rememberedMs;
