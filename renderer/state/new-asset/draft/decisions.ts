/** Solutions for findings, and the person's decisions. None modifies the source. */

import type { FindingGroup, FindingId, SomeFiles, SourceChanges } from '../../../../preload/contract.ts';
import { type Fix, factsOf } from '../../../../shared/findings.ts';
import { hasOption, optionFacts } from '../../../../shared/tiling-options.ts';

export type Decision =
  | { readonly kind: 'leave-out' }
  | { readonly kind: 'assign'; readonly epsg: number }
  /** WKT from a sidecar file. */
  | Extract<Fix, { kind: 'assign-wkt' }>
  /** Absolute paths of sidecar files that weren't dropped. */
  | { readonly kind: 'take-along'; readonly paths: readonly string[] }
  /** Filled into the form's options. Position in degrees, metres above the ellipsoid. */
  | Extract<Fix, { kind: 'position' | 'tileset-root' }>
  | (Extract<Fix, { kind: 'option' }> & { readonly value: string });

export type Decisions = Readonly<Record<string, Decision>>;

export type Way =
  | Decision
  | { readonly kind: 'ask-system' }
  | { readonly kind: 'switch'; readonly sourceType: string }
  | { readonly kind: 'split' };

/** Stable id of a finding: its counts and examples change during inspection. */
export function groupId({ id, values, inArchives }: FindingGroup): string {
  const { ofWhole, withExamples } = factsOf(id);
  const name = ofWhole || withExamples ? id : JSON.stringify([id, values]);
  return inArchives ? `${name} in archives` : name;
}

/** Harmless findings whose files may be left out as well. */
const alsoLeftOut: readonly FindingId[] = ['far-away', 'unlisted-format', 'las-no-points'];

interface FindingContext {
  readonly groups: readonly FindingGroup[];
  /** Files without sidecars. */
  readonly dataCount: number;
  readonly canSplit: boolean;
  readonly sourceType: string;
}

export function waysOut(group: FindingGroup, context: FindingContext): readonly Way[] {
  const { fix } = group;
  const offeredWays: Way[] = [];
  if (fix?.kind === 'take-along') offeredWays.push(fix);
  if (fix?.kind === 'position' || fix?.kind === 'tileset-root') offeredWays.push(fix);
  if (fix?.kind === 'option' && hasOption(context.sourceType, fix.option))
    offeredWays.push(...(optionFacts(fix.option).choices ?? []).map((value) => ({ ...fix, value })));
  if (fix?.kind === 'assign' && filesOf(group, context.groups)) {
    if (fix.epsg !== undefined) offeredWays.push({ kind: 'assign', epsg: fix.epsg });
    offeredWays.push({ kind: 'ask-system' });
  }
  if (fix?.kind === 'assign-wkt' && filesOf(group, context.groups))
    offeredWays.push(fix, { kind: 'ask-system' });
  if (fix?.kind === 'switch') offeredWays.push({ kind: 'switch', sourceType: fix.sourceType });
  if (fix?.kind === 'split' && context.canSplit) offeredWays.push({ kind: 'split' });
  if (canLeaveOut(group, context)) offeredWays.push({ kind: 'leave-out' });
  return offeredWays;
}

function canLeaveOut(group: FindingGroup, { groups, dataCount }: FindingContext): boolean {
  const { id, fix, count, inArchives } = group;
  if (inArchives || count >= dataCount || fix?.kind === 'switch' || filesOf(group, groups) === null)
    return false;
  return fix?.kind === 'leave-out' || factsOf(id).level !== 'worth-knowing' || alsoLeftOut.includes(id);
}

/**
 * A finding's files for main: by key, or by finding if the page lacks keys. Null if neither names exactly
 * these files.
 */
function filesOf({ id, count, keys }: FindingGroup, groups: readonly FindingGroup[]): SomeFiles | null {
  if (keys.length === 0) return null;
  if (keys.length >= count) return { keys };
  const isOnly = groups.filter((group) => group.id === id).length === 1;
  return isOnly && !factsOf(id).ofWhole ? { finding: id } : null;
}

