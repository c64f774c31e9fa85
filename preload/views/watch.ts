import type { AssetType } from './asset.ts';
import type { ErrorView } from './error.ts';

/** What one asset of a watched folder is made of. */
export type WatchUnitView =
  /** Each top-level entry: a subfolder, or a file with its sidecars. */
  | { readonly kind: 'entries' }
  /** Each file that fits a pattern (gitignore syntax), with its sidecars. */
  | { readonly kind: 'files'; readonly patterns: readonly string[] }
  /** The whole folder, when a file of this name appears in it. */
  | { readonly kind: 'trigger'; readonly file: string };

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
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  readonly baseTerrainId: number | null;
  /** Further options, a JSON object as text; `{}` for none. Those above are not among them. */
  readonly options: string;
  /** `{name} {parent} {date} {counter}`. */
  readonly namePattern: string;
  /** Markdown, with the same tokens; empty for none. */
  readonly description: string;
  /** Lines in gitignore syntax. */
  readonly ignore: readonly string[];
  /** Null for the usual: 10 on local disks, 60 on network drives; never less than those. */
  readonly settleSeconds: number | null;
  readonly whenChanged: 'new-asset' | 'leave';
  readonly afterSuccess: AfterEndView;
  readonly afterFailure: AfterEndView;
  /** Where the upload will probably outlive its credentials: hold it for a person, or upload all the same. */
  readonly whenTooLong: 'hold' | 'upload';
  /** Where the credentials ended before the upload: wait for a person, or start again (twice at most, when the forecast fits). */
  readonly whenExpired: 'wait' | 'start-again';
  /** Other computers watch this folder too. */
  readonly shared: boolean;
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
  };
  readonly lastTakenAt: number | null;
  readonly lastLookAt: number | null;
}

/** `take-now`: without waiting until it has settled. `try-again`: although it has not changed. */
export type WatchSourceAction = 'take-now' | 'try-again';

export interface WatchSourceView {
  readonly ruleId: string;
  /** Relative to the watched folder; `.` for the whole folder. */
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly state: 'settling' | 'waiting' | 'under-way' | 'complete' | 'failed' | 'skipped';
  /** In words: what it waits for, or what became of it. */
  readonly why: string;
  /** Since when, or when that happened. */
  readonly at: number;
  readonly jobId: string | null;
  readonly assetId: number | null;
  readonly error: ErrorView | null;
  readonly actions: readonly WatchSourceAction[];
}

/** What a rule would make of its folder as it is now. */
export interface DryRunView {
  /** At most a few hundred. */
  readonly sources: readonly {
    readonly path: string;
    /** The asset's name. */
    readonly name: string;
    readonly files: number;
    readonly bytes: number;
    /** `known`: it was taken before, or is not wanted. */
    readonly outcome: 'would-be-taken' | 'known';
  }[];
  /** Of all sources, also those beyond the listed ones. */
  readonly wouldBeTaken: number;
  readonly known: number;
}

/** A folder that somebody may want to watch. */
export interface WatchableFolderView {
  readonly path: string;
  readonly isNetworkDrive: boolean;
}
