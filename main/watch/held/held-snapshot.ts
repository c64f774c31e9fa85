import { type Key, say } from '../../../strings/say.ts';
import { saidError } from '../../errors.ts';
import { isUntoldElsewhere } from '../ledger/second-asset.ts';
import type { LedgerEntry, SourceSnapshot } from '../model.ts';
import type { HeldSource } from './held-sources.ts';
import type { HoldWhy } from './hold-reason.ts';
import type { Named, WhatChanged } from './what-changed.ts';

const fileWords = {
  changed: 'sources.held.filesChanged',
  added: 'sources.held.filesAdded',
  removed: 'sources.held.filesRemoved',
} as const satisfies Readonly<Record<keyof WhatChanged, Key>>;

const reasonWords: Readonly<Record<HoldWhy, Key>> = {
  changed: 'sources.held.changed',
  'cannot-compare': 'sources.held.cannotCompare',
  'many-changed': 'sources.held.manyChanged',
  restored: 'sources.held.restored',
  'kind-undecided': 'sources.held.kindUndecided',
};

function reason(why: HoldWhy, changed: WhatChanged | null, known: LedgerEntry | undefined): string {
  if (changed && why !== 'cannot-compare')
    return (['changed', 'added', 'removed'] as const)
      .filter((kind) => changed[kind].count > 0)
      .map((kind) => say(fileWords[kind], { count: changed[kind].count, names: listed(changed[kind]) }))
      .join(' ');
  if (known?.error && isUntoldElsewhere(known)) return saidError(known.error).message;
  return say(why === 'changed' && known?.state === 'skipped' ? 'sources.held.unwanted' : reasonWords[why]);
}

function listed({ count, names }: Named): string {
  const shown = names.join(', ');
  return count === names.length
    ? shown
    : say('sources.held.more', { names: shown, more: count - names.length });
}

/** A held source, as a person sees it. `known`: the ledger's row of its path. */
export function heldSnapshot(
  ruleId: string,
  { found, why, since, changed, error }: HeldSource,
  known: LedgerEntry | undefined,
): SourceSnapshot {
  return {
    ruleId,
    path: found.path,
    files: found.files.length,
    bytes: found.bytes,
    state: 'held',
    why: `${reason(why, changed, known)} ${say('sources.held.nothing')}`,
    at: since,
    ...(known ? { takenAt: known.takenAt } : {}),
    jobId: null,
    assetId: known?.assetId ?? null,
    error,
    actions: error ? ['leave-it', 'try-again'] : ['leave-it', 'make-asset'],
  };
}
