import type { AssetType } from '../shared/assets.ts';
import type { FindingGroup } from '../shared/findings.ts';
import type { Forecast } from '../shared/job.ts';
import type { LastChoice } from '../shared/schemas/settings.ts';
import type {
  AssetSeen,
  Density,
  Footprint,
  LeftOutReason,
  PackedFootprints,
  Seen,
  Suggestion,
} from '../shared/source.ts';
import type { ChangesInShort, SourceChanges } from '../shared/source-changes.ts';
import type { Area } from '../strings/format/place.ts';

/** Files that move between assets together. */
export interface PieceView {
  readonly name: string;
  /** Its kind of data; empty for left-out files. */
  readonly sourceType: string;
  readonly reason: LeftOutReason | null;
  readonly fileCount: number;
  readonly bytes: number;
  /** Number of files by extension without the dot, data first. */
  readonly contents: readonly {
    readonly extension: string;
    readonly count: number;
    readonly beside: boolean;
  }[];
  /** Keys of the first files: 200 of a left-out piece, otherwise the file that names it. */
  readonly names: readonly string[];
}

export interface PartedFileView {
  /** Index of its former piece, and the remainder of that; null if nothing remains. */
  readonly at: number;
  readonly rest: PieceView | null;
  /** The new piece and its index. */
  readonly place: number;
  readonly part: PieceView;
}

/** A proposed asset of one kind of data. */
export interface SeparateSourceView {
  readonly paths: readonly string[];
  readonly pieces: readonly number[];
  /** Its number in `SourceView.assets`. */
  readonly group: number;
  readonly suggestedName: string;
  readonly fileCount: number;
  readonly bytes: number;
  readonly suggestion: Suggestion | null;
  readonly kindKey: string;
  /** With `isPreset`: the default preset for this kind of data instead. */
  readonly lastChoice: (LastChoice & { readonly isPreset?: true }) | null;
  readonly forecast: Forecast | null;
  /** An earlier asset from the same files in this account; absent if unknown. */
  readonly madeBefore?: MadeBeforeView;
}

export interface SourceView {
  readonly paths: readonly string[];
  /** Derived from the folder or file. */
  readonly suggestedName: string;
  readonly fileCount: number;
  readonly bytes: number;
  readonly extensions: readonly { readonly extension: string; readonly count: number }[];
  readonly ignoredCount: number;
  /** Paths of ignored files, relative to the source; at most 500. */
  readonly ignoredNames: readonly string[];
  /** Links, which are not followed. */
  readonly linkCount: number;
  /** Relative paths; at most 500. */
  readonly links: readonly string[];
  readonly emptyFolderCount: number;
  /** Relative paths; at most 500. */
  readonly emptyFolders: readonly string[];
  /** Entries left out because their names aren't UTF-8; absent for none. `names`: the first ones. */
  readonly notUtf8?: { readonly count: number; readonly names: readonly string[] };
  readonly suggestion: Suggestion | null;
  /** Relevant facts from the files' headers. */
  readonly findings: readonly FindingGroup[];
  readonly footprints: readonly Footprint[];
  /** Number of files by cell, if there are too many footprints; else null. */
  readonly density: Density | null;
  /** Facts beyond the first few files; null before any. */
  readonly seen: Seen | null;
  /** Key under which choices for this kind of data are remembered. */
  readonly kindKey: string;
  readonly lastChoice: (LastChoice & { readonly isPreset?: true }) | null;
  /** Proposed separate assets; empty if the entries can only form a single one. */
  readonly separate: readonly SeparateSourceView[];
  /** Facts about each separate asset, proposed or grouped by the person. */
  readonly assets: readonly AssetSeen[];
  /** All dropped files in pieces; pieces in no asset are left out. */
  readonly pieces: readonly PieceView[];
  /** Keys of files added from the same folder because dropped files need them. */
  readonly taken: readonly string[];
  /** The entries suggest separate assets. */
  readonly suggestSeparate: boolean;
  /** Null until an upload has measured this network. */
  readonly forecast: Forecast | null;
  /** Values sent earlier, if the job is to be corrected. */
  readonly asSent?: AsSentView;
  /**
   * For an extended source: the new index of each earlier piece; null if it is left out, or was added by hand
   * and is now in an asset anyway.
   */
  readonly piecesAgain?: readonly (number | null)[];
  /** An earlier asset from the same files in this account; absent if unknown, or with several assets. */
  readonly madeBefore?: MadeBeforeView;
}

/** An existing asset from the same data. `at`: time of completion, ms since the epoch. */
export interface MadeBeforeView {
  readonly assetId: number;
  readonly at: number;
  /** Changes that the upload made to the data; absent for none. */
  readonly changes?: ChangesInShort;
}

export interface AssetOfPieces {
  /** Above the proposed assets' numbers, or the number of an unchanged proposal. */
  readonly group: number;
  readonly pieces: readonly number[];
}

export interface AssetMadeBefore {
  readonly group: number;
  readonly madeBefore: MadeBeforeView;
}

/** A new asset as it was requested. */
export interface AsSentView
  extends Pick<
    NewAssetInput,
    'name' | 'description' | 'sourceType' | 'clampToTerrain' | 'baseTerrainId' | 'options'
  > {
  /** Null for a type that the form doesn't offer. */
  readonly assetType: AssetType | null;
  readonly leftOut: readonly string[];
  readonly assigned: readonly { readonly epsg: number; readonly keys: readonly string[] }[];
  /** Systems without a code. */
  readonly worded?: readonly { readonly wkt: string; readonly keys: readonly string[] }[];
}

/** Facts about further files of a source. */
export interface SourceSeenView {
  readonly round: number;
  readonly seen: Seen;
  /** Separate assets with new facts; absent for none. */
  readonly assets?: readonly AssetSeen[];
  /** New footprints; the first few files are included again. */
  readonly footprints: PackedFootprints;
  readonly density: Density | null;
}

/** Facts about a source during its scan. */
export interface SourceWalkedView {
  /** The page's number of the inspection. */
  readonly round: number;
  readonly fileCount: number;
  /** Facts about the first few files; null before any. */
  readonly seen: Seen | null;
  readonly footprints: readonly Footprint[];
}

/** A coordinate system of the EPSG dataset. */
export interface SystemView {
  readonly code: number;
  readonly name: string;
  /** Area of use. */
  readonly area: Area;
}

export interface NewAssetInput {
  readonly paths: readonly string[];
  /** Indexes of pieces of the last inspected source. Absent for all of it. */
  readonly pieces?: readonly number[];
  readonly name: string;
  /** Markdown; empty for none. */
  readonly description: string;
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  readonly baseTerrainId: number | null;
  /** Further options as JSON text, without those above; `{}` for none. */
  readonly options: string;
  /** Key for remembering the choices; null: not remembered. */
  readonly kindKey: string | null;
  /** The person accepts that the credentials may expire before the upload ends. */
  readonly acceptForecast: boolean;
  /** Changes to files of the last inspected source. */
  readonly changes?: SourceChanges;
  /** Id of the replaced job, whose account owns the asset; absent for none. */
  readonly predecessor?: string;
}
