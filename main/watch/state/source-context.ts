import { isOtherCase, type Whereabouts, whereaboutsOf } from '../../files/whereabouts.ts';
import type { FoundSource, LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { decide, type SourceContext } from './decide.ts';
import type { Ledger } from './ledger/ledger.ts';
import { next, type SourceState, stateOf } from './source-state.ts';

export type KnownRows = Pick<Ledger, 'find' | 'withIdentity' | 'likePath' | 'contentSeen'>;

/** Gathers everything from the ledger and the disk that a decision needs. */
export async function readSourceContext(
  rule: WatchRule,
  source: FoundSource,
  ledger: KnownRows,
  currentTime: number,
  whereabouts = whereaboutsOf,
): Promise<SourceContext> {
  const entry = ledger.find(rule.id, source.path);
  const sameIdentity = entry && entry.state !== 'seen' ? [] : rowsLike(rule, source, ledger);
  const whereaboutsByPath = new Map<string, Whereabouts>();
  for (const { path, movedTo } of sameIdentity)
    if (movedTo === null) whereaboutsByPath.set(path, await whereabouts(rule.folder, path, source.path));
  return {
    source,
    entry,
    sameIdentity,
    rule,
    currentTime,
    isThere: (path) => whereaboutsByPath.get(path) ?? false,
    content: ledger.contentSeen(rule.id, source.path, source.digest),
  };
}

/** Same identity, or a path that differs only by case. */
function rowsLike(rule: WatchRule, source: FoundSource, ledger: KnownRows): readonly LedgerEntry[] {
  const alike = ledger.withIdentity(rule.id, source.identity);
  const called = ledger.likePath(rule.id, source.path).filter(({ path }) => isOtherCase(path, source.path));
  return [...alike, ...called.filter(({ path }) => !alike.some((row) => row.path === path))];
}

export interface ForeseenSource {
  readonly source: FoundSource;
  /** As if it had settled. */
  readonly state: SourceState;
}

/** The states that sources would have under a rule. */
export async function foreseeStates(
  rule: WatchRule,
  sources: readonly FoundSource[],
  ledger: KnownRows,
  currentTime: number,
): Promise<readonly ForeseenSource[]> {
  const foreseen: ForeseenSource[] = [];
  for (const source of sources) {
    const context = await readSourceContext(rule, source, ledger, currentTime);
    const event = { kind: 'seen', decision: decide(context), isFinished: true } as const;
    foreseen.push({ source, state: next(stateOf(context.entry), event) });
  }
  return foreseen;
}
