import type { Phrase } from '../strings/phrase.ts';

/** Why a file was not read. `limit`: reading it would have taken too many bytes. */
export const notReadReasons = ['no-reader', 'unreadable', 'only-in-cloud', 'limit'] as const;

/**
 * How thoroughly a file was checked, or why it was not. `read`: its header and its end, as far as its format
 * has them. `end-only`: whether it is complete. `head-only`: the beginning of a file in an archive.
 * `names-only`: the directory of an archive, or the name of a file in one. `wrong-format`: it is not what its
 * name says.
 */
const degrees = ['read', 'end-only', 'head-only', 'names-only', 'wrong-format', ...notReadReasons] as const;

export type Degree = (typeof degrees)[number];

/** Files that were checked to the same degree. */
export interface DegreeGroup {
  readonly degree: Degree;
  readonly count: number;
  /** Keys of the first few; none of files that were read. */
  readonly examples: readonly string[];
}

/** Files of a degree. */
export const countOf = (groups: readonly DegreeGroup[], degree: Degree): number =>
  groups.find((group) => group.degree === degree)?.count ?? 0;

/** Whether there are data files, and each of them was read as far as its format allows. */
export const areAllRead = (groups: readonly DegreeGroup[]): boolean =>
  groups.length > 0 && groups.every(({ degree }) => degree === 'read');

/** Findings name these files already. */
const ofFindings: ReadonlySet<Degree> = new Set(['read', 'wrong-format', 'only-in-cloud']);

/** What was not read, and why, in words; empty where everything was, or where findings say it. */
export function notReadPhrases(groups: readonly DegreeGroup[]): readonly Phrase[] {
  if (groups.length === 0) return [{ key: 'degrees.none' }];
  return groups.flatMap(({ degree, count, examples }) => {
    const names = { names: examples, more: count - examples.length };
    if (ofFindings.has(degree)) return [];
    const unread = degree as Unread;
    return [{ key: `degrees.${unread}` as const, values: { count, names } }];
  });
}

type Unread = Exclude<Degree, 'read' | 'wrong-format' | 'only-in-cloud'>;
