import type { Shortcut } from '../../../shared/shortcuts.ts';
import { scoreOf, wordsIn } from '../../words/find-words.ts';

const entryGroups = ['actions', 'screens', 'jobs', 'assets', 'help'] as const;
type EntryGroup = (typeof entryGroups)[number];

/** Something that the palette leads to. */
export interface Entry {
  /** The same at every start, so that what was used last is known again. */
  readonly id: string;
  readonly group: EntryGroup;
  readonly label: string;
  /** Of the label, where it is a document's. */
  readonly language?: string;
  /** Beside it, and found by its words too. */
  readonly detail?: string;
  readonly shortcut?: Shortcut;
  /** Only for who asks for it by words: there are too many. */
  readonly onlyFound?: true;
  readonly run: () => void;
}

export interface EntryList {
  readonly group: EntryGroup | 'recent';
  readonly entries: readonly Entry[];
}

/** So many of a group are listed; whoever needs more enters more words. */
const maxOfGroup = 8;
const maxRecent = 5;

/**
 * Those that fit the words that were typed, in groups, the group with the best one first. Without words: what
 * was used last, then what there is. `recent`: ids, the last first.
 */
export function listEntries(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): readonly EntryList[] {
  const words = wordsIn(typed);
  return words.length === 0 ? unasked(entries, recent) : asked(entries, words, recent);
}

function unasked(entries: readonly Entry[], recent: readonly string[]): readonly EntryList[] {
  const last = recent.flatMap((id) => entries.find((entry) => entry.id === id) ?? []).slice(0, maxRecent);
  const others = entries.filter((entry) => !entry.onlyFound && !last.includes(entry));
  const lists = entryGroups.map((group) => ({
    group,
    entries: others.filter((entry) => entry.group === group).slice(0, maxOfGroup),
  }));
  return [{ group: 'recent' as const, entries: last }, ...lists].filter((list) => list.entries.length > 0);
}

function asked(
  entries: readonly Entry[],
  words: readonly string[],
  recent: readonly string[],
): readonly EntryList[] {
  const scored = entries
    .map((entry) => ({ entry, score: scoreOfEntry(entry, words, recent) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  return entryGroups
    .map((group) => {
      const found = scored.filter(({ entry }) => entry.group === group).slice(0, maxOfGroup);
      return { group, entries: found.map(({ entry }) => entry), best: found[0]?.score ?? 0 };
    })
    .filter(({ best }) => best > 0)
    .toSorted((a, b) => b.best - a.best);
}

/** Of two that fit alike, the one that was used last comes first. */
function scoreOfEntry(
  { id, label, detail = '' }: Entry,
  words: readonly string[],
  recent: readonly string[],
): number {
  const score = scoreOf(words, [
    { text: label, weight: 2 },
    { text: detail, weight: 1, least: 3 },
  ]);
  return score > 0 && recent.includes(id) ? score + 0.5 : score;
}
