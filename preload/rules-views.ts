import type { ErrorRecord } from '../shared/errors.ts';
import type { Preset } from '../shared/schemas/presets.ts';
import type { WatchRule, WatchUnit } from '../shared/schemas/watch-rule.ts';
import type { LocatedProblem } from '../shared/watch.ts';
import type { Phrase, Said } from '../strings/phrase.ts';

/** A rule that this version can't read. It watches nothing, and stays as it is until a person removes it. */
export interface UnreadableRuleView {
  readonly id: string;
  /** What can be told of it anyway; null for nothing. */
  readonly name: string | null;
  readonly folder: string | null;
  /** What is wrong with it. */
  readonly problems: readonly Said[];
  /** It stands in the policy: not the person's to remove. */
  readonly locked?: boolean;
}

/** A file of rules that the person has chosen. Its rules stay in main; the page names them by index. */
export type RulesFileView =
  | {
      readonly kind: 'rules';
      readonly id: string;
      readonly path: string;
      readonly rules: readonly FileRuleView[];
    }
  /** Nothing of it can be used. */
  | {
      readonly kind: 'problems';
      readonly id: string;
      readonly path: string;
      /** As they stand in the file; line and column from 1. */
      readonly problems: readonly LocatedProblem[];
    };

/** A rule of a file. */
export interface FileRuleView extends Pick<WatchRule, 'name' | 'folder' | 'kindFrom' | 'sourceType'> {
  readonly unit: WatchUnit;
  /** The folder is on this computer. */
  readonly isThere: boolean;
  /** Its own where someone has signed in to that here, else the current one. */
  readonly accountId: string;
  /** The name of the rule here that it can take the place of; null for none. */
  readonly replaces: string | null;
}

/** What is wanted of a file. */
export interface ImportWishView {
  /** The file's `id`. */
  readonly file: string;
  readonly rules: readonly {
    /** Its place in the file, from 0. */
    readonly index: number;
    readonly accountId: string;
    /** Null: as in the file. */
    readonly folder: string | null;
    /** Takes the place of the rule that is here; else both are kept. */
    readonly replace: boolean;
    /** What becomes of what is in the folder. */
    readonly existing: 'leave' | 'upload';
  }[];
}

/** `refused`: nothing was imported, because of the rule at this place in the file. */
export type ImportedView =
  | { readonly kind: 'imported'; readonly count: number }
  | { readonly kind: 'refused'; readonly index: number; readonly error: ErrorRecord };

/** A folder that someone may want to watch. */
export interface WatchableFolderView {
  readonly path: string;
  readonly isNetworkDrive: boolean;
}

/** What became of a file of presets. */
export type ImportedPresetsView =
  | { readonly kind: 'imported'; readonly count: number; readonly presets: readonly Preset[] }
  /** Each with its line and field; nothing was imported. */
  | { readonly kind: 'problems'; readonly path: string; readonly problems: readonly Phrase[] };
