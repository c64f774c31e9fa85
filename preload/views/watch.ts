import type { AssetType } from '../../shared/assets.ts';
import type { Said } from '../../strings/phrase.ts';
import type { AlertWishesView } from './alerts.ts';
import type { ErrorView } from './error.ts';

/** What one asset of a watched folder is made of. */
export type WatchUnitView =
  /** Each top-level entry: a subfolder, or a file with its sidecars. */
  | { readonly kind: 'entries' }
  /** Each file that fits a pattern (gitignore syntax), with its sidecars. */
  | { readonly kind: 'files'; readonly patterns: readonly string[] }
  /** Each folder at exactly this depth (1 for the top-level ones) that fits one of the patterns; none for all. */
  | { readonly kind: 'folders'; readonly depth: number; readonly patterns: readonly string[] }
  /** The whole folder, when a file of this name appears in it. */
  | { readonly kind: 'trigger'; readonly file: string }
  /** Everything that arrives together. */
  | { readonly kind: 'batch' };

/** What a source has to show besides having settled. */
export type ReadyWhenView =
  | { readonly kind: 'settled' }
  /** A file of this name: `{name}.ok` beside the source, `_SUCCESS` in its folder. */
  | { readonly kind: 'marker'; readonly name: string }
  /** A list of checksums that speaks of it. */
  | { readonly kind: 'checksums' };

/** What becomes of a source once its asset has ended. */
export type AfterEndView =
  | { readonly kind: 'leave' }
  /** Absolute, or relative to the watched folder. */
  | { readonly kind: 'move'; readonly folder: string };

/** A watched folder and what to make of what arrives there. */
export interface WatchRuleView {
  readonly id: string;
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  readonly accountId: string;
  readonly unit: WatchUnitView;
  readonly readyWhen: ReadyWhenView;
  /** What lists of checksums say that lie with a source. */
  readonly checksums: 'verify' | 'ignore';
  /** `content`: type and kind are decided for each source; those below are not used then. */
  readonly kindFrom: 'rule' | 'content';
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  readonly baseTerrainId: number | null;
  /** Further options, a JSON object as text; `{}` for none. Those above are not among them. */
  readonly options: string;
  /** `{name} {parent} {path} {date} {counter}`. */
  readonly namePattern: string;
  /** Markdown, with the same tokens; empty for none. */
  readonly description: string;
  /** Lines in gitignore syntax. */
  readonly ignore: readonly string[];
  /** Null for the usual: 10 on local disks, 60 on network drives; never less than those. */
  readonly settleSeconds: number | null;
  readonly whenChanged: 'hold' | 'new-asset' | 'leave';
  readonly afterSuccess: AfterEndView;
  readonly afterFailure: AfterEndView;
  /** Where the upload will probably outlive its credentials: hold it for a person, or upload all the same. */
  readonly whenTooLong: 'hold' | 'upload';
  /** Where the credentials ended before the upload: wait for a person, or start again (twice at most, when the forecast fits). */
  readonly whenExpired: 'wait' | 'start-again';
  /** Files that are only in the cloud: wait until they are on this computer, or fetch them. */
  readonly cloudFiles: 'leave' | 'fetch';
  /** A file that lies in the folder while its drive is mounted; null for none. */
  readonly mountMarker: string | null;
  /** Other computers watch this folder too. */
  readonly shared: boolean;
  readonly alerts: AlertWishesView;
  /** Where a receipt is also written as a file; a folder is absolute, or relative to the watched one. */
  readonly receiptFile:
    | { readonly kind: 'none' | 'beside' }
    | { readonly kind: 'folder'; readonly folder: string };
  readonly on: boolean;
}

export interface WatchedFolderView {
  readonly rule: WatchRuleView;
  readonly state: 'watching' | 'looking' | 'paused' | 'suspended';
  /** Why it is suspended, or what to know although it works. */
  readonly notice: ErrorView | null;
  readonly isNetworkDrive: boolean;
  readonly counts: {
    readonly settling: number;
    readonly waiting: number;
    readonly underWay: number;
    readonly complete: number;
    readonly failed: number;
    /** Wait for a person's choice. */
    readonly held: number;
    /** Lies beside data and is none of the rule's kind. */
    readonly leftAlone: number;
  };
  /** What a person is asked about many held sources at once. */
  readonly question: WatchQuestionView | null;
  readonly lastTakenAt: number | null;
  readonly lastLookAt: number | null;
  /** Of the policy: not the person's to change, remove or switch. */
  readonly locked?: boolean;
  /** Of a locked one that rests: a person may have it go on, as after a loss of what was taken. */
  readonly mayGoOn?: boolean;
}

/**
 * `take-now`: without waiting until it has settled. `try-again`: although it has not changed. Of a held one: `leave-it` as it is now, or `make-asset`, another one. Of one left alone: `take-anyway`.
 */
export type WatchSourceAction = 'take-now' | 'try-again' | 'leave-it' | 'make-asset' | 'take-anyway';

export interface WatchSourceView {
  readonly ruleId: string;
  /** Relative to the watched folder; `.` for the whole folder, `./batch-7` for the seventh of what arrived together. */
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly state:
    | 'settling'
    | 'waiting'
    | 'under-way'
    | 'complete'
    | 'failed'
    | 'held'
    | 'skipped'
    | 'left-alone';
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
  readonly error: ErrorView | null;
  /** Links in it, which are not followed; absent for none. */
  readonly links?: number;
  readonly actions: readonly WatchSourceAction[];
}

/** One question about many held sources. */
export interface WatchQuestionView {
  readonly why: 'changed' | 'cannot-compare' | 'many-changed' | 'restored';
  readonly count: number;
}

/** `leave-all` as they are now, or `make-all` new assets; `one-by-one`: they stay held, each with its own choice. */
export type WatchAnswer = 'leave-all' | 'make-all' | 'one-by-one';

/** What a rule would make of its folder as it is now. */
export interface DryRunView {
  /** At most a few hundred. */
  readonly sources: readonly {
    readonly path: string;
    /** The asset's name. */
    readonly name: string;
    readonly files: number;
    readonly bytes: number;
    /** `known`: it was taken before, or is not wanted. `would-be-compared`: only what it holds tells whether it was. */
    readonly outcome: 'would-be-taken' | 'would-be-compared' | 'known';
    /** Where the rule decides for each: the kind, null where that can't be told. Undefined for what was not looked into. */
    readonly sourceType?: string | null;
  }[];
  /** Of all sources, also those beyond the listed ones. */
  readonly wouldBeTaken: number;
  /** Only of a changed rule: those that it would take, or ask about, and did not before the change. */
  readonly newlyTaken?: number;
  readonly known: number;
  /** Those of which only what they hold tells; absent for none. */
  readonly compared?: number;
}

/** A folder that somebody may want to watch. */
export interface WatchableFolderView {
  readonly path: string;
  readonly isNetworkDrive: boolean;
}
