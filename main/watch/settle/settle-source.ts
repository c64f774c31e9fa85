import { basename } from 'node:path';
import { errorPhrase } from '../../../strings/said-error.ts';
import { TileliftError, toErrorRecord } from '../../errors.ts';
import type { FindWriter } from '../../files/open-for-writing.ts';
import type { Inspector } from '../../inspect/session/inspector.ts';
import type { Clock } from '../../ports.ts';
import type { FoundSource } from '../model/model.ts';
import type { NotedFinding } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { type RuleScanOptions, scanRule, scanSourceAt, unreadableError } from '../scan/scan-rule.ts';
import { checkCloudFiles, checkCompleteness, type NotReadyReason } from './completeness.ts';
import { addSample, nextSampleAt, type Sample, suspicionFactor } from './settling.ts';

/** A source that becomes a job once it has settled. */
export interface Pending {
  readonly source: FoundSource;
  readonly isRetry: boolean;
  /** Equal samples, oldest first. */
  readonly samples: readonly Sample[];
  readonly settleMs: number;
  readonly notReady: NotReadyReason | null;
  /** The reason in English, and since when it has been the same: ms of the watch's own clock. */
  readonly wait: { readonly words: string; readonly startedAt: number } | null;
  /** The last reason in the activity log. */
  readonly reportedWait: string | null;
  readonly broken: NotedFinding | null;
  readonly urgent: boolean;
  /** ms of the watch's own clock; infinite once it has settled. */
  readonly nextAt: number;
}

export const isSettled = ({ nextAt }: Pending): boolean => nextAt === Number.POSITIVE_INFINITY;

interface SettleOptions extends RuleScanOptions {
  readonly rule: WatchRule;
  readonly settleMs: number;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly findWriter: FindWriter;
  readonly inspector: Pick<Inspector, 'inspectCompleteness'>;
  /** Absolute paths of files that the rule doesn't upload. Default: none. */
  readonly leftOut?: (source: FoundSource) => Promise<ReadonlySet<string>>;
  /** Found by one scan. None is opened then; that happens before the upload. */
  readonly scanned?: KnownSources | undefined;
}

export type KnownSources = ReadonlyMap<string, FoundSource | NotReadyReason>;

/** Minimum interval of checks for an open or incomplete source, ms. */
const recheckMs = 10_000;
/**
 * An open file without writes for this long is forgotten, ms. A copy over a bad line may pause for minutes.
 */
const forgottenMs = 60 * 60_000;

/**
 * Samples a pending source. It has settled if its samples are equal for long enough, no program writes to it,
 * and its contents seem complete. Null if it is gone.
 */
export async function settleFurther(previous: Pending, options: SettleOptions): Promise<Pending | null> {
  const { settleMs, clock, scanned } = options;
  const source = scanned ? (scanned.get(previous.source.path) ?? null) : await survey(previous, options);
  if (source === null) return null;
  if ('reason' in source)
    return { ...previous, samples: [], notReady: source, nextAt: clock.elapsed() + recheckMs };
  const currentTime = clock.elapsed();
  const samples = addSample(previous.samples, currentTime, source);
  const inCloud = checkCloudFiles(options.rule, source);
  if (inCloud) return { ...previous, source, samples, notReady: inCloud, nextAt: currentTime + recheckMs };
  const isSame = samples.length > 1;
  const notReady = isSame ? previous.notReady : null;
  const pending = { ...previous, source, samples, notReady, settleMs, broken: null };
  const settled = { ...pending, notReady: null, nextAt: Number.POSITIVE_INFINITY };
  if (previous.urgent) return settled;
  const nextAt = nextSampleAt(samples, settleMs);
  if (nextAt !== null) return { ...pending, nextAt };
  if (scanned) return settled;
  const openPath = await options.findWriter(source);
  const writer: NotReadyReason | null =
    openPath === null
      ? null
      : { kind: 'wait-longer', reason: { key: 'sources.doubt.open', values: { file: basename(openPath) } } };
  const leftOut = async () => (await options.leftOut?.(source)) ?? new Set<string>();
  const fresh =
    writer ??
    (await checkCompleteness(options.rule.folder, source, {
      ...{ inspector: options.inspector, leftOut, currentTime: clock.now() },
    }));
  if (fresh === null) return settled;
  const quietMs = currentTime - (samples[0]?.sampledAt ?? currentTime);
  const isLongEnough = writer
    ? quietMs >= forgottenMs
    : (fresh.kind === 'wait-longer' || fresh.finding !== undefined) &&
      nextSampleAt(samples, settleMs * suspicionFactor) === null;
  if (isLongEnough) return { ...settled, broken: fresh.finding ?? null };
  return {
    ...pending,
    notReady: fresh,
    nextAt: currentTime + Math.max(Math.min(recheckMs, settleMs), settleMs / 3),
  };
}

/** Scans once for many sources. Throws `scanRule`'s errors. */
export async function scanAtOnce(rule: WatchRule, options: RuleScanOptions): Promise<KnownSources> {
  const { sources, unreadable } = await scanRule(rule, options);
  const scanned = new Map<string, FoundSource | NotReadyReason>(
    sources.map((source) => [source.path, source]),
  );
  for (const unreadableFile of unreadable)
    if (unreadableFile.source !== null)
      scanned.set(unreadableFile.source, reasonFor(unreadableError(unreadableFile)));
  return scanned;
}

/** An unreadable file may only be locked. */
async function survey(
  previous: Pending,
  options: SettleOptions,
): Promise<FoundSource | NotReadyReason | null> {
  try {
    return await scanSourceAt(options.rule, previous.source.path, options);
  } catch (error) {
    const codes = ['source-unreadable', 'source-name-not-utf8'];
    if (!(error instanceof TileliftError) || !codes.includes(error.code)) throw error;
    return reasonFor(error);
  }
}

const reasonFor = (error: TileliftError): NotReadyReason => ({
  kind: 'wait-for-change',
  reason: errorPhrase(toErrorRecord(error)),
});
