import { geoMercator, geoPath } from 'd3-geo';
import type { LonLat } from '../../../shared/source.ts';
import type { Size, World } from './map-model.ts';

/** The part of the world in which a place is picked. */
export interface PickView {
  readonly center: LonLat;
  /** 0: the whole world fits the width; each step shows half as much. */
  readonly zoom: number;
}

/** Further in, the atlas has nothing more to show; numbers say it better. */
export const maxPickZoom = 10;

/** Paths of an SVG, and the way between places and pixels. Mercator: north is up everywhere. */
export interface PickDrawing {
  readonly land: string;
  readonly borders: string;
  readonly pixelOf: (place: LonLat) => readonly [x: number, y: number];
  /** Degrees, with as many digits as a pixel is worth. */
  readonly placeAt: (x: number, y: number) => LonLat;
}

/** Beyond it Mercator has no end. */
const maxLatitude = 85;

export function drawPick({ center, zoom }: PickView, world: World, { width, height }: Size): PickDrawing {
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
  const rounded = (degrees: number) => Number(degrees.toFixed(digits));
  return {
    land: path(world.land) ?? '',
    borders: path(world.borders) ?? '',
    pixelOf: ([lon, lat]) => projection([lon, Math.max(-maxLatitude, Math.min(maxLatitude, lat))]) ?? [0, 0],
    placeAt: (x, y) => {
      const [lon, lat] = projection.invert?.([x, y]) ?? center;
      return [rounded(lon), rounded(Math.max(-maxLatitude, Math.min(maxLatitude, lat)))];
    },
  };
}
