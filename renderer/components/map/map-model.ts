import type { GeoPath, GeoProjection } from 'd3-geo';
import type { MultiLineString, MultiPolygon } from 'geojson';

/** What the map is drawn upon. */
export interface World {
  readonly land: MultiPolygon;
  readonly borders: MultiLineString;
}

/** In pixels, if nothing else is said. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How a map shows the world. */
export interface MapView {
  readonly path: GeoPath;
  readonly projection: GeoProjection;
  /** What is seen of the world: radians around the middle. */
  readonly radius: number;
  readonly center: readonly [lon: number, lat: number];
  /** Of the data: pixels. */
  readonly bounds: readonly [[left: number, top: number], [right: number, bottom: number]];
}
