import { setImmediate } from 'node:timers/promises';
import type { DryRunLooked } from '../../../shared/watch.ts';
import type { Clock } from '../../ports.ts';
import { creationBodyOf } from '../finish/asset-name.ts';
import type { DryRun, FoundSource } from '../model/model.ts';
import { foundPhrase, holdingBack } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { decideKind, type KindParts, otherKind } from '../settle/kind.ts';
import type { SourceFindings } from '../settle/source-findings.ts';
import type { Ledger } from '../state/ledger/ledger.ts';
import { foreseeState, type KnownRows } from '../state/source-context.ts';
import type { SourceState } from '../state/source-state.ts';

const maxListed = 300;

/** Lists the sources that would be uploaded. `currentTime`: ms since the epoch. */
export async function dryRunOf(
  rule: WatchRule,
  sources: readonly FoundSource[],
  ledger: KnownRows & Pick<Ledger, 'takenSoFar'>,
  currentTime: number,
): Promise<{ readonly run: DryRun; readonly candidates: readonly FoundSource[] }> {
  const pickedUpCount = ledger.takenSoFar(rule.id);
  const candidates: FoundSource[] = [];
  const listed: DryRun['sources'][number][] = [];
  let knownCount = 0;
  let comparedCount = 0;
  for (const source of sources) {
    const outcome = outcomeOf(await foreseeState(rule, source, ledger, currentTime));
    if (listed.length < maxListed)
      listed.push({
        path: source.path,
        name: creationBodyOf(rule, source, currentTime, pickedUpCount + candidates.length).name,
        files: source.files.length,
        bytes: source.bytes,
        outcome,
      });
    if (outcome === 'would-be-taken') candidates.push(source);
    else if (outcome === 'would-be-compared') comparedCount += 1;
    else knownCount += 1;
  }
  const run = {
    sources: listed,
    wouldBeTaken: candidates.length,
    known: knownCount,
    ...(comparedCount > 0 ? { compared: comparedCount } : {}),
  };
  return { run, candidates };
}

function outcomeOf(state: SourceState): DryRun['sources'][number]['outcome'] {
  if (state.kind === 'queued') return 'would-be-taken';
  return state.kind === 'waiting' && state.why === 'comparing' ? 'would-be-compared' : 'known';
}

const maxShown = 60;

type Listed = DryRun['sources'][number];

/**
 * Adds the detected kinds of the first sources, or under a rule with a fixed kind, those that would be held.
 */
export async function withKinds(
  rule: WatchRule,
  run: DryRun,
  foundSources: readonly FoundSource[],
  parts: KindParts,
): Promise<DryRun> {
  const byPath = new Map(foundSources.map((source) => [source.path, source]));
  const sources: Listed[] = [];
  let wouldBeHeld = 0;
  for (const listed of run.sources) {
    const source = sources.length < maxShown ? byPath.get(listed.path) : undefined;
    const kindFields =
      source && listed.outcome === 'would-be-taken' ? await kindIn(rule, source, parts) : ({} as const);
    if (kindFields.held) wouldBeHeld += 1;
    sources.push({ ...listed, ...kindFields });
  }
  return { ...run, sources, ...(wouldBeHeld > 0 ? { wouldBeHeld } : {}) };
}

async function kindIn(
  rule: WatchRule,
  source: FoundSource,
  parts: KindParts,
): Promise<Pick<Listed, 'sourceType' | 'held'>> {
  if (rule.kindFrom === 'content')
    return { sourceType: (await decideKind(source, parts))?.sourceType ?? null };
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
    const sourceFindings = await findings.find(rule, source, inTime);
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
