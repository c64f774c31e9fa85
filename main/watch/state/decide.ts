import type { HoldReason, HoldWhy } from '../../../shared/watch.ts';
import type { FoundSource, LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { type Content, compare } from '../scan/content.ts';
import { retryTimeOf } from './ledger/retry-delay.ts';
import { isRestOfDelivery, isUntouched, looksSame, maybeSameContent } from './ledger/same-content.ts';
import { allowsAnother, isRequested, isUnreadable, isUntoldElsewhere } from './ledger/second-asset.ts';

/** Decides about a source in a watched folder by its ledger row. Pure. */

export type Decision =
  /**
   * Once it has settled. `again`: it failed before and hasn't changed. `grew`: it was picked up before all of
   * it had arrived.
   */
  | { readonly kind: 'take'; readonly again: boolean; readonly grew?: true }
  /** Uploaded or skipped before, and unchanged. */
  | { readonly kind: 'known' }
  /** Uploaded from this path, which no longer exists. */
  | { readonly kind: 'renamed'; readonly from: string }
  /** Only its times differ. */
  | { readonly kind: 'touched' }
  /** Undecided until compared with the uploads of these rows. */
  | { readonly kind: 'compare'; readonly rows: readonly LedgerEntry[] }
  /** Retried at this time, ms since the epoch. */
  | { readonly kind: 'later'; readonly at: number }
  | { readonly kind: 'hold'; readonly why: HoldWhy }
  | { readonly kind: 'leave'; readonly why: 'under-way' | 'rule-leaves-changed' };

export interface Sighting {
  readonly found: FoundSource;
  readonly known: LedgerEntry | undefined;
  /** Same identity, or a path that differs only by case. Empty if `known` exists. */
  readonly sameIdentity: readonly LedgerEntry[];
  readonly rule: Pick<WatchRule, 'whenChanged' | 'unit'>;
  readonly now: number;
  /** `other-case`: it exists under another spelling, on a case-insensitive disk. */
  readonly isThere: (path: string) => boolean | 'other-case';
  /** Undefined until read. */
  readonly content: Content | undefined;
  readonly isRestored?: boolean;
  /** The job continues or can be retried, so it needs no other asset. */
  readonly hasOwnJob?: boolean;
  /** A hold reason that isn't in the ledger. */
  readonly heldFor?: HoldWhy | null;
}

export function decide(sighting: Sighting): Decision {
  const { known, now, isRestored = false, hasOwnJob = false, heldFor = null } = sighting;
  const decision = decideByLedger(sighting);
  const isTake = decision.kind === 'take';
  if (isTake && !(known && isRequested(known))) {
    if (isRestored || isFromBefore(sighting)) return { kind: 'hold', why: 'restored' };
    if (heldFor) return { kind: 'hold', why: heldFor };
  }
  if (isTake && decision.again) return hasOwnJob ? { kind: 'later', at: now } : decision;
  const question = known && isFinished(known) ? questionOf(known) : null;
  return question && (isTake || decision.kind === 'hold') ? { kind: 'hold', why: question } : decision;
}

/** The lost journal may already have made an asset of it. */
const isFromBefore = ({ found, known }: Sighting): boolean =>
  known?.standing?.why === 'restored' && (isFinished(known) || known.identity === found.identity);

/** Whether the end was reported, or the user skipped it, so that a change is news. */
export const isFinished = ({ state }: LedgerEntry): boolean => state === 'complete' || state === 'skipped';

/** The open question for the user. */
export function questionOf({ standing }: LedgerEntry): HoldReason | null {
  return standing && standing.why !== 'upload' && standing.why !== 'gone' ? standing.why : null;
}

function decideByLedger(sighting: Sighting): Decision {
  const { found, known } = sighting;
  if (!known) return decideUnknown(sighting);
  if (known.state === 'seen')
    return isRequested(known) ? { kind: 'take', again: false } : decideUnknown(sighting);
  if (isUnreadable(known) || (isUntoldElsewhere(known) && found.identity === known.identity))
    return isRequested(known) ? { kind: 'take', again: false } : { kind: 'hold', why: 'cannot-compare' };
  if (known.movedTo !== null && !isRequested(known) && known.state !== 'taken')
    return decideDeliveredAgain(sighting, known);
  if (looksSame(found, known)) return decideAlike(sighting, known);
  return decideTouched(sighting, known);
}

/** The source was moved away: anything but the same content is new. */
function decideDeliveredAgain({ found, content, rule }: Sighting, known: LedgerEntry): Decision {
  // Rewriting a trigger file requests another asset, even with the same bytes.
  const isSameCall = rule.unit.kind !== 'trigger' || looksSame(found, known);
  // A scan that began before the move still finds the moved files.
  if (isUntouched(found, known) && known.marks !== null) return { kind: 'known' };
  if (!isSameCall || !maybeSameContent(found, known)) return { kind: 'take', again: false };
  switch (compare(content, known)) {
    case 'unknown':
      return { kind: 'compare', rows: [known] };
    case 'same':
      return { kind: 'known' };
    case 'differs':
      return { kind: 'take', again: false };
    case 'untold':
      return looksSame(found, known) ? { kind: 'known' } : { kind: 'take', again: false };
  }
}

/** Another file may still have replaced it; only its content is proof. */
function decideAlike({ found, content, rule, now }: Sighting, known: LedgerEntry): Decision {
  const same = decideSame(known, now);
  if (isUntouched(found, known) || !maybeSameContent(found, known)) return same;
  if (known.state === 'taken') return { kind: 'leave', why: 'under-way' };
  const verdict = compare(content, known);
  if (verdict === 'unknown') return { kind: 'compare', rows: [known] };
  return verdict === 'differs' ? decideChanged(known, rule) : same;
}

function decideTouched(sighting: Sighting, known: LedgerEntry): Decision {
  const { found, content, rule } = sighting;
  // Rewriting a trigger file requests another asset, even with the same bytes.
  const isCalled = rule.unit.kind === 'trigger';
  if (isCalled || known.state === 'taken' || isRequested(known) || !maybeSameContent(found, known))
    return rule.whenChanged === 'hold' && isRestOfDelivery(found, known)
      ? { kind: 'take', again: false, grew: true }
      : decideChanged(known, rule);
  switch (compare(content, known)) {
    case 'unknown':
      return { kind: 'compare', rows: [known] };
    case 'same':
      return { kind: 'touched' };
    case 'differs':
    case 'untold':
      return decideChanged(known, rule);
  }
}

/** A copy next to the original is a source of its own, as is one that returns after a move. */
function decideUnknown({ found, sameIdentity, isThere, content }: Sighting): Decision {
  const candidates = sameIdentity
    .filter(({ path, movedTo }) => path !== found.path && movedTo === null)
    .map((row) => ({ row, there: isThere(row.path) }));
  // One file with two spellings; the next scan detects its changes.
  const samePlace = candidates.find(({ there }) => there === 'other-case');
  if (samePlace) return renamedFrom(samePlace.row);
  const gone = candidates.filter(({ row, there }) => !there && looksSame(found, row)).map(({ row }) => row);
  const by = (verdict: ReturnType<typeof compare>) =>
    gone.filter((row) => row.state !== 'taken' && compare(content, row) === verdict);
  const same = by('same')[0];
  if (same) return renamedFrom(same);
  const unknown = by('unknown');
  if (unknown.length > 0) return { kind: 'compare', rows: unknown };
  // Their jobs will end soon; until then it is unclear whether this is an asset.
  if (gone.some(({ state }) => state === 'taken')) return { kind: 'leave', why: 'under-way' };
  const untold = by('untold')[0];
  if (!untold) return { kind: 'take', again: false };
  // It was never fully uploaded, so upload the current content.
  const isSent = untold.state !== 'waits-for-retry' || untold.uploadedAt !== null;
  return isCured(untold) || !isSent ? renamedFrom(untold) : { kind: 'hold', why: 'cannot-compare' };
}

function renamedFrom(row: LedgerEntry): Decision {
  if (row.state === 'taken') return { kind: 'leave', why: 'under-way' };
  return isCured(row) ? { kind: 'take', again: false } : { kind: 'renamed', from: row.path };
}

/** The failure was caused by the old name or location. */
const isCured = ({ state, error, uploadedAt }: LedgerEntry): boolean =>
  (state === 'waits-for-change' || (state === 'waits-for-retry' && uploadedAt === null)) &&
  error?.code.startsWith('source-') === true;

function decideSame(known: LedgerEntry, now: number): Decision {
  if (known.state === 'skipped' && isRequested(known)) return { kind: 'take', again: false };
  if (known.state !== 'waits-for-retry') return { kind: 'known' };
  const at = retryTimeOf(known, now);
  // If all of it is in storage, only its own job is retried.
  if (!allowsAnother(known)) return { kind: 'later', at };
  return at <= now ? { kind: 'take', again: true } : { kind: 'later', at };
}

function decideChanged(known: LedgerEntry, { whenChanged }: Pick<WatchRule, 'whenChanged'>): Decision {
  switch (known.state) {
    case 'taken':
      return { kind: 'leave', why: 'under-way' };
    case 'complete':
    case 'skipped':
      if (whenChanged === 'new-asset' || isRequested(known)) return { kind: 'take', again: false };
      return whenChanged === 'hold'
        ? { kind: 'hold', why: 'changed' }
        : { kind: 'leave', why: 'rule-leaves-changed' };
    case 'seen':
    case 'waits-for-change':
    case 'waits-for-retry':
    case 'waits-for-person':
      return { kind: 'take', again: false };
  }
}
