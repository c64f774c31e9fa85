import type { Density, Extent, LonLat } from '../../../shared/source.ts';

/** Degrees, about 100 m. */
const finestCellSize = 1 / 1024;
const maxCells = 2_000;

/** Counts files per grid cell, in any order; the grid coarsens when it has too many cells. */
export class DensitySoFar {
  #size = finestCellSize;
  #cells = new Map<string, number>();

  add([lon, lat]: LonLat): void {
    const cell = `${Math.floor(lon / this.#size)} ${Math.floor(lat / this.#size)}`;
    this.#cells.set(cell, (this.#cells.get(cell) ?? 0) + 1);
    while (this.#cells.size > maxCells) this.#coarsen();
  }

  get density(): Density {
    const cells = [...this.#cells].map(([cell, count]) => {
      const [x, y] = placeOf(cell);
      return [x * this.#size, y * this.#size, count] as const;
    });
    return { size: this.#size, cells };
  }

  #coarsen(): void {
    const coarser = new Map<string, number>();
    for (const [cell, count] of this.#cells) {
      const [x, y] = placeOf(cell);
      const coarserCell = `${Math.floor(x / 2)} ${Math.floor(y / 2)}`;
      coarser.set(coarserCell, (coarser.get(coarserCell) ?? 0) + count);
    }
    this.#cells = coarser;
    this.#size *= 2;
  }
}

function placeOf(cell: string): readonly [x: number, y: number] {
  const [x, y] = cell.split(' ');
  return [Number(x), Number(y)];
}

/** The extent of all rings, the shorter way around the earth. */
export class ExtentSoFar {
  #south = 90;
  #north = -90;
  /** Longitudes from -180 to 180, and from 0 to 360. */
  readonly #centred = { west: Number.POSITIVE_INFINITY, east: Number.NEGATIVE_INFINITY };
  readonly #eastward = { west: Number.POSITIVE_INFINITY, east: Number.NEGATIVE_INFINITY };

  add(ring: readonly LonLat[]): void {
    for (const [lon, lat] of ring) {
      this.#south = Math.min(this.#south, lat);
      this.#north = Math.max(this.#north, lat);
      widen(this.#centred, lon);
      widen(this.#eastward, lon < 0 ? lon + 360 : lon);
    }
  }

  get extent(): Extent | null {
    const [centred, eastward] = [this.#centred, this.#eastward];
    if (centred.west > centred.east) return null;
    const { west, east } = eastward.east - eastward.west < centred.east - centred.west ? eastward : centred;
    const normalized = (lon: number) => (lon > 180 ? lon - 360 : lon);
    return { west: normalized(west), south: this.#south, east: normalized(east), north: this.#north };
  }
}

function widen(span: { west: number; east: number }, lon: number): void {
  span.west = Math.min(span.west, lon);
  span.east = Math.max(span.east, lon);
}

/** The approximate middle, correct across the date line. */
export function middleOf(ring: readonly LonLat[]): LonLat {
  const extentSoFar = new ExtentSoFar();
  extentSoFar.add(ring);
  const { west = 0, south = 0, east = 0, north = 0 } = extentSoFar.extent ?? {};
  const lon = (west + (east < west ? east + 360 : east)) / 2;
  return [lon >= 180 ? lon - 360 : lon, (south + north) / 2];
}
