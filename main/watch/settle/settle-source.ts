import { errorPhrase } from '../../../strings/said-error.ts';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import type { WatchRule } from '../model/rule.ts';
import type { SurveyedSource } from '../scan/found-source.ts';
import { type SurveyOptions, surveyRule, surveySource, unreadableError } from '../scan/scan-rule.ts';
import { cloudDoubt, type Doubt, doubtInside } from './completeness.ts';
import type { FindWriter } from './open-for-writing.ts';
import type { Pending } from './pending-sources.ts';
import { type SettleTime, weightOf } from './settle-time.ts';
import { addSample, judgeSettling, minSamples, suspicionFactor } from './settling.ts';

interface SettleOptions extends SurveyOptions {
  readonly rule: WatchRule;
  readonly settleTime: SettleTime;
  readonly elapsed: () => number;
  readonly findWriter: FindWriter;
  /** Absolute paths of files that the rule doesn't upload. Default: none. */
  readonly leftOut?: (found: SurveyedSource) => Promise<ReadonlySet<string>>;
  /** Found by one scan. None is opened then; that happens before the upload. */
  readonly known?: KnownSources | undefined;
}

export type KnownSources = ReadonlyMap<string, SurveyedSource | Doubt>;

/** Minimum interval of checks for an open or incomplete source, ms. */
const doubtMs = 10_000;
/**
 * An open file without writes for this long is forgotten, ms. A copy over a bad line may pause for minutes.
 */
const forgottenMs = 60 * 60_000;

/**
 * Samples a pending source. It has settled if its samples are equal for long enough, no program writes to it,
 * and its contents seem complete. Null if it is gone.
 */
export async function settleFurther(before: Pending, options: SettleOptions): Promise<Pending | null> {
  const { settleTime, elapsed } = options;
  const { defaultMs, ms: settleMs } = settleTime;
  const { known } = options;
  const found = known ? (known.get(before.found.path) ?? null) : await survey(before, options);
  if (found === null) return null;
  if ('reason' in found)
    return { ...before, settled: false, samples: [], doubt: found, nextAt: elapsed() + doubtMs };
  const now = elapsed();
  const samples = addSample(before.samples, now, found);
  const inCloud = cloudDoubt(options.rule, found);
  if (inCloud) return { ...before, found, settled: false, samples, doubt: inCloud, nextAt: now + doubtMs };
  const isSame = samples.length > 1;
  const doubt = isSame ? before.doubt : null;
  const pending = {
    ...before,
    found,
    samples,
    doubt,
    settleTime,
    weight: weightOf(found),
    settled: false,
    broken: null,
  };
  const settled = { ...pending, doubt: null, settled: true, nextAt: Number.POSITIVE_INFINITY };
  if (before.urgent) return settled;
  const usual = judgeSettling(samples, { settleMs, suspicious: false });
  // Pauses are measured more exactly by frequent checks.
  const nextLook = now + Math.max(defaultMs / minSamples, settleMs / minSamples ** 2);
  if (!usual.settled) return { ...pending, nextAt: Math.min(usual.nextSampleAt, nextLook) };
  if (known) return settled;
  const writer = await options.findWriter(found);
  const leftOut = async () => (await options.leftOut?.(found)) ?? new Set<string>();
  const fresh = writer ?? (await doubtInside(options.rule.folder, found, leftOut));
  if (fresh === null) return settled;
  const quietMs = now - (samples[0]?.at ?? now);
  const isLongEnough = writer
    ? quietMs >= forgottenMs
    : (fresh.kind === 'wait-longer' || fresh.found !== undefined) &&
      judgeSettling(samples, { settleMs: Math.max(defaultMs, settleMs / suspicionFactor), suspicious: true })
        .settled;
  if (isLongEnough) return { ...settled, broken: fresh.found ?? null };
  return { ...pending, doubt: fresh, nextAt: now + Math.max(Math.min(doubtMs, defaultMs), defaultMs / 3) };
}

/** Scans once for many sources. Throws `surveyRule`'s errors. */
export async function surveyAtOnce(rule: WatchRule, options: SurveyOptions): Promise<KnownSources> {
  const { sources, unreadable } = await surveyRule(rule, options);
  const known = new Map<string, SurveyedSource | Doubt>(sources.map((source) => [source.path, source]));
  for (const one of unreadable)
    if (one.source !== null) known.set(one.source, doubtAbout(unreadableError(one)));
  return known;
}

/** An unreadable file may only be locked. */
async function survey(before: Pending, options: SettleOptions): Promise<SurveyedSource | Doubt | null> {
  try {
    return await surveySource(options.rule, before.found.path, options);
  } catch (thrown) {
    const codes = ['source-unreadable', 'source-name-not-utf8'];
    if (!(thrown instanceof TileliftError) || !codes.includes(thrown.code)) throw thrown;
    return doubtAbout(thrown);
  }
}

const doubtAbout = (error: TileliftError): Doubt => ({
  kind: 'wait-for-change',
  reason: errorPhrase(toErrorRecord(error)),
});
