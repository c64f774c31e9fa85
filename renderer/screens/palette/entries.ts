import type { Shortcut } from '../../../shared/shortcuts.ts';
import { scoreOf, wordsIn } from '../../words/find-words.ts';

const entryGroups = ['actions', 'screens', 'settings', 'jobs', 'assets', 'help'] as const;
type EntryGroup = (typeof entryGroups)[number];

export interface Entry {
  /** Stable across starts, for the list of recent entries. */
  readonly id: string;
  readonly group: EntryGroup;
  readonly label: string;
  readonly language?: string;
  /** Shown next to the label, and searchable. */
  readonly detail?: string;
  /** Synonyms or text, searchable only. */
  readonly keywords?: string;
  readonly shortcut?: Shortcut;
  /** Listed only in searches: there are too many. */
  readonly onlyFound?: true;
  readonly run: () => void;
}

export interface EntryList {
  readonly group: EntryGroup | 'recent';
  readonly entries: readonly Entry[];
}

/** Entries per group; a longer query narrows them. */
const maxOfGroup = 8;
const maxRecent = 5;

/**
 * Entries that match the query, grouped, the best group first. Without a query: recent entries, then all.
 * `recent`: ids, latest first.
 */
export function listEntries(
  entries: readonly Entry[],
  enteredText: string,
  recentIds: readonly string[],
): readonly EntryList[] {
  const words = wordsIn(enteredText);
  return words.length === 0 ? entriesBeforeTyping(entries, recentIds) : matches(entries, words, recentIds);
}

function entriesBeforeTyping(entries: readonly Entry[], recentIds: readonly string[]): readonly EntryList[] {
  const recentEntries = recentIds
    .flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
    .slice(0, maxRecent);
  const otherEntries = entries.filter((entry) => !entry.onlyFound && !recentEntries.includes(entry));
  const lists = entryGroups.map((group) => ({
    group,
    entries: otherEntries.filter((entry) => entry.group === group).slice(0, maxOfGroup),
  }));
  return [{ group: 'recent' as const, entries: recentEntries }, ...lists].filter(
    (list) => list.entries.length > 0,
  );
}

function matches(
  entries: readonly Entry[],
  words: readonly string[],
  recentIds: readonly string[],
): readonly EntryList[] {
  const scored = entries
    .map((entry) => ({ entry, score: scoreOfEntry(entry, words, recentIds) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  return entryGroups
    .map((group) => {
      const results = scored.filter(({ entry }) => entry.group === group).slice(0, maxOfGroup);
      return { group, entries: results.map(({ entry }) => entry), bestScore: results[0]?.score ?? 0 };
    })
    .filter(({ bestScore }) => bestScore > 0)
    .toSorted((a, b) => rankOf(b) - rankOf(a));
}

/** Pages to read follow what can be done. */
const rankOf = ({ group, bestScore }: { readonly group: EntryGroup; readonly bestScore: number }): number =>
  group === 'help' ? bestScore / 10 : bestScore;

/** Recent entries win ties. */
function scoreOfEntry(
  { id, label, detail = '', keywords = '' }: Entry,
  words: readonly string[],
  recentIds: readonly string[],
): number {
  const score = scoreOf(words, [
    { text: label, weight: 2 },
    { text: detail, weight: 1, least: 3 },
    { text: keywords, weight: 1, least: 3 },
  ]);
  return score > 0 && recentIds.includes(id) ? score + 0.5 : score;
}
