import type { SourceFile } from '../../files/model.ts';
import type { FoundSource, LedgerEntry } from '../model/model.ts';

/** Decides when a source has settled. Pure: times are arguments. */

/** As in `ScannedSource`. */
interface Digests {
  readonly digest: string;
  readonly dataDigest: string;
}

/** A sample. Times are monotonic ms. */
export interface Sample extends Digests {
  readonly sampledAt: number;
  readonly sameDataSinceAt: number;
}

export type Settling =
  | { readonly settled: true }
  | {
      readonly settled: false;
      /** Uses the samples' clock. */
      readonly nextSampleAt: number;
      readonly quietSinceAt: number;
    };

interface SettlingOptions {
  readonly settleMs: number;
  readonly suspicious: boolean;
}

/** Equal samples needed. */
export const minSamples = 3;
/** Multiplies the quiet time. */
export const suspicionFactor = 6;
/** Beyond it, every second sample is dropped. */
const maxSamples = 64;
/**
 * For this long, changes of permissions or owners restart settling, ms. A job that sets them every minute
 * must not block sources forever, but a copy that sets times after each block looks the same.
 */
const maxPermissionsMs = 60_000;

/** Adds a sample. A difference, or a clock that went back, starts over. */
export function addSample(
  samples: readonly Sample[],
  currentTime: number,
  { digest, dataDigest }: Digests,
): readonly Sample[] {
  const lastSample = samples.at(-1);
  const sampledAt = Math.floor(currentTime);
  if (!lastSample || lastSample.dataDigest !== dataDigest || sampledAt < lastSample.sampledAt)
    return [{ sampledAt, digest, dataDigest, sameDataSinceAt: sampledAt }];
  const newSample: Sample = { ...lastSample, sampledAt, digest };
  if (lastSample.digest !== digest && sampledAt - newSample.sameDataSinceAt < maxPermissionsMs)
    return [newSample];
  const thinned =
    samples.length < maxSamples ? samples : samples.filter((_, index) => index === 0 || index % 2 === 1);
  return [...thinned, newSample];
}

/**
 * A source has settled if at least three equal samples span the settle time, each at least a third of it
 * after the previous one. Checks in quick succession, caused by hints, only count once.
 */
export function judgeSettling(
  samples: readonly Sample[],
  { settleMs, suspicious }: SettlingOptions,
): Settling {
  const firstSample = samples[0];
  if (!firstSample)
    return { settled: false, nextSampleAt: Number.NEGATIVE_INFINITY, quietSinceAt: Number.NaN };
  const span = settleMs * (suspicious ? suspicionFactor : 1);
  // Whole ms: a rounding error would request further samples endlessly.
  const spacing = Math.ceil(span / minSamples);
  let counted = 1;
  let lastCountedAt = firstSample.sampledAt;
  for (const { sampledAt } of samples) {
    if (sampledAt - lastCountedAt < spacing) continue;
    counted++;
    lastCountedAt = sampledAt;
  }
  if (counted >= minSamples && lastCountedAt - firstSample.sampledAt >= span) return { settled: true };
  return { settled: false, nextSampleAt: lastCountedAt + spacing, quietSinceAt: firstSample.sampledAt };
}

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

/** Applies a remembered pause. `currentTime`: ms since the epoch. */
export function settleTime(
  defaultMs: number,
  storedPause: SeenPause | null,
  currentTime: number,
): SettleTime {
  const pauseMs =
    storedPause && isRemembered(storedPause, currentTime) ? Math.min(storedPause.ms, maxPauseMs) : 0;
  const ms = factor * pauseMs;
  return ms > defaultMs ? { defaultMs, ms, pauseMs } : { defaultMs, ms: defaultMs, pauseMs: null };
}

/**
 * Returns how long the source was quiet before it continued at `resumedAt`; null without a pause. Two equal
 * samples prove the time between them. Half of the time around them counts, so that rare checks don't make
 * pauses.
 */
export function pauseBefore(samples: readonly Sample[], resumedAt: number): number | null {
  const [firstSample, lastSample] = [samples[0], samples.at(-1)];
  if (!firstSample || !lastSample || lastSample.sampledAt <= firstSample.sampledAt) return null;
  const quiet = lastSample.sampledAt - firstSample.sampledAt;
  const between = quiet / (samples.length - 1);
  const ms = quiet + Math.min(Math.max(0, resumedAt - lastSample.sampledAt), between) / 2;
  return ms <= maxPauseMs ? ms : null;
}

/** A source's size, which shows growth. */
export interface Weight {
  readonly bytes: number;
  /** Bytes on the disk, which grow in preallocated files. NaN if unknown. */
  readonly bytesOnDisk: number;
}

export function weightOf({ bytes, allocated }: { bytes: number; allocated: readonly number[] }): Weight {
  return { bytes, bytesOnDisk: allocated.reduce((sum, fileBytes) => sum + fileBytes, 0) };
}

type Uploaded = Pick<LedgerEntry, 'bytes' | 'newestMs' | 'files' | 'movedTo'>;

interface Grown extends Pick<FoundSource, 'bytes' | 'newestMs'> {
  readonly files: readonly Pick<SourceFile, 'mtimeMs'>[];
}

/**
 * Returns null unless the source was uploaded too early and has grown since. Another delivery under its name
 * replaces its files, or arrives after it was moved away.
 */
export function pauseAfterEnd(uploaded: Uploaded, source: Grown): number | null {
  const ms = source.newestMs - uploaded.newestMs;
  const hasGrown = source.bytes > uploaded.bytes && ms > 0 && ms <= maxAfterEndMs;
  if (!hasGrown || uploaded.movedTo !== null) return null;
  const kept = source.files.filter(({ mtimeMs }) => Math.floor(mtimeMs) <= uploaded.newestMs);
  // One file may have been continued.
  return kept.length >= uploaded.files - 1 ? ms : null;
}

/** Returns the pause to store, or null if nothing changes. */
export function learn(storedPause: SeenPause | null, ms: number, currentTime: number): SeenPause | null {
  if (!storedPause || !isRemembered(storedPause, currentTime) || ms > storedPause.ms)
    return { ms, at: currentTime };
  return ms >= storedPause.ms / 2 && currentTime - storedPause.at >= refreshMs
    ? { ms: storedPause.ms, at: currentTime }
    : null;
}

const isRemembered = ({ at: pausedAt }: SeenPause, currentTime: number): boolean =>
  currentTime - pausedAt < rememberedMs;
