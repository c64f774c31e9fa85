import type { Phrase } from '../strings/phrase.ts';

/** Why a file wasn't read. `limit`: it would have taken too many bytes. */
export const notReadReasons = ['no-reader', 'unreadable', 'only-in-cloud', 'limit'] as const;

/**
 * How thoroughly a file was checked. `read`: header and end, as its format allows. `end-only`: completeness.
 * `head-only`: the beginning of a file in an archive. `names-only`: an archive's directory, or the name of a
 * file in one. `wrong-format`: the content contradicts the name.
 */
export const degrees = [
  'read',
  'end-only',
  'head-only',
  'names-only',
  'wrong-format',
  ...notReadReasons,
] as const;

export type Degree = (typeof degrees)[number];

export interface DegreeGroup {
  readonly degree: Degree;
  readonly count: number;
  /** Keys of the first few; empty for files that were read. */
  readonly examples: readonly string[];
}

/** Number of files of a degree. */
export const countOf = (groups: readonly DegreeGroup[], degree: Degree): number =>
  groups.find((group) => group.degree === degree)?.count ?? 0;

/** Whether there are data files and all were read as far as their format allows. */
export const areAllRead = (groups: readonly DegreeGroup[]): boolean =>
  groups.length > 0 && groups.every(({ degree }) => degree === 'read');

/** Findings already name files of these degrees. */
const degreesInFindings: ReadonlySet<Degree> = new Set(['read', 'wrong-format', 'only-in-cloud']);

/** Files that weren't fully read and that no finding names. */
export const unreadIn = (groups: readonly DegreeGroup[]): readonly DegreeGroup[] =>
  groups.filter(({ degree }) => !degreesInFindings.has(degree));

/** Phrases for unread files and the reasons. */
export function notReadPhrases(groups: readonly DegreeGroup[]): readonly Phrase[] {
  if (groups.length === 0) return [{ key: 'degrees.none' }];
  return unreadIn(groups).map(({ degree, count, examples }) => {
    const names = { names: examples, more: count - examples.length };
    const unreadDegree = degree as Unread;
    return { key: `degrees.${unreadDegree}` as const, values: { count, names } };
  });
}

type Unread = Exclude<Degree, 'read' | 'wrong-format' | 'only-in-cloud'>;
