import type { DryRun, DryRunLooked, ErrorRecord } from '../../../preload/contract.ts';
import { formatFacts, formatNames, say } from '../../say.ts';
import { kindLabel } from '../../words/kinds.ts';

export type DryRunState =
  | { readonly kind: 'none' }
  | { readonly kind: 'looking'; readonly previous: DryRun | null }
  /** `inspection`: null until files were inspected. */
  | { readonly kind: 'found'; readonly run: DryRun; readonly inspection: DryRunLooked | null }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };

interface Fate {
  readonly uploaded: number;
  readonly heldCount: number;
}

/** Outcome for all sources. `inspection`: null until files were inspected. */
function fateOf(run: DryRun, inspection: DryRunLooked | null): Fate {
  const heldSources = [...run.sources.filter((source) => source.held), ...(inspection?.held ?? [])];
  const paths = new Set(heldSources.map(({ path }) => path));
  const heldCount = Math.min(run.wouldBeTaken, Math.max(paths.size, inspection?.heldCount ?? 0));
  return { heldCount, uploaded: run.wouldBeTaken - heldCount };
}

/** Outcome for sources that only the changed rule takes. */
function newFateOf({ newlyTaken = 0, newlyHeld = 0 }: DryRun, inspection: DryRunLooked | null): Fate {
  const heldCount = Math.min(newlyTaken, Math.max(newlyHeld, inspection?.newlyHeld ?? 0));
  return { heldCount, uploaded: newlyTaken - heldCount };
}

/** `These 7 sources would become assets now`; with held ones `5 of these 7 …`. */
export function dryRunTitle(run: DryRun, inspection: DryRunLooked | null): string {
  const { wouldBeTaken: total, known: knownCount, compared: comparedCount = 0 } = run;
  const { uploaded: uploadedCount, heldCount } = fateOf(run, inspection);
  if (total > 0 && heldCount === 0) return say('watchEditor.dryRun.found', { count: total });
  if (total > 0 && uploadedCount === 0) return say('watchEditor.dryRun.allHeld', { count: total });
  if (total > 0) return say('watchEditor.dryRun.someFound', { count: uploadedCount, total });
  if (comparedCount > 0) return say('watchEditor.dryRun.comparedFirst', { count: comparedCount });
  return knownCount > 0 ? say('watchEditor.dryRun.nothingNew') : say('watchEditor.dryRun.empty');
}

/** `Imagery (12), Point cloud (2)`: the kinds of the listed sources; empty if the rule names one kind. */
export function detectedKinds({ sources }: DryRun): string {
  const counts = new Map<string, number>();
  for (const { sourceType } of sources) {
    if (sourceType === undefined) continue;
    const kind = sourceType === null ? say('watchEditor.dryRun.kindUnclear') : kindLabel(sourceType);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const sortedCounts = [...counts].toSorted(([, a], [, b]) => b - a);
  return formatNames(
    sortedCounts.map(([kind, count]) => say('watchEditor.kind.detectedCount', { kind, count })),
  );
}

/** Text below a list of this length; empty if it is complete. */
export function dryRunRest(run: DryRun, listedCount: number): string {
  const parts: string[] = [];
  if (run.wouldBeTaken > listedCount)
    parts.push(say('watchEditor.dryRun.more', { count: run.wouldBeTaken - listedCount }));
  if (run.known > 0) parts.push(say('watchEditor.dryRun.known', { count: run.known }));
  if (run.compared && run.wouldBeTaken > 0)
    parts.push(say('watchEditor.dryRun.compared', { count: run.compared }));
  return formatFacts(parts);
}

/** `2 will be held, for the reasons below`; empty if there are none or the title covers it. */
export function dryRunHeld(run: DryRun, inspection: DryRunLooked | null): string {
  const { heldCount, uploaded: uploadedCount } = fateOf(run, inspection);
  return heldCount > 0 && uploadedCount > 0
    ? say('watchEditor.dryRun.wouldBeHeld', { count: heldCount })
    : '';
}

/** `120 of 340 sources checked`; empty without inspection. */
export function dryRunLooked(inspection: DryRunLooked | null): string {
  if (inspection === null) return '';
  const key = inspection.isOver ? 'watchEditor.dryRun.checked' : 'watchEditor.dryRun.checking';
  return say(key, { looked: inspection.looked, total: inspection.total });
}

type Row = DryRun['sources'][number] & { readonly why: DryRunLooked['held'][number]['why'] };

/** Held sources with reasons, then the first of the others. */
export function dryRunRows(run: DryRun, inspection: DryRunLooked | null, limit: number): readonly Row[] {
  const heldByPath = new Map((inspection?.held ?? []).map((source) => [source.path, source]));
  const sources = run.sources.filter(({ outcome }) => outcome === 'would-be-taken');
  const rows = sources.map((source) => ({
    ...source,
    why: heldByPath.get(source.path)?.why ?? source.held ?? [],
  }));
  for (const { path } of rows) heldByPath.delete(path);
  const unlistedRows = [...heldByPath.values()].map(
    (source): Row => ({ ...source, outcome: 'would-be-taken' }),
  );
  const [heldRows, otherRows] = [
    rows.filter(({ why }) => why.length > 0),
    rows.filter(({ why }) => why.length === 0),
  ];
  return [...heldRows, ...unlistedRows, ...otherRows].slice(
    0,
    Math.max(limit, heldRows.length + unlistedRows.length),
  );
}

interface ExistingQuestion {
  readonly about: string;
  readonly take: string;
  readonly leave: string;
}

/** `run`: null during the first look. */
export function existingQuestion(
  isNew: boolean,
  run: DryRun | null,
  inspection: DryRunLooked | null,
  looking: boolean,
): ExistingQuestion | null {
  if (isNew) {
    if (run === null ? !looking : run.wouldBeTaken === 0) return null;
    const takeLabel =
      run === null ? say('watchEditor.existing.takeUnknown') : takeWords(fateOf(run, inspection));
    return { about: '', take: takeLabel, leave: say('watchEditor.existing.leave') };
  }
  const count = run?.newlyTaken ?? 0;
  if (run === null || count === 0) return null;
  return {
    about: say('watchEditor.existing.changed', { count }),
    take: takeWords(newFateOf(run, inspection)),
    leave: say('watchEditor.existing.leaveIt', { count }),
  };
}

function takeWords({ uploaded: uploadedCount, heldCount }: Fate): string {
  if (heldCount === 0) return say('watchEditor.existing.take', { count: uploadedCount });
  return uploadedCount === 0
    ? say('watchEditor.existing.hold', { count: heldCount })
    : say('watchEditor.existing.takeSome', { count: uploadedCount, held: heldCount });
}

export function saveWords(isNew: boolean, takeExisting: boolean, dryRunState: DryRunState): string {
  if (!isNew) {
    const count =
      dryRunState.kind === 'found' ? newFateOf(dryRunState.run, dryRunState.inspection).uploaded : 0;
    return takeExisting && count > 0
      ? say('watchEditor.save.upload', { count })
      : say('watchEditor.save.kept');
  }
  if (dryRunState.kind === 'none') return say('watchEditor.save.watch');
  if (!takeExisting) return say('watchEditor.save.fromNowOn');
  if (dryRunState.kind !== 'found') return say('watchEditor.save.takeUnknown');
  const { uploaded: count } = fateOf(dryRunState.run, dryRunState.inspection);
  return count === 0 ? say('watchEditor.save.watch') : say('watchEditor.save.take', { count });
}
