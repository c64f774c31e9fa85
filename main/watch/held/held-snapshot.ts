import type { PhraseValue, Said } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import type { Key } from '../../../strings/say.ts';

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

function reason(why: HoldWhy, changed: WhatChanged | null, known: LedgerEntry | undefined): readonly Said[] {
  if (changed && why !== 'cannot-compare')
    return (['changed', 'added', 'removed'] as const)
      .filter((kind) => changed[kind].count > 0)
      .map((kind) => ({
        key: fileWords[kind],
        values: { count: changed[kind].count, names: listed(changed[kind]) },
      }));
  if (known?.error && isUntoldElsewhere(known)) return [errorPhrase(known.error)];
  const isUnwanted = why === 'changed' && known?.state === 'skipped';
  return [{ key: isUnwanted ? 'sources.held.unwanted' : reasonWords[why] }];
}

function listed({ count, names }: Named): PhraseValue {
  return { names, more: count - names.length };
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
    why: [...reason(why, changed, known), { key: 'sources.held.nothing' }],
    at: since,
    ...(known ? { takenAt: known.takenAt } : {}),
    jobId: null,
    assetId: known?.assetId ?? null,
    error,
    actions: error ? ['leave-it', 'try-again'] : ['leave-it', 'make-asset'],
  };
}
