import type { Phrase, Said } from '../strings/phrase.ts';
import type { ErrorRecord } from './errors.ts';
import type { WatchRule } from './schemas/watch-rule.ts';

/** Watched folders and their sources as they are shown. Times are ms since the epoch, sizes are bytes. */

/** Why a source is held: nothing is uploaded until a person has chosen. Its words: `sources.held.…`. */
export const holdReasons = [
  /** It was taken before, and is not as it was then. */
  'changed',
  /** Whether it is what was taken before can't be told. */
  'cannot-compare',
  /** So many look changed at once that it is hardly the sources that changed. */
  'many-changed',
  /** The journal was put back from a backup: it may have been taken since. */
  'restored',
] as const;

/** Of what the journal keeps. */
export type HoldReason = (typeof holdReasons)[number];

/**
 * Likewise, and what every look finds again: nobody can tell what kind of data it is, or its files show that
 * it will fail.
 */
export type HoldWhy = HoldReason | 'kind-undecided' | 'findings';

/** One question about many held sources. */
export interface HeldQuestion {
  readonly why: HoldReason;
  readonly count: number;
}

/** What a person can answer to it. */
export const heldAnswers = ['leave-all', 'make-all', 'one-by-one'] as const;
export type HeldAnswer = (typeof heldAnswers)[number];

/** A rule as the rest of Tilelift sees it. */
export interface RuleSnapshot {
  readonly rule: WatchRule;
  /** `standing-by`: another computer watches the folder. */
  readonly state: 'watching' | 'looking' | 'paused' | 'suspended' | 'standing-by';
  /** Why it is suspended, or what to know although it works. */
  readonly notice: ErrorRecord | null;
  readonly isNetworkDrive: boolean;
  readonly counts: {
    /** Not quiet for long enough yet. */
    readonly settling: number;
    /** Settled; for their turn, for another try, or for the service. */
    readonly waiting: number;
    readonly underWay: number;
    readonly complete: number;
    /** Waits for a change or a person. */
    readonly failed: number;
    /** Wait for a person's choice. */
    readonly held: number;
    /** What is beside data and is none of the rule's kind. */
    readonly leftAlone: number;
  };
  /** What a person is asked about many held sources at once; null when nothing is. */
  readonly question: HeldQuestion | null;
  readonly lastTakenAt: number | null;
  /** Since when the source that has waited longest settles or waits; null where none does. */
  readonly waitingSince: number | null;
  readonly lastLookAt: number | null;
  /** Of the policy: no person changes, removes or switches it. */
  readonly locked?: boolean;
  /** Of a locked one that rests: a person may have it continue, as after a loss of what was taken. */
  readonly mayGoOn?: boolean;
}

export const sourceStates = [
  ...(['settling', 'waiting', 'under-way', 'complete'] as const),
  ...(['failed', 'held', 'skipped', 'left-alone'] as const),
] as const;
type SourceState = (typeof sourceStates)[number];

/** Sources of a rule that are listed at once, and lines of its activity. */
export const maxSourcesListed = 500;

/** One source of a rule, as a person sees it. */
export interface SourceSnapshot {
  readonly ruleId: string;
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly state: SourceState;
  /** What it waits for, or what became of it. */
  readonly why: readonly Said[];
  /** Where a finished one was moved to; absent for one that lies where it was. */
  readonly movedTo?: string;
  /** Since when, or when that happened. */
  readonly at: number;
  /** When it was taken, of one that was. */
  readonly takenAt?: number;
  readonly jobId: string | null;
  readonly assetId: number | null;
  readonly error: ErrorRecord | null;
  /** Links in it, which are not followed; absent for none. */
  readonly links?: number;
  /** Held for being of another kind than its rule creates: another rule would take it. */
  readonly otherKind?: true;
  readonly actions: readonly SourceAction[];
}

/** What a person can do with a source. */
export const sourceActions = [
  /** Without waiting until it has settled. */
  'take-now',
  /** Although it has not changed. */
  'try-again',
  /** Of a held one: no asset of it as it is now. */
  'leave-it',
  /** Of a held one: another asset. */
  'make-asset',
  /** Of one that was left alone, or held for what was found in it: an asset anyway. */
  'take-anyway',
  /** Of a failed one: it no longer counts, until it changes. */
  'dismiss',
] as const;
export type SourceAction = (typeof sourceActions)[number];

/** What a rule would make of its folder as it is now. */
export interface DryRun {
  readonly sources: readonly {
    readonly path: string;
    /** The asset's name. */
    readonly name: string;
    readonly files: number;
    readonly bytes: number;
    /** `known`: it was taken before, or is not wanted. `would-be-compared`: only its content can tell. */
    readonly outcome: 'would-be-taken' | 'would-be-compared' | 'known';
    /**
     * Where the rule decides for each: the kind, null where unknown; where it says one: another kind that
     * this is of. Undefined for what was not looked into.
     */
    readonly sourceType?: string | null;
    /** Why it would be held, where its kind alone tells that. */
    readonly held?: readonly Said[];
  }[];
  /** Of all sources, also those beyond the listed ones. */
  readonly wouldBeTaken: number;
  /**
   * Of these, those that would be held for their kind, of the first that were looked into; absent for none.
   */
  readonly wouldBeHeld?: number;
  /** Only of a changed rule: those that it would take, or ask about, and did not before the change. */
  readonly newlyTaken?: number;
  /** Of these, those that would be held for their kind, as `wouldBeHeld`. */
  readonly newlyHeld?: number;
  readonly known: number;
  /** Those of which only what they hold tells; absent for none. */
  readonly compared?: number;
}

/** What a dry run has found in the files of the sources that it would take, listed or not, so far. */
export interface DryRunLooked {
  readonly looked: number;
  readonly total: number;
  /** It looks into no more of them: all are done, or there was no more time. */
  readonly isOver: boolean;
  /** Sources that would be held, and the first of them. */
  readonly heldCount: number;
  /** Of those that a changed rule takes newly, the held ones; absent for none. */
  readonly newlyHeld?: number;
  readonly held: readonly {
    readonly path: string;
    /** The asset's name. */
    readonly name: string;
    readonly files: number;
    readonly bytes: number;
    readonly why: readonly Said[];
  }[];
}

/** A problem of rules in a file, and where it stands: line and column from 1. */
export interface LocatedProblem {
  readonly line: number;
  readonly column: number;
  /** `rules[2].unit.kind`; empty for the file as a whole. */
  readonly field: string;
  /** What is wrong with it, to stand after its name. */
  readonly what: Phrase;
}
