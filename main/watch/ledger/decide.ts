import type { FoundSource, LedgerEntry } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { retryTimeOf } from './retry-delay.ts';
import { isSameContent } from './same-content.ts';
import { allowsAnother } from './second-asset.ts';

/** What is to become of a source that lies in a watched folder, by what the ledger knows of it. Pure. */

export type Decision =
  /** It is to become an asset once it has settled. `again`: it failed before and has not changed. */
  | { readonly kind: 'take'; readonly again: boolean }
  /** It was taken before, or is not wanted, and is as it was then. */
  | { readonly kind: 'known' }
  /** It was taken before under this path, where nothing lies any more. */
  | { readonly kind: 'renamed'; readonly from: string }
  /** It failed, and its time for another try comes then, ms since the epoch. */
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'leave'; readonly why: 'under-way' | 'rule-leaves-changed' };

export interface Sighting {
  readonly found: FoundSource;
  /** The ledger's row of its path. */
  readonly known: LedgerEntry | undefined;
  /** Rows of sources with its content, whatever their path; only looked at where its path is not known. */
  readonly sameIdentity: readonly LedgerEntry[];
  readonly rule: Pick<WatchRule, 'whenChanged'>;
  /** ms since the epoch. */
  readonly now: number;
  /** Whether something lies at this path of the watched folder. */
  readonly isThere: (path: string) => boolean;
}

export function decide(sighting: Sighting): Decision {
  const { found, known, now } = sighting;
  if (!known) return decideUnknown(sighting);
  if (isSameContent(found, known)) return decideSame(known, now);
  return decideChanged(known, sighting.rule);
}

/** A copy beside the original is a source of its own, and so is what comes again after we moved it away. */
function decideUnknown({ found, sameIdentity, isThere }: Sighting): Decision {
  const before = sameIdentity.find(
    (row) =>
      row.path !== found.path && row.movedTo === null && isSameContent(found, row) && !isThere(row.path),
  );
  if (!before) return { kind: 'take', again: false };
  // Its job is about to fail, or will end all the same: until then nobody knows whether this is an asset.
  if (before.state === 'taken') return { kind: 'leave', why: 'under-way' };
  // What failed for its name or its place has a new one now.
  const isCured = before.state === 'waits-for-change' && before.error?.code.startsWith('source-');
  return isCured ? { kind: 'take', again: false } : { kind: 'renamed', from: before.path };
}

function decideSame(known: LedgerEntry, now: number): Decision {
  if (known.state !== 'waits-for-retry') return { kind: 'known' };
  const at = retryTimeOf(known, now);
  // What is all there is tried again as itself or not at all.
  if (!allowsAnother(known)) return { kind: 'later', at };
  return at <= now ? { kind: 'take', again: true } : { kind: 'later', at };
}

function decideChanged({ state }: LedgerEntry, rule: Pick<WatchRule, 'whenChanged'>): Decision {
  switch (state) {
    case 'taken':
      return { kind: 'leave', why: 'under-way' };
    case 'complete':
    case 'skipped':
      return rule.whenChanged === 'new-asset'
        ? { kind: 'take', again: false }
        : { kind: 'leave', why: 'rule-leaves-changed' };
    case 'waits-for-change':
    case 'waits-for-retry':
    case 'waits-for-person':
      return { kind: 'take', again: false };
  }
}
