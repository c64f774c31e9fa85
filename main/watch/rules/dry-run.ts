import { setImmediate } from 'node:timers/promises';
import type { DryRunLooked } from '../../../shared/watch.ts';
import type { Clock } from '../../ports.ts';
import type { DryRun, FoundSource } from '../model/model.ts';
import { foundPhrase, holdingBack } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { decideKind, type KindParts, otherKind } from '../settle/kind.ts';
import type { SourceFindings } from '../settle/source-findings.ts';
import type { ForeseenSource } from '../state/source-context.ts';
import type { SourceState } from '../state/source-state.ts';

/** Limits of listed sources, and of those whose kinds are detected. */
const [maxListed, maxShown] = [300, 60];

type Listed = DryRun['sources'][number];

/**
 * Lists the sources that would be uploaded, with the detected kinds of the first ones, or under a rule with a
 * fixed kind, those that would be held.
 *
 * @param nameOf the name of the asset; the index counts the uploaded sources
 */
export async function dryRunOf(
  rule: WatchRule,
  foreseen: readonly ForeseenSource[],
  parts: KindParts,
  nameOf: (source: FoundSource, index: number) => string,
): Promise<{ readonly run: DryRun; readonly candidates: readonly FoundSource[] }> {
  const candidates: FoundSource[] = [];
  const sources: Listed[] = [];
  let [knownCount, comparedCount, wouldBeHeld] = [0, 0, 0];
  for (const { source, state } of foreseen) {
    const outcome = outcomeOf(state);
    if (sources.length < maxListed) {
      const { path, files, bytes } = source;
      const isShown = outcome === 'would-be-taken' && sources.length < maxShown;
      const kindFields = isShown ? await kindIn(rule, source, parts) : {};
      if (kindFields.held) wouldBeHeld += 1;
      const name = nameOf(source, candidates.length);
      sources.push({ path, name, files: files.length, bytes, outcome, ...kindFields });
    }
    if (outcome === 'would-be-taken') candidates.push(source);
    else if (outcome === 'would-be-compared') comparedCount += 1;
    else knownCount += 1;
  }
  const run = {
    ...{ sources, wouldBeTaken: candidates.length, known: knownCount },
    ...(comparedCount > 0 && { compared: comparedCount }),
    ...(wouldBeHeld > 0 && { wouldBeHeld }),
  };
  return { run, candidates };
}

function outcomeOf(state: SourceState): Listed['outcome'] {
  if (state.kind === 'queued') return 'would-be-taken';
  return state.kind === 'waiting' && state.why === 'comparing' ? 'would-be-compared' : 'known';
}

async function kindIn(
  rule: WatchRule,
  source: FoundSource,
  parts: KindParts,
): Promise<Pick<Listed, 'sourceType' | 'held'>> {
  if (rule.kindFrom === 'content')
    return { sourceType: (await decideKind(rule, source, parts))?.sourceType ?? null };
  const mismatch = await otherKind(rule, source, parts);
  if (!mismatch) return {};
  const reasons = holdingBack([mismatch.finding], rule.hold).map(foundPhrase);
  return { sourceType: mismatch.suggestion.sourceType, ...(reasons.length > 0 ? { held: reasons } : {}) };
}

const maxNamed = 60;
/** Time limit, and the interval of updates, ms. */
const [longestMs, progressMs] = [120_000, 500];

interface FindHeldParts {
  readonly findings: Pick<SourceFindings, 'find'>;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Sources that only the changed rule picks up. Default: none. */
  readonly newly?: ReadonlySet<string>;
  readonly nameOf: (source: FoundSource, index: number) => string;
  /** The last call has `isOver`, unless the signal aborts. */
  readonly onProgress: (progress: DryRunLooked) => void;
}

/** Inspects the sources that a dry run would upload for reasons to hold them. */
export async function findHeld(
  rule: WatchRule,
  candidates: readonly FoundSource[],
  { findings, clock, newly, nameOf, onProgress }: FindHeldParts,
  signal: AbortSignal,
): Promise<void> {
  if (rule.hold === 'never' || candidates.length === 0) return;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  const heldSources: DryRunLooked['held'][number][] = [];
  let [inspectedCount, heldCount, newlyHeld, reportedAt] = [0, 0, 0, clock.elapsed()];
  const report = (isOver: boolean) => {
    if (signal.aborted) return;
    const counts = {
      looked: inspectedCount,
      total: candidates.length,
      isOver,
      heldCount,
      ...(newlyHeld > 0 && { newlyHeld }),
    };
    onProgress({ ...counts, held: [...heldSources] });
  };
  await setImmediate();
  report(false);
  for (const [index, source] of candidates.entries()) {
    const { findings: sourceFindings } = await findings.find(rule, source, inTime);
    if (inTime.aborted) break;
    inspectedCount += 1;
    const reasons = holdingBack(sourceFindings, rule.hold).map(foundPhrase);
    if (reasons.length > 0) {
      heldCount += 1;
      if (newly?.has(source.path)) newlyHeld += 1;
      const { path, files, bytes } = source;
      if (heldSources.length < maxNamed)
        heldSources.push({ path, name: nameOf(source, index), files: files.length, bytes, why: reasons });
    }
    if (clock.elapsed() - reportedAt < progressMs) continue;
    reportedAt = clock.elapsed();
    report(false);
  }
  report(true);
}
