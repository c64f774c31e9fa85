import type { GeoPath, GeoProjection } from 'd3-geo';
import type { MultiLineString, MultiPolygon } from 'geojson';

export interface World {
  readonly land: MultiPolygon;
  readonly borders: MultiLineString;
}

/** In pixels by default. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface MapView {
  readonly path: GeoPath;
  readonly projection: GeoProjection;
  /** Visible radius around the middle, radians. */
  readonly radius: number;
  readonly center: readonly [lon: number, lat: number];
}
