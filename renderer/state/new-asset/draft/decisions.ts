/** The ways out of findings that the sheet offers, and what a person decided: none writes into the source. */

import type { FindingGroup, FindingId, SomeFiles, SourceChanges } from '../../../../preload/contract.ts';
import { type Fix, factsOf } from '../../../../shared/findings.ts';

/** What was decided about the files of a finding. */
export type Decision =
  | { readonly kind: 'leave-out' }
  /** EPSG code. */
  | { readonly kind: 'assign'; readonly epsg: number }
  /** In the words of a file beside them. */
  | Extract<Fix, { kind: 'assign-wkt' }>
  /** Files beside those that were dropped, absolute. */
  | { readonly kind: 'take-along'; readonly paths: readonly string[] }
  /** Filled into the options of the form. Degrees, metres above the ellipsoid. */
  | Extract<Fix, { kind: 'position' }>;

/** What was decided, by the `groupId` of each finding. */
export type Decisions = Readonly<Record<string, Decision>>;

/** A way out of a finding, as a button offers it. */
export type Way =
  | Decision
  /** The system is asked for. */
  | { readonly kind: 'ask-system' }
  | { readonly kind: 'switch'; readonly sourceType: string }
  | { readonly kind: 'split' };

/**
 * The same as long as the finding is: values of the whole source and examples change as it is looked into.
 */
export function groupId({ id, values, inArchives }: FindingGroup): string {
  const { ofWhole, withExamples } = factsOf(id);
  const name = ofWhole || withExamples ? id : JSON.stringify([id, values]);
  return inArchives ? `${name} in archives` : name;
}

/** What may well be left out, although it need not disappoint anyone. */
const alsoLeftOut: readonly FindingId[] = ['far-away', 'unlisted-format', 'las-no-points'];

/** What the ways out of a finding depend on besides. */
interface Around {
  /** All of the asset. */
  readonly groups: readonly FindingGroup[];
  readonly fileCount: number;
  /** Each can become an asset by itself. */
  readonly canSplit: boolean;
}

/** The ways out of a finding, the likeliest first. */
export function waysOut(group: FindingGroup, around: Around): readonly Way[] {
  const { fix } = group;
  const ways: Way[] = [];
  if (fix?.kind === 'take-along') ways.push(fix);
  if (fix?.kind === 'position') ways.push(fix);
  if (fix?.kind === 'assign' && filesOf(group, around.groups)) {
    if (fix.epsg !== undefined) ways.push({ kind: 'assign', epsg: fix.epsg });
    ways.push({ kind: 'ask-system' });
  }
  if (fix?.kind === 'assign-wkt' && filesOf(group, around.groups)) ways.push(fix, { kind: 'ask-system' });
  if (fix?.kind === 'switch') ways.push({ kind: 'switch', sourceType: fix.sourceType });
  if (fix?.kind === 'split' && around.canSplit) ways.push({ kind: 'split' });
  if (canLeaveOut(group, around)) ways.push({ kind: 'leave-out' });
  return ways;
}

function canLeaveOut(group: FindingGroup, { groups, fileCount }: Around): boolean {
  const { id, fix, count, inArchives } = group;
  if (inArchives || count >= fileCount || fix?.kind === 'switch' || filesOf(group, groups) === null)
    return false;
  return fix?.kind === 'leave-out' || factsOf(id).level !== 'worth-knowing' || alsoLeftOut.includes(id);
}

/**
 * The files of a finding as main is told of them: by their keys, or by the finding where it has more files
 * than the page knows. Null where neither names them all, and them alone.
 */
function filesOf({ id, count, keys }: FindingGroup, groups: readonly FindingGroup[]): SomeFiles | null {
  if (keys.length === 0) return null;
  if (keys.length >= count) return { keys };
  const isOnly = groups.filter((group) => group.id === id).length === 1;
  return isOnly && !factsOf(id).ofWhole ? { finding: id } : null;
}

/** @param groups those of the findings that are said, in their order */
export function changesOf(groups: readonly FindingGroup[], decisions: Decisions): SourceChanges | null {
  const decided = groups.flatMap((group) => {
    const decision = decisions[groupId(group)];
    const files = filesOf(group, groups);
    return decision && files ? [{ decision, files }] : [];
  });
  const takenAlong = takenAlongPaths(decisions);
  const worded = decided.flatMap(({ decision, files }) =>
    decision.kind === 'assign-wkt' ? [{ wkt: decision.wkt, files }] : [],
  );
  if (decided.length === 0 && takenAlong.length === 0) return null;
  return {
    leftOut: decided.flatMap(({ decision, files }) => (decision.kind === 'leave-out' ? [files] : [])),
    assigned: decided.flatMap(({ decision, files }) =>
      decision.kind === 'assign' ? [{ epsg: decision.epsg, files }] : [],
    ),
    ...(worded.length > 0 && { worded }),
    ...(takenAlong.length > 0 && { takenAlong }),
  };
}

/** Files that are taken along from beside the source, each once. */
export function takenAlongPaths(decisions: Decisions): readonly string[] {
  const paths = Object.values(decisions).flatMap((one) => (one.kind === 'take-along' ? one.paths : []));
  return [...new Set(paths)];
}

/** Both, as one; what comes later counts where they differ. */
export function joinChanges(kept: SourceChanges | null, decided: SourceChanges | null): SourceChanges | null {
  if (!kept || !decided) return kept ?? decided;
  return {
    leftOut: [...kept.leftOut, ...decided.leftOut],
    assigned: [...kept.assigned, ...decided.assigned],
    ...((kept.worded || decided.worded) && { worded: [...(kept.worded ?? []), ...(decided.worded ?? [])] }),
  };
}

/** Keys of the files that are left out, as far as the page knows them. */
export function leftOutKeys(groups: readonly FindingGroup[], decisions: Decisions): ReadonlySet<string> {
  return new Set(leftOutGroups(groups, decisions).flatMap(({ keys }) => keys));
}

/** How many files are left out; null where files that the page does not know might be counted twice. */
export function leftOutCount(groups: readonly FindingGroup[], decisions: Decisions): number | null {
  const leftOut = leftOutGroups(groups, decisions);
  const [only] = leftOut;
  if (only && leftOut.length === 1) return only.count;
  if (leftOut.some(({ count, keys }) => count > keys.length)) return null;
  return new Set(leftOut.flatMap(({ keys }) => keys)).size;
}

function leftOutGroups(groups: readonly FindingGroup[], decisions: Decisions): readonly FindingGroup[] {
  return groups.filter((group) => decisions[groupId(group)]?.kind === 'leave-out');
}
