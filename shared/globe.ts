import type { ServiceAddress } from './services.ts';

/** Asset types that the globe can show. */
export const shownTypes = ['3DTILES', 'IMAGERY', 'TERRAIN', 'GEOJSON', 'KML', 'CZML'] as const;
export type ShownType = (typeof shownTypes)[number];

/** The page's title when all of the asset's visible parts are drawn. */
export const loadedTitle = 'loaded';

/** Data of a globe's page, from `/asset.json`. */
export interface GlobeData {
  readonly name: string;
  readonly type: ShownType;
  /** The address of the tileset, pyramid, layer or document. */
  readonly url: string;
  readonly accessToken: string;
  /** HTML of the data's owners, which the globe sanitizes. */
  readonly attributions: readonly string[];
  readonly language: string;
  readonly texts: Readonly<Record<'hint' | 'loading' | 'failed' | 'noGraphics', string>>;
}

/** The address of an asset's tiles, and the token for it. */
export interface AssetEndpoint {
  readonly type: string;
  readonly url: string;
  readonly accessToken: string;
  /** HTML. */
  readonly attributions: readonly string[];
}

/** A tiled asset and where its tiles are. */
interface ViewedAsset {
  /** ID of the account. */
  readonly owner: string;
  readonly id: number;
  readonly name: string;
  readonly endpoint: AssetEndpoint;
  readonly address: ServiceAddress;
}

/** False if the globe can't show an asset of this type or at this address. */
export type ShowGlobe = (asset: ViewedAsset) => Promise<boolean>;
