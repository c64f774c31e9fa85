import type { HoldReason, HoldWhy } from '../../../shared/watch.ts';
import { retryTimeOf } from '../ledger/retry-delay.ts';
import { isRestOfDelivery, isUntouched, looksSame, maybeSameContent } from '../ledger/same-content.ts';
import { allowsAnother, isRequested, isUnreadable, isUntoldElsewhere } from '../ledger/second-asset.ts';
import type { FoundSource, LedgerEntry } from '../model.ts';
import type { WatchRule } from '../rule.ts';
import { type Content, compare } from '../verify/content.ts';

/** What is to become of a source that is in a watched folder, by what the ledger knows of it. Pure. */

export type Decision =
  /**
   * It is to become an asset once it has settled. `again`: it failed before and has not changed. `grew`: it
   * was taken before all of it had arrived.
   */
  | { readonly kind: 'take'; readonly again: boolean; readonly grew?: true }
  /** It was taken before, or is not wanted, and is as it was then. */
  | { readonly kind: 'known' }
  /** It was taken before under this path, where nothing lies any more. */
  | { readonly kind: 'renamed'; readonly from: string }
  /** It holds what it held when it was taken, whatever its times say now. */
  | { readonly kind: 'touched' }
  /** Nobody can say before its content has been compared with what was uploaded for these rows. */
  | { readonly kind: 'compare'; readonly rows: readonly LedgerEntry[] }
  /** It failed, and its time for another try comes then, ms since the epoch. */
  | { readonly kind: 'later'; readonly at: number }
  /** Only a person can say whether it is to become another asset. */
  | { readonly kind: 'hold'; readonly why: HoldWhy }
  | { readonly kind: 'leave'; readonly why: 'under-way' | 'rule-leaves-changed' };

export interface Sighting {
  readonly found: FoundSource;
  /** The ledger's row of its path. */
  readonly known: LedgerEntry | undefined;
  /**
   * Rows of sources that look like it, or are called like it but for case, whatever their path; only looked
   * at where its path is not known.
   */
  readonly sameIdentity: readonly LedgerEntry[];
  readonly rule: Pick<WatchRule, 'whenChanged' | 'unit'>;
  /** ms since the epoch. */
  readonly now: number;
  /**
   * Whether something is at this path of the watched folder. `other-case`: it does, and is called otherwise
   * there, as disks have it that don't tell case.
   */
  readonly isThere: (path: string) => boolean | 'other-case';
  /** What it holds; undefined where nobody has read it as it is now. */
  readonly content: Content | undefined;
  /** The ledger may lack rows, since it came from a backup. */
  readonly isRestored?: boolean;
  /** The job of its row continues by itself, or can be tried again: it needs no other asset. */
  readonly hasOwnJob?: boolean;
  /** Why it is held as it is, although the ledger has nothing against it; null where it isn't. */
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

/** The journal that was put back may have made an asset of it as it is. */
const isFromBefore = ({ found, known }: Sighting): boolean =>
  known?.standing?.why === 'restored' && (isFinished(known) || known.identity === found.identity);

/** Its end was told, or it was not wanted: that it changes is news. */
export const isFinished = ({ state }: LedgerEntry): boolean => state === 'complete' || state === 'skipped';

/** What the user is asked about it; null for nothing. */
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

/** The path is free since its source was moved away: only the same content once more is no new source. */
function decideDeliveredAgain({ found, content, rule }: Sighting, known: LedgerEntry): Decision {
  // A trigger file that is written again wants another asset, also of the same bytes.
  const isSameCall = rule.unit.kind !== 'trigger' || looksSame(found, known);
  // A look that began before the move still finds what was moved.
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

/**
 * Names, sizes and times are what they were. A file may have been put in the place of another anyway: only
 * content tells.
 */
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
  // A trigger file that is written again wants another asset, also of the same bytes.
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

/** A copy beside the original is a source of its own, and so is what comes again after we moved it away. */
function decideUnknown({ found, sameIdentity, isThere, content }: Sighting): Decision {
  const candidates = sameIdentity
    .filter(({ path, movedTo }) => path !== found.path && movedTo === null)
    .map((row) => ({ row, there: isThere(row.path) }));
  // One place, called in two ways: what has become of it since is for the next look.
  const samePlace = candidates.find(({ there }) => there === 'other-case');
  if (samePlace) return renamedFrom(samePlace.row);
  const gone = candidates.filter(({ row, there }) => !there && looksSame(found, row)).map(({ row }) => row);
  const by = (verdict: ReturnType<typeof compare>) =>
    gone.filter((row) => row.state !== 'taken' && compare(content, row) === verdict);
  const same = by('same')[0];
  if (same) return renamedFrom(same);
  const unknown = by('unknown');
  if (unknown.length > 0) return { kind: 'compare', rows: unknown };
  // Their jobs are about to fail, or will end anyway: until then nobody knows whether this is an asset.
  if (gone.some(({ state }) => state === 'taken')) return { kind: 'leave', why: 'under-way' };
  const untold = by('untold')[0];
  if (!untold) return { kind: 'take', again: false };
  // Of what never came to storage as a whole nothing can be lost: it is sent as what is there now.
  const isSent = untold.state !== 'waits-for-retry' || untold.uploadedAt !== null;
  return isCured(untold) || !isSent ? renamedFrom(untold) : { kind: 'hold', why: 'cannot-compare' };
}

function renamedFrom(row: LedgerEntry): Decision {
  if (row.state === 'taken') return { kind: 'leave', why: 'under-way' };
  return isCured(row) ? { kind: 'take', again: false } : { kind: 'renamed', from: row.path };
}

/** What failed for its name or its place has a new one now. */
const isCured = ({ state, error, uploadedAt }: LedgerEntry): boolean =>
  (state === 'waits-for-change' || (state === 'waits-for-retry' && uploadedAt === null)) &&
  error?.code.startsWith('source-') === true;

function decideSame(known: LedgerEntry, now: number): Decision {
  if (known.state === 'skipped' && isRequested(known)) return { kind: 'take', again: false };
  if (known.state !== 'waits-for-retry') return { kind: 'known' };
  const at = retryTimeOf(known, now);
  // What is all there is tried again as itself or not at all.
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
