import { errorPhrase } from '../../../strings/said-error.ts';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import type { WatchRule } from '../rule.ts';
import type { SurveyedSource } from '../survey/found-source.ts';
import { type SurveyOptions, surveyRule, surveySource, unreadableError } from '../survey/survey.ts';
import { cloudDoubt, type Doubt, doubtInside } from './completeness.ts';
import type { FindWriter } from './open-for-writing.ts';
import type { Pending } from './pending-sources.ts';
import { type SettleTime, weightOf } from './settle-time.ts';
import { addSample, judgeSettling, minSamples, suspicionFactor } from './settling.ts';

interface SettleOptions extends SurveyOptions {
  readonly rule: WatchRule;
  readonly settleTime: SettleTime;
  /** monotonic ms. */
  readonly elapsed: () => number;
  readonly findWriter: FindWriter;
  /** Absolute paths of files that the rule doesn't upload. Default: none. */
  readonly leftOut?: (found: SurveyedSource) => Promise<ReadonlySet<string>>;
  /** What was found of many sources in one look. None is opened then: that follows before it is taken. */
  readonly known?: KnownSources | undefined;
}

export type KnownSources = ReadonlyMap<string, SurveyedSource | Doubt>;

/**
 * A source that someone has open, or whose insides are not all there, is asked about no more often than this,
 * ms.
 */
const doubtMs = 10_000;
/**
 * A program that has a file open and has written nothing for so long has forgotten it, ms. A copy over a bad
 * line may well pause for minutes.
 */
const forgottenMs = 60 * 60_000;

/**
 * Looks at a pending source once more. It is settled when its samples are equal for long enough, nobody
 * writes to it, and what can be seen of its insides is all there. Null: it is gone.
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
  // What is watched for long is looked at more often than settling needs: a pause is known as exactly as the
  // looks are near each other.
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

/** All sources of the rule, to settle many of them by. Throws what `surveyRule` throws. */
export async function surveyAtOnce(rule: WatchRule, options: SurveyOptions): Promise<KnownSources> {
  const { sources, unreadable } = await surveyRule(rule, options);
  const known = new Map<string, SurveyedSource | Doubt>(sources.map((source) => [source.path, source]));
  for (const one of unreadable)
    if (one.source !== null) known.set(one.source, doubtAbout(unreadableError(one)));
  return known;
}

/** What can't be read may be readable later: a lock, a right that is about to be given. */
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
