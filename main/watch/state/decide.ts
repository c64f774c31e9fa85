import type { HoldReason, HoldWhy } from '../../../shared/watch.ts';
import type { FoundSource, LedgerEntry } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { type Content, compare } from '../scan/content.ts';
import {
  allowsAnother,
  hasSameFacts,
  isRequested,
  isRestOfDelivery,
  isUntouched,
  isUnverifiableElsewhere,
  maybeSameContent,
  retryTimeOf,
} from './ledger/asset-rules.ts';

/** Decides about a source in a watched folder by its ledger row. Pure. */

export type Decision =
  /**
   * Once it has settled. `isRetry`: it failed before and hasn't changed. `grew`: it was picked up before all
   * of it had arrived.
   */
  | { readonly kind: 'take'; readonly isRetry: boolean; readonly grew?: true }
  /** Uploaded or skipped before, and unchanged. */
  | { readonly kind: 'known' }
  /** Uploaded from this path, which no longer exists. */
  | { readonly kind: 'renamed'; readonly previousPath: string }
  /** Only its times differ. */
  | { readonly kind: 'touched' }
  /** Undecided until compared with the uploads of these rows. */
  | { readonly kind: 'compare'; readonly rows: readonly LedgerEntry[] }
  /** Retried at this time, ms since the epoch. */
  | { readonly kind: 'later'; readonly retryAt: number }
  | { readonly kind: 'hold'; readonly why: HoldWhy }
  | { readonly kind: 'leave'; readonly why: 'under-way' | 'rule-leaves-changed' };

