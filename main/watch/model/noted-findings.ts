import { z } from 'zod';
import { furtherOptions } from '../../../shared/creation-options.ts';
import { type DegreeGroup, degrees, unreadIn } from '../../../shared/degrees.ts';
import {
  type FindingGroup,
  type FindingId,
  factsOf,
  findingFacts,
  findingLevels,
  mattersTo,
} from '../../../shared/findings.ts';
import { hasOption, type OptionName } from '../../../shared/tiling-options.ts';
import type { Said } from '../../../strings/phrase.ts';
import type { WatchRule } from './rule.ts';

/** Findings in the files of a source. Pure. */

/** The texts are at `findings.*` in the catalogue. */
export interface NotedFinding {
  readonly id: FindingId;
  readonly values?: FindingGroup['values'] | undefined;
  /** The first few keys are in `files`. */
  readonly count: number;
  readonly files: readonly string[];
}

/** An inspection's outcome, for the receipt. */
export interface NotedInspection {
  readonly findings: readonly NotedFinding[];
  /** Number of files of each degree; empty if none was inspected. */
  readonly degrees: readonly DegreeGroup[];
}

export const notInspected: NotedInspection = { findings: [], degrees: [] };

/** Files named per finding. */
export const namedAtMost = 3;
/** Per source: one group for each ID, and some that differ in their values. */
const notedAtMost = 50;

/** Options by which a rule may state what files lack. */
const statedBy: { readonly [Id in FindingId]?: OptionName } = {
  'no-system-raster': 'inputCrs',
  'no-system-points': 'inputCrs',
  'no-vertical': 'heightReference',
};

/**
 * Returns findings relevant to these kinds, worst first.
 *
 * @param options further options of the rule, as text
 */
export function noted(
  groups: readonly FindingGroup[],
  sourceTypes: readonly string[],
  options: string,
): readonly NotedFinding[] {
  const chosen = furtherOptions(options);
  const isStated = (option: OptionName) =>
    typeof chosen[option] === 'string' && sourceTypes.some((type) => hasOption(type, option));
  return groups
    .filter(({ id }) => {
      const option = statedBy[id];
      return mattersTo(id, sourceTypes) && !(option && isStated(option));
    })
    .slice(0, notedAtMost)
    .map(({ id, values, count, keys }) => ({
      ...{ id, ...(values && { values }), count },
      files: keys.slice(0, namedAtMost),
    }));
}

/** Reports files that weren't fully read and that no other finding names. */
export function notedUnread(groups: readonly DegreeGroup[]): readonly NotedFinding[] {
  const unread = unreadIn(groups);
  if (unread.length === 0) return [];
  const files = unread.flatMap(({ examples }) => examples).slice(0, namedAtMost);
  return [{ id: 'not-read', count: unread.reduce((sum, { count }) => sum + count, 0), files }];
}

/** Findings for which the rule holds a source. */
export function holdingBack(
  findings: readonly NotedFinding[],
  hold: WatchRule['hold'],
): readonly NotedFinding[] {
  if (hold === 'never') return [];
  const grave = hold === 'will-fail' ? findingLevels.slice(0, 1) : findingLevels.slice(0, 2);
  return findings.filter(({ id }) => grave.includes(factsOf(id).level));
}

/** Describes a finding: `1 file is truncated: a.tif.` */
export function foundPhrase({ id, values, count, files }: NotedFinding): Said {
  const finding = { key: `findings.${id}.title` as const, values: { ...values, count } };
  return {
    key: 'sources.held.found',
    values: { what: finding, names: { names: files, more: count - files.length } },
  };
}

const ids = Object.keys(findingFacts) as [FindingId, ...FindingId[]];

/** The stored findings without those of later versions. */
export const notedRecord = z
  .array(
    z
      .object({
        id: z.enum(ids),
        values: z.record(z.string(), z.custom<NonNullable<NotedFinding['values']>[string]>()).optional(),
        count: z.number(),
        files: z.array(z.string()),
      })
      .nullable()
      .catch(null),
  )
  .transform((findings): readonly NotedFinding[] => findings.filter((finding) => finding !== null));

export const degreesRecord = z
  .array(z.object({ degree: z.enum(degrees), count: z.number(), examples: z.array(z.string()).readonly() }))
  .readonly();