/** @param groups listed findings in order */
export function changesOf(groups: readonly FindingGroup[], decisions: Decisions): SourceChanges | null {
  const decidedGroups = groups.flatMap((group) => {
    const decision = decisions[groupId(group)];
    const files = filesOf(group, groups);
    return decision && decision.kind !== 'option' && files ? [{ decision, files }] : [];
  });
  const companions = takenAlongPaths(decisions);
  const wordedSystems = decidedGroups.flatMap(({ decision, files }) =>
    decision.kind === 'assign-wkt' ? [{ wkt: decision.wkt, files }] : [],
  );
  if (decidedGroups.length === 0 && companions.length === 0) return null;
  return {
    leftOut: decidedGroups.flatMap(({ decision, files }) => (decision.kind === 'leave-out' ? [files] : [])),
    assigned: decidedGroups.flatMap(({ decision, files }) =>
      decision.kind === 'assign' ? [{ epsg: decision.epsg, files }] : [],
    ),
    ...(wordedSystems.length > 0 && { worded: wordedSystems }),
    ...(companions.length > 0 && { takenAlong: companions }),
  };
}

/** A coordinate system for files of a finding, as the map shows it. */
export interface SystemOfFiles {
  /** The ID of the finding. */
  readonly id: string;
  readonly label: string;
  /** EPSG code or WKT. */
  readonly system: number | string;
  readonly files: SomeFiles;
}

/** Systems that decisions assign. */
export function assignedSystems(
  groups: readonly FindingGroup[],
  decisions: Decisions,
): readonly SystemOfFiles[] {
  return groups.flatMap((group) => {
    const decision = decisions[groupId(group)];
    if (decision?.kind === 'assign') return systemOfFiles(group, groups, decision.epsg);
    return decision?.kind === 'assign-wkt' ? systemOfFiles(group, groups, decision.wkt, decision.name) : [];
  });
}

/** Nothing if the page can't name the finding's files. */
export function systemOfFiles(
  group: FindingGroup,
  groups: readonly FindingGroup[],
  system: number | string,
  label = `EPSG:${system}`,
): readonly SystemOfFiles[] {
  const files = filesOf(group, groups);
  return files ? [{ id: groupId(group), label, system, files }] : [];
}

export function takenAlongPaths(decisions: Decisions): readonly string[] {
  const paths = Object.values(decisions).flatMap((decision) =>
    decision.kind === 'take-along' ? decision.paths : [],
  );
  return [...new Set(paths)];
}

export function joinChanges(
  earlierChanges: SourceChanges | null,
  decidedChanges: SourceChanges | null,
): SourceChanges | null {
  if (!earlierChanges || !decidedChanges) return earlierChanges ?? decidedChanges;
  return {
    leftOut: [...earlierChanges.leftOut, ...decidedChanges.leftOut],
    assigned: [...earlierChanges.assigned, ...decidedChanges.assigned],
    ...((earlierChanges.worded || decidedChanges.worded) && {
      worded: [...(earlierChanges.worded ?? []), ...(decidedChanges.worded ?? [])],
    }),
  };
}

/** Keys of files left out, as far as they are loaded. */
export function leftOutKeys(groups: readonly FindingGroup[], decisions: Decisions): ReadonlySet<string> {
  return new Set(leftOutGroups(groups, decisions).flatMap(({ keys }) => keys));
}

/** Number of files left out; null if files without keys might be counted twice. */
export function leftOutCount(groups: readonly FindingGroup[], decisions: Decisions): number | null {
  const leftOut = leftOutGroups(groups, decisions);
  const [firstGroup] = leftOut;
  if (firstGroup && leftOut.length === 1) return firstGroup.count;
  if (leftOut.some(({ count, keys }) => count > keys.length)) return null;
  return new Set(leftOut.flatMap(({ keys }) => keys)).size;
}

function leftOutGroups(groups: readonly FindingGroup[], decisions: Decisions): readonly FindingGroup[] {
  return groups.filter((group) => decisions[groupId(group)]?.kind === 'leave-out');
}
