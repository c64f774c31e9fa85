import type { FoundSource, LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { isOtherCase, type Whereabouts, whereaboutsOf } from '../scan/folder/whereabouts.ts';
import type { Sighting } from './decide.ts';
import type { Ledger } from './ledger/ledger-model.ts';

export type KnownRows = Pick<Ledger, 'find' | 'withIdentity' | 'likePath' | 'contentSeen'>;

interface SightingOptions {
  readonly now: number;
  readonly whereabouts?: typeof whereaboutsOf;
}

/** Gathers everything from the ledger and the disk that a decision needs. */
export async function sightingOf(
  rule: WatchRule,
  found: FoundSource,
  ledger: KnownRows,
  { now, whereabouts = whereaboutsOf }: SightingOptions,
): Promise<Sighting> {
  const known = ledger.find(rule.id, found.path);
  const sameIdentity = known && known.state !== 'seen' ? [] : rowsLike(rule, found, ledger);
  const there = new Map<string, Whereabouts>();
  for (const { path, movedTo } of sameIdentity)
    if (movedTo === null) there.set(path, await whereabouts(rule.folder, path, found.path));
  return {
    found,
    known,
    sameIdentity,
    rule,
    now,
    isThere: (path) => there.get(path) ?? false,
    content: ledger.contentSeen(rule.id, found.path, found.digest),
  };
}

/** Same identity, or a path that differs only by case. */
function rowsLike(rule: WatchRule, found: FoundSource, ledger: KnownRows): readonly LedgerEntry[] {
  const alike = ledger.withIdentity(rule.id, found.identity);
  const called = ledger.likePath(rule.id, found.path).filter(({ path }) => isOtherCase(path, found.path));
  return [...alike, ...called.filter(({ path }) => !alike.some((row) => row.path === path))];
}
