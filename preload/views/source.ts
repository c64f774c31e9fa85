import type { AssetType } from '../../shared/assets.ts';
import type { PhraseValue, Said } from '../../strings/phrase.ts';

export interface SuggestionView {
  /** The kind of data: "CityGML". */
  readonly kind: Said;
  readonly assetType: AssetType;
  readonly sourceType: string;
  /** Why: "34 .gml files". */
  readonly reason: PhraseValue;
}

/** Files in which nothing was found of what puts them on earth. */
export interface LackingView {
  readonly what: 'coordinate-system' | 'photo-position';
  /** It matters to data of these kinds. */
  readonly sourceTypes: readonly string[];
  readonly lacking: number;
  /** Not all files are looked into. */
  readonly looked: number;
  readonly total: number;
  /** Keys of a few of them. */
  readonly examples: readonly string[];
}

/** What the person chose for the last asset from the same kind of data. */
export interface LastChoiceView {
  readonly assetType: AssetType;
  readonly sourceType: string;
  readonly clampToTerrain: boolean;
  readonly baseTerrainId: number | null;
  /** Further options, a JSON object as text. */
  readonly options: string;
}

/** One of several assets that the dropped entries can become: a folder, or a file with what belongs to it. */
export interface SourcePartView {
  readonly paths: readonly string[];
  readonly suggestedName: string;
  readonly fileCount: number;
  readonly bytes: number;
  readonly suggestion: SuggestionView | null;
  readonly kindKey: string;
  readonly lastChoice: LastChoiceView | null;
  readonly forecast: ForecastView | null;
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
  readonly suggestion: SuggestionView | null;
  readonly lacking: readonly LackingView[];
  /** The kind of data under which choices are remembered. */
  readonly kindKey: string;
  readonly lastChoice: LastChoiceView | null;
  /** What the entries become as one asset each; empty where they can only become one. */
  readonly parts: readonly SourcePartView[];
  /** What the entries are speaks for one asset each. */
  readonly suggestParts: boolean;
  /** Null while no upload has shown how fast this line is. */
  readonly forecast: ForecastView | null;
}

/** How long an upload will take, held against the life of its storage credentials. */
export interface ForecastView {
  readonly seconds: number;
  readonly bytesPerSecond: number;
  /** Where the number of files takes longer than their bytes; else null. */
  readonly filesPerSecond: number | null;
  /** Share of the credential life, 1 for all of it. Over 0.8 warns, over 1 asks. */
  readonly shareOfLife: number;
}

export interface NewAssetInput {
  readonly paths: readonly string[];
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
  /** The person has been told that the forecast does not fit the credential life and wants it all the same. */
  readonly acceptForecast: boolean;
}
