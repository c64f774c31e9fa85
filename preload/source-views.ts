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

/** Files that are moved from asset to asset by hand, and never parted. */
export interface PieceView {
  readonly name: string;
  /** Its kind of data; empty for what is left out. */
  readonly sourceType: string;
  readonly reason: LeftOutReason | null;
  readonly fileCount: number;
  readonly bytes: number;
  /** What is in it, the data first: by extension, without the dot. */
  readonly contents: readonly {
    readonly extension: string;
    readonly count: number;
    readonly beside: boolean;
  }[];
  /** Keys of the first files; of a piece that is left out 200, of others the file that it is named after. */
  readonly names: readonly string[];
}

/** A file that was taken out of what is left out, as a piece of its own. */
export interface PartedFileView {
  /** The piece that it was in, by its place, and what is left of that; null where it was all of it. */
  readonly at: number;
  readonly rest: PieceView | null;
  /** Its own piece, and the place of that. */
  readonly place: number;
  readonly part: PieceView;
}

/** One of several assets that the dropped entries can become, of one kind of data. */
export interface SeparateSourceView {
  readonly paths: readonly string[];
  /** Of which pieces it is made: places in the source’s list. */
  readonly pieces: readonly number[];
  /** Its number: `SourceView.assets` says what was seen of it. */
  readonly group: number;
  readonly suggestedName: string;
  readonly fileCount: number;
  readonly bytes: number;
  readonly suggestion: Suggestion | null;
  readonly kindKey: string;
  /** With `isPreset`: the default preset for this kind of data instead. */
  readonly lastChoice: (LastChoice & { readonly isPreset?: true }) | null;
  readonly forecast: Forecast | null;
  /** What the same files became, with this account; absent where that is unknown. */
  readonly madeBefore?: MadeBeforeView;
}

/** What was found in the dropped entries. */
export interface SourceView {
  readonly paths: readonly string[];
  /** A name for the asset, from the folder's or file's. */
  readonly suggestedName: string;
  readonly fileCount: number;
  readonly bytes: number;
  readonly extensions: readonly { readonly extension: string; readonly count: number }[];
  readonly ignoredCount: number;
  /** Paths of the ignored, relative to the source; at most 500. */
  readonly ignoredNames: readonly string[];
  /** Links in it, which are not followed. */
  readonly linkCount: number;
  /** Likewise. */
  readonly links: readonly string[];
  readonly emptyFolderCount: number;
  /** Likewise. */
  readonly emptyFolders: readonly string[];
  /** What is left out since its name is not UTF-8; absent for nothing. `names`: of very many the first. */
  readonly notUtf8?: { readonly count: number; readonly names: readonly string[] };
  readonly suggestion: Suggestion | null;
  /** What the heads of its files tell that matters to whoever uploads them. */
  readonly findings: readonly FindingGroup[];
  /** Of the files that were looked at, those whose place is known. */
  readonly footprints: readonly Footprint[];
  /** Where files lie that are too many for a footprint each; null where they are not. */
  readonly density: Density | null;
  /** What was seen beyond the first few files; null while nothing was. */
  readonly seen: Seen | null;
  /** The kind of data under which choices are remembered. */
  readonly kindKey: string;
  readonly lastChoice: (LastChoice & { readonly isPreset?: true }) | null;
  /** What the entries become as one asset each; empty where they can only become one. */
  readonly separate: readonly SeparateSourceView[];
  /** What was seen of each of these, or of those that a person has put together from them. */
  readonly assets: readonly AssetSeen[];
  /** All that was dropped, in pieces; those that are in no asset are left out. */
  readonly pieces: readonly PieceView[];
  /** Keys of files that were not dropped and belong to those that were, from the same folder. */
  readonly taken: readonly string[];
  /** What the entries are speaks for one asset each. */
  readonly suggestSeparate: boolean;
  /** Null while no upload has shown how fast this network is. */
  readonly forecast: Forecast | null;
  /** What was sent of it before, where that is to be corrected. */
  readonly asSent?: AsSentView;
  /**
   * Of more than was shown: for each piece that there was, its place now; null where it is left out, or was
   * put into an asset by hand and is in one anyway.
   */
  readonly piecesAgain?: readonly (number | null)[];
  /** What the same files became, with this account; absent where that is unknown or they become several. */
  readonly madeBefore?: MadeBeforeView;
}

/** An asset that was made of the same data. `at`: when it was complete, ms since the epoch. */
export interface MadeBeforeView {
  readonly assetId: number;
  readonly at: number;
  /** What that upload changed of the data; absent for nothing. */
  readonly changes?: ChangesInShort;
}

/** One of several assets as a person has put it together. */
export interface AssetOfPieces {
  /** From the number of the proposed assets on; one of theirs for those that are as proposed. */
  readonly group: number;
  /** Places in the source’s list. */
  readonly pieces: readonly number[];
}

/** What the files of one of several assets became. */
export interface AssetMadeBefore {
  readonly group: number;
  readonly madeBefore: MadeBeforeView;
}

/** A new asset as it was asked for. */
export interface AsSentView
  extends Pick<
    NewAssetInput,
    'name' | 'description' | 'assetType' | 'sourceType' | 'clampToTerrain' | 'baseTerrainId' | 'options'
  > {
  /** What was decided about files that are still there, by their keys. */
  readonly leftOut: readonly string[];
  readonly assigned: readonly { readonly epsg: number; readonly keys: readonly string[] }[];
  /** Systems without a number. */
  readonly worded?: readonly { readonly wkt: string; readonly keys: readonly string[] }[];
}

/** What was seen in further files of a source. */
export interface SourceSeenView {
  /** As the page has called its look at the source. */
  readonly round: number;
  readonly seen: Seen;
  /** Of several assets, those of which more was seen since the last time; absent for none. */
  readonly assets?: readonly AssetSeen[];
  /** Those since the last time; the first few files are among them again. */
  readonly footprints: PackedFootprints;
  readonly density: Density | null;
}

/** What is known of a source while it is still walked through. */
export interface SourceWalkedView {
  /** As the page has called its look at the source. */
  readonly round: number;
  /** Files that were found so far. */
  readonly fileCount: number;
  /** What the first few of them say; null while none was looked into. */
  readonly seen: Seen | null;
  /** Of these few. */
  readonly footprints: readonly Footprint[];
}

/** A coordinate system of the EPSG dataset. */
export interface SystemView {
  readonly code: number;
  /** `ETRS89 / UTM zone 32N`. */
  readonly name: string;
  /** Where it is meant to be used: `Europe between 6°E and 12°E`; in English, as the dataset says it. */
  readonly area: string;
}

export interface NewAssetInput {
  readonly paths: readonly string[];
  /** Of the source that was inspected last, these pieces alone: places in its list. Absent for all of it. */
  readonly pieces?: readonly number[];
  readonly name: string;
  /** Markdown; empty for none. */
  readonly description: string;
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  readonly baseTerrainId: number | null;
  /** Further options, a JSON object as text; `{}` for none. Those above are not among them. */
  readonly options: string;
  /** Where the choices are remembered; null for nowhere. */
  readonly kindKey: string | null;
  /** The person has been told that the forecast does not fit the credential life and wants it anyway. */
  readonly acceptForecast: boolean;
  /** To the files of the source that was inspected last. */
  readonly changes?: SourceChanges;
  /** Id of the job that it takes the place of, whose account it belongs to; absent for none. */
  readonly predecessor?: string;
}
