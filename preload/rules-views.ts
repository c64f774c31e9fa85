import type { ErrorRecord } from '../shared/errors.ts';
import type { Preset } from '../shared/schemas/presets.ts';
import type { WatchRule, WatchUnit } from '../shared/schemas/watch-rule.ts';
import type { LocatedProblem } from '../shared/watch.ts';
import type { Phrase, Said } from '../strings/phrase.ts';

/** A rule that this version can't read. It is inactive, and stays until a person removes it. */
export interface UnreadableRuleView {
  readonly id: string;
  readonly name: string | null;
  readonly folder: string | null;
  readonly problems: readonly Said[];
  /** Set by the policy: the person can't remove it. */
  readonly locked?: boolean;
}

/** A chosen file of rules. Its rules stay in main; the page refers to them by index. */
export type RulesFileView =
  | {
      readonly kind: 'rules';
      readonly id: string;
      readonly path: string;
      readonly rules: readonly FileRuleView[];
    }
  /** The file is unusable. */
  | {
      readonly kind: 'problems';
      readonly id: string;
      readonly path: string;
      readonly problems: readonly LocatedProblem[];
    };

/** A rule of a file. */
export interface FileRuleView extends Pick<WatchRule, 'name' | 'folder' | 'kindFrom' | 'sourceType'> {
  readonly unit: WatchUnit;
  readonly isThere: boolean;
  /** The rule's own account if it is signed in here, else the current one. */
  readonly accountId: string;
  readonly replaces: string | null;
}

export interface ImportWishView {
  readonly file: string;
  readonly rules: readonly {
    /** Index in the file, from 0. */
    readonly index: number;
    readonly accountId: string;
    /** Null: the file's folder. */
    readonly folder: string | null;
    /** Replaces the existing rule; else both stay. */
    readonly replace: boolean;
    readonly existing: 'leave' | 'upload';
  }[];
}

/** `refused`: nothing was imported, because of the rule at this index. */
export type ImportedView =
  | { readonly kind: 'imported'; readonly count: number }
  | { readonly kind: 'refused'; readonly index: number; readonly error: ErrorRecord };

/** A folder proposed for watching. */
export interface WatchableFolderView {
  readonly path: string;
  readonly isNetworkDrive: boolean;
}

/** Result of importing presets. */
export type ImportedPresetsView =
  | { readonly kind: 'imported'; readonly count: number; readonly presets: readonly Preset[] }
  /** Nothing was imported; each problem has its line and field. */
  | { readonly kind: 'problems'; readonly path: string; readonly problems: readonly Phrase[] };
