import { geoMercator, geoPath } from 'd3-geo';
import type { LonLat } from '../../../shared/source.ts';
import type { Size, World } from './map-model.ts';

export interface PickView {
  readonly center: LonLat;
  /** 0: the whole world fits the width; each step doubles the scale. */
  readonly zoom: number;
}

/** The atlas has no finer details. */
export const maxPickZoom = 10;

/** SVG paths and conversion between positions and pixels. Mercator: north is up everywhere. */
export interface PickDrawing {
  readonly land: string;
  readonly borders: string;
  readonly pixelOf: (place: LonLat) => readonly [x: number, y: number];
  /** Degrees, rounded to a pixel's precision. */
  readonly placeAt: (x: number, y: number) => LonLat;
}

/** Mercator diverges beyond it. */
const maxLatitude = 85;

export function drawPick({ center, zoom }: PickView, worldMap: World, { width, height }: Size): PickDrawing {
  const across = width * 2 ** zoom;
  const projection = geoMercator()
    .scale(across / (2 * Math.PI))
    .rotate([-center[0], 0])
    .center([0, Math.max(-maxLatitude, Math.min(maxLatitude, center[1]))])
    .translate([width / 2, height / 2])
    .clipExtent([
      [-2, -2],
      [width + 2, height + 2],
    ]);
  const path = geoPath(projection);
  const digits = Math.max(0, Math.ceil(-Math.log10(360 / across)));
  const roundDegrees = (degrees: number) => Number(degrees.toFixed(digits));
  return {
    land: path(worldMap.land) ?? '',
    borders: path(worldMap.borders) ?? '',
    pixelOf: ([lon, lat]) => projection([lon, Math.max(-maxLatitude, Math.min(maxLatitude, lat))]) ?? [0, 0],
    placeAt: (x, y) => {
      const [lon, lat] = projection.invert?.([x, y]) ?? center;
      return [roundDegrees(lon), roundDegrees(Math.max(-maxLatitude, Math.min(maxLatitude, lat)))];
    },
  };
}
