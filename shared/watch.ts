import type { Phrase, Said } from '../strings/phrase.ts';
import type { ErrorRecord } from './errors.ts';
import type { WatchRule } from './schemas/watch-rule.ts';

/** Why a source is held until the user decides. Texts: `sources.held.…`. */
export const holdReasons = [
  /** Differs from the uploaded version. */
  'changed',
  /** Can't be compared with the uploaded version. */
  'cannot-compare',
  /** Suspiciously many sources changed at once. */
  'many-changed',
  /** The journal was restored from a backup, so the source may have been uploaded since. */
  'restored',
] as const;

/** Persisted in the journal. */
export type HoldReason = (typeof holdReasons)[number];

/** Also reasons that each scan derives again: unknown kind, or findings. */
export type HoldWhy = HoldReason | 'kind-undecided' | 'findings';

/** One question about all sources held for this reason. */
export interface HeldQuestion {
  readonly why: Extract<HoldReason, 'many-changed' | 'restored'>;
  readonly count: number;
}

export const heldAnswers = ['leave-all', 'make-all'] as const;
export type HeldAnswer = (typeof heldAnswers)[number];

/** A source that has waited for long, and why. */
export interface StuckSource {
  readonly path: string;
  readonly why: Said;
}

/** Counts of a rule without sources. */
export const noSources: RuleSnapshot['counts'] = {
  settling: 0,
  waiting: 0,
  underWay: 0,
  complete: 0,
  failed: 0,
  held: 0,
  leftAlone: 0,
  skipped: 0,
};

/** A rule as shown. Times are ms since the epoch, sizes are bytes. */
export interface RuleSnapshot {
  readonly rule: WatchRule;
  /** `standing-by`: another computer watches the folder. */
  readonly state: 'watching' | 'looking' | 'paused' | 'suspended' | 'standing-by';
  /** Why it is suspended, or a warning. */
  readonly notice: ErrorRecord | null;
  readonly isNetworkDrive: boolean;
  readonly counts: {
    /** Not unchanged for long enough yet. */
    readonly settling: number;
    /** Settled; waits for its turn, a retry or the service. */
    readonly waiting: number;
    readonly underWay: number;
    readonly complete: number;
    /** Waits for a change or the user. */
    readonly failed: number;
    /** Waits for the user. */
    readonly held: number;
    readonly leftAlone: number;
    /** Present when the rule was made, or excluded by the user. */
    readonly skipped: number;
  };
  readonly question: HeldQuestion | null;
  readonly lastTakenAt: number | null;
  /** When the oldest unfinished source appeared; null without one. */
  readonly waitingSince: number | null;
  readonly lastLookAt: number | null;
  /** The first few sources that have waited for long. Absent for none. */
  readonly stuck?: readonly StuckSource[];
  /** Set by policy; the user can't change, remove or switch it. */
  readonly locked?: boolean;
  /** Whether the user may resume a paused policy rule, for example after a lost ledger. */
  readonly mayGoOn?: boolean;
}

export const sourceStates = [
  ...(['settling', 'waiting', 'under-way', 'complete'] as const),
  ...(['failed', 'held', 'skipped', 'left-alone'] as const),
] as const;
type SourceState = (typeof sourceStates)[number];

/** Limit of listed sources per rule, and of activity lines. */
export const maxSourcesListed = 500;

/** A source of a rule as shown. */
export interface SourceSnapshot {
  readonly ruleId: string;
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly state: SourceState;
  readonly why: readonly Said[];
  /** New location of a finished source, if it was moved. */
  readonly movedTo?: string;
  readonly at: number;
  /** Absent if never uploaded. */
  readonly takenAt?: number;
  readonly jobId: string | null;
  readonly assetId: number | null;
  readonly error: ErrorRecord | null;
  /** Number of links in it, which aren't followed; absent for none. */
  readonly links?: number;
  /** Held because it is of another kind than the rule's; another rule would upload it. */
  readonly otherKind?: true;
  readonly actions: readonly SourceAction[];
}

export const sourceActions = [
  /** Skips the settle time. */
  'take-now',
  /** Retries an unchanged source. */
  'try-again',
  /** Held: create no asset from this version. */
  'leave-it',
  /** Held: create another asset. */
  'make-asset',
  /** Skipped, or held for findings: create an asset anyway. */
  'take-anyway',
  /** Failed: ignore it until it changes. */
  'dismiss',
] as const;
export type SourceAction = (typeof sourceActions)[number];

/** Effect of a rule on the current folder. */
export interface DryRun {
  readonly sources: readonly {
    readonly path: string;
    readonly name: string;
    readonly files: number;
    readonly bytes: number;
    /** `known`: uploaded before or not wanted. `would-be-compared`: depends on its content. */
    readonly outcome: 'would-be-taken' | 'would-be-compared' | 'known';
    /**
     * If the rule detects kinds: the kind, null if unknown. If it sets one: a differing kind. Undefined if
     * not inspected.
     */
    readonly sourceType?: string | null;
    /** Why its kind would hold it. */
    readonly held?: readonly Said[];
  }[];
  /** Includes sources that aren't listed. */
  readonly wouldBeTaken: number;
  /** Inspected sources of `wouldBeTaken` that their kind would hold; absent for none. */
  readonly wouldBeHeld?: number;
  /** Changed rules only: sources that it uploads or asks about and didn't before. */
  readonly newlyTaken?: number;
  /** As `wouldBeHeld`; absent for none. */
  readonly newlyHeld?: number;
  readonly known: number;
  readonly compared?: number;
}

/** Current findings of a dry run, in all sources that it would upload. */
export interface DryRunLooked {
  readonly looked: number;
  readonly total: number;
  /** Inspection ended: all done, or out of time. */
  readonly isOver: boolean;
  /** Number of sources to hold; `held` lists the first. */
  readonly heldCount: number;
  readonly newlyHeld?: number;
  readonly held: readonly {
    readonly path: string;
    readonly name: string;
    readonly files: number;
    readonly bytes: number;
    readonly why: readonly Said[];
  }[];
}

/** A problem in a rules file, with line and column from 1. */
export interface LocatedProblem {
  readonly line: number;
  readonly column: number;
  /** `rules[2].unit.kind`; empty for the whole file. */
  readonly field: string;
  readonly what: Phrase;
}