export interface SourceContext {
  readonly source: FoundSource;
  readonly entry: LedgerEntry | undefined;
  /** Same identity, or a path that differs only by case. Empty if `entry` exists. */
  readonly sameIdentity: readonly LedgerEntry[];
  readonly rule: Pick<WatchRule, 'whenChanged'>;
  readonly currentTime: number;
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

export function decide(context: SourceContext): Decision {
  const { entry, currentTime, isRestored = false, hasOwnJob = false, heldFor = null } = context;
  const decision = decideByLedger(context);
  const isTake = decision.kind === 'take';
  if (isTake && !(entry && isRequested(entry))) {
    if (isRestored || isFromBefore(context)) return { kind: 'hold', why: 'restored' };
    if (heldFor) return { kind: 'hold', why: heldFor };
  }
  if (isTake && decision.isRetry) return hasOwnJob ? { kind: 'later', retryAt: currentTime } : decision;
  const question = entry && isFinished(entry) ? questionOf(entry) : null;
  return question && (isTake || decision.kind === 'hold') ? { kind: 'hold', why: question } : decision;
}

/** The lost journal may already have made an asset of it. */
const isFromBefore = ({ source, entry }: SourceContext): boolean =>
  entry?.standing?.why === 'restored' && (isFinished(entry) || entry.identity === source.identity);

/** Whether the end was reported, or the user skipped it, so that a change is news. */
export const isFinished = ({ state }: LedgerEntry): boolean => state === 'complete' || state === 'skipped';

/** The open question for the user. */
export function questionOf({ standing }: LedgerEntry): HoldReason | null {
  return standing && standing.why !== 'upload' && standing.why !== 'gone' ? standing.why : null;
}

function decideByLedger(context: SourceContext): Decision {
  const { source, entry } = context;
  if (!entry) return decideUnknown(context);
  if (entry.state === 'seen')
    return isRequested(entry) ? { kind: 'take', isRetry: false } : decideUnknown(context);
  if (isUnverifiableElsewhere(entry) && source.identity === entry.identity)
    return isRequested(entry) ? { kind: 'take', isRetry: false } : { kind: 'hold', why: 'cannot-compare' };
  if (entry.movedTo !== null && !isRequested(entry) && entry.state !== 'taken')
    return decideDeliveredAgain(context, entry);
  if (hasSameFacts(source, entry)) return decideAlike(context, entry);
  return decideTouched(context, entry);
}

/** The source was moved away: anything but the same content is new. */
function decideDeliveredAgain({ source, content }: SourceContext, entry: LedgerEntry): Decision {
  // A scan that began before the move still finds the moved files.
  if (isUntouched(source, entry) && entry.marks !== null) return { kind: 'known' };
  const verdict = maybeSameContent(source, entry) ? compare(content, entry) : 'differs';
  if (verdict === 'unknown') return { kind: 'compare', rows: [entry] };
  const isKnown = verdict === 'same' || (verdict === 'unverifiable' && hasSameFacts(source, entry));
  return isKnown ? { kind: 'known' } : { kind: 'take', isRetry: false };
}

/** Another file may still have replaced it; only its content is proof. */
function decideAlike({ source, content, rule, currentTime }: SourceContext, entry: LedgerEntry): Decision {
  const unchangedDecision = decideSame(entry, currentTime);
  if (isUntouched(source, entry) || !maybeSameContent(source, entry)) return unchangedDecision;
  if (entry.state === 'taken') return { kind: 'leave', why: 'under-way' };
  const verdict = compare(content, entry);
  if (verdict === 'unknown') return { kind: 'compare', rows: [entry] };
  return verdict === 'differs' ? decideChanged(entry, rule) : unchangedDecision;
}

function decideTouched(context: SourceContext, entry: LedgerEntry): Decision {
  const { source, content, rule, currentTime } = context;
  if (entry.state === 'taken' || isRequested(entry) || !maybeSameContent(source, entry))
    return rule.whenChanged === 'hold' && isRestOfDelivery(source, entry, currentTime)
      ? { kind: 'take', isRetry: false, grew: true }
      : decideChanged(entry, rule);
  const verdict = compare(content, entry);
  if (verdict === 'unknown') return { kind: 'compare', rows: [entry] };
  return verdict === 'same' ? { kind: 'touched' } : decideChanged(entry, rule);
}

/** A copy next to the original is a source of its own, as is one that returns after a move. */
function decideUnknown({ source, sameIdentity, isThere, content }: SourceContext): Decision {
  const candidates = sameIdentity
    .filter(({ path, movedTo }) => path !== source.path && movedTo === null)
    .map((row) => ({ row, existence: isThere(row.path) }));
  // One file with two spellings; the next scan detects its changes.
  const samePlace = candidates.find(({ existence }) => existence === 'other-case');
  if (samePlace) return renamedFrom(samePlace.row);
  const gone = candidates
    .filter(({ row, existence }) => !existence && hasSameFacts(source, row))
    .map(({ row }) => row);
  const withVerdict = (verdict: ReturnType<typeof compare>) =>
    gone.filter((row) => row.state !== 'taken' && compare(content, row) === verdict);
  const sameRow = withVerdict('same')[0];
  if (sameRow) return renamedFrom(sameRow);
  const unknown = withVerdict('unknown');
  if (unknown.length > 0) return { kind: 'compare', rows: unknown };
  // Their jobs will end soon; until then it is unclear whether this is an asset.
  if (gone.some(({ state }) => state === 'taken')) return { kind: 'leave', why: 'under-way' };
  const unverifiable = withVerdict('unverifiable')[0];
  if (!unverifiable) return { kind: 'take', isRetry: false };
  // It was never fully uploaded, so upload the current content.
  const isSent = unverifiable.state !== 'waits-for-retry' || unverifiable.uploadedAt !== null;
  return isCured(unverifiable) || !isSent
    ? renamedFrom(unverifiable)
    : { kind: 'hold', why: 'cannot-compare' };
}

function renamedFrom(row: LedgerEntry): Decision {
  if (row.state === 'taken') return { kind: 'leave', why: 'under-way' };
  return isCured(row) ? { kind: 'take', isRetry: false } : { kind: 'renamed', previousPath: row.path };
}

/** The failure was caused by the old name or location. */
const isCured = ({ state, error, uploadedAt }: LedgerEntry): boolean =>
  (state === 'waits-for-change' || (state === 'waits-for-retry' && uploadedAt === null)) &&
  error?.code.startsWith('source-') === true;

function decideSame(entry: LedgerEntry, currentTime: number): Decision {
  if (entry.state === 'skipped' && isRequested(entry)) return { kind: 'take', isRetry: false };
  if (entry.state !== 'waits-for-retry') return { kind: 'known' };
  const retryAt = retryTimeOf(entry, currentTime);
  // If all of it is in storage, only its own job is retried.
  if (!allowsAnother(entry)) return { kind: 'later', retryAt };
  return retryAt <= currentTime ? { kind: 'take', isRetry: true } : { kind: 'later', retryAt };
}

function decideChanged(entry: LedgerEntry, { whenChanged }: Pick<WatchRule, 'whenChanged'>): Decision {
  switch (entry.state) {
    case 'taken':
      return { kind: 'leave', why: 'under-way' };
    case 'complete':
    case 'skipped':
      if (whenChanged === 'new-asset' || isRequested(entry)) return { kind: 'take', isRetry: false };
      return whenChanged === 'hold'
        ? { kind: 'hold', why: 'changed' }
        : { kind: 'leave', why: 'rule-leaves-changed' };
    case 'seen':
    case 'waits-for-change':
    case 'waits-for-retry':
    case 'waits-for-person':
      return { kind: 'take', isRetry: false };
  }
}
