/** Asset types that the globe can show. */
export const shownTypes = ['3DTILES', 'IMAGERY', 'TERRAIN', 'GEOJSON', 'KML', 'CZML'] as const;
export type ShownType = (typeof shownTypes)[number];

/** Data of a globe's page, from `/asset.json`. */
export interface GlobeData {
  readonly name: string;
  readonly type: ShownType;
  /** Of the tileset, pyramid, layer or document. */
  readonly url: string;
  readonly accessToken: string;
  /** HTML of the data's owners, which the globe sanitizes. */
  readonly attributions: readonly string[];
  readonly language: string;
  readonly texts: Readonly<Record<'hint' | 'loading' | 'failed' | 'noGraphics', string>>;
}
