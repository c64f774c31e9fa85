import type { WholeFinding } from '../../../shared/findings.ts';
import type { Head } from '../formats/read-file.ts';
import type { Corners } from '../formats/systems/coordinate-system.ts';
import { extensionOf } from '../headers/choose.ts';
import { isDerived } from '../headers/describe-headers.ts';
import type { Look } from '../headers/look-inside.ts';

/** Columns, because 100,000 objects would take 12 MB. */
interface Tiles {
  readonly keys: string[];
  /** Counted from the first tile, eastward and northward. */
  readonly columns: number[];
  readonly rows: number[];
  /** Only tiles of the same layout can hide each other. */
  readonly layouts: number[];
}

const noTilesYet = (): Tiles => ({ keys: [], columns: [], rows: [], layouts: [] });

/** The first tile's corner and the common size, in units of their system. */
interface Cell {
  readonly west: number;
  readonly south: number;
  readonly width: number;
  readonly height: number;
}

const maxTiles = 100_000;
const maxKeys = 1_000;
/** Fewer places don't form a grid. */
const leastPlaces = 4;
/** Share of a tile, for position and size. Many tiles overlap by a pixel or two. */
const tolerance = 0.02;
/** Per tile; sparser grids follow a river or are scattered. */
const maxEmpty = 4;
/** Share of all tiles; larger gaps are mostly intended (a lake, or a town within a district). */
const maxMissing = 0.05;
/** Sidecar files, and formats that aren't tiles. */
const noTiles = new Set('xml gml citygml las laz kml json geojson shp shx dbf ovr msk'.split(' '));

/**
 * Finds overlaps and gaps in a grid of equal rasters. Finds nothing if any raster doesn't fit or has no
 * place.
 */
export class TileGrid {
  #tiles = noTilesYet();
  readonly #layouts = new Map<string, number>();
  #isGrid = true;
  #cell: Cell | null = null;
  #system: string | null = null;

  /** @param system any identifier; null if unknown */
  add({ key, head }: Pick<Look, 'key' | 'head'>, system: string | null): void {
    if (!this.#isGrid || noTiles.has(extensionOf(key)) || isDerived(key)) return;
    const mayFit = head !== null && system !== null && (this.#system ?? system) === system;
    this.#system ??= system;
    if (mayFit && this.#tiles.keys.length < maxTiles && this.#place(key, head)) return;
    this.#isGrid = false;
    this.#tiles = noTilesYet();
  }

  /**
   * Call this when all files are added.
   *
   * @param isDuplicate whether this key is already reported as a copy
   */
  find(isDuplicate: (key: string) => boolean): readonly WholeFinding[] {
    const { keys, columns, rows } = this.#tiles;
    const order = Uint32Array.from(keys.keys()).sort(
      (a, b) => (rows[a] ?? 0) - (rows[b] ?? 0) || (columns[a] ?? 0) - (columns[b] ?? 0) || a - b,
    );
    const places: (readonly [column: number, row: number])[] = [];
    const twice: string[] = [];
    for (let groupStart = 0, groupEnd = 0; groupStart < order.length; groupStart = groupEnd) {
      const [column = 0, row = 0] = [columns[order[groupStart] ?? 0], rows[order[groupStart] ?? 0]];
      while (
        groupEnd < order.length &&
        columns[order[groupEnd] ?? 0] === column &&
        rows[order[groupEnd] ?? 0] === row
      )
        groupEnd++;
      places.push([column, row]);
      for (const key of this.#overlapping([...order.subarray(groupStart, groupEnd)], isDuplicate))
        twice.push(key);
    }
    if (places.length < leastPlaces) return [];
    const missing = emptyInside(places);
    const isFew = missing > 0 && missing <= Math.max(1, places.length * maxMissing);
    return [
      ...(twice.length > 0
        ? [{ id: 'overlaps' as const, count: twice.length, keys: twice.slice(0, maxKeys) }]
        : []),
      ...(isFew ? [{ id: 'gaps' as const, values: { missing }, count: keys.length, keys: [] }] : []),
    ];
  }

  /** Excludes copies of one file. */
  #overlapping(tiles: readonly number[], isDuplicate: (key: string) => boolean): readonly string[] {
    const { keys, layouts } = this.#tiles;
    const byLayout = Map.groupBy(tiles, (tile) => layouts[tile]);
    return [...byLayout.values()].flatMap((alike) => {
      const tileKeys = alike.map((tile) => keys[tile] ?? '');
      return tileKeys.length > 1 && tileKeys.some((key) => !isDuplicate(key)) ? tileKeys : [];
    });
  }

  /** False if the tile doesn't fit the grid. */
  #place(key: string, head: Head): boolean {
    const box = 'corners' in head && head.corners ? boxOf(head.corners) : null;
    if (!box) return false;
    this.#cell ??= box;
    const { west, south, width, height } = this.#cell;
    const [column, row] = [(box.west - west) / width, (box.south - south) / height];
    const strays = [
      box.width / width - 1,
      box.height / height - 1,
      column - Math.round(column),
      row - Math.round(row),
    ];
    if (!strays.every((stray) => Math.abs(stray) <= tolerance)) return false;
    const layout = layoutOf(head);
    const number = this.#layouts.get(layout) ?? this.#layouts.size;
    this.#layouts.set(layout, number);
    this.#tiles.keys.push(key);
    this.#tiles.columns.push(Math.round(column));
    this.#tiles.rows.push(Math.round(row));
    this.#tiles.layouts.push(number);
    return true;
  }
}

const layoutOf = (head: Head): string =>
  'bands' in head ? `${head.kind} ${head.bands} ${head.bits} ${head.sample}` : head.kind;

/** Null if rotated or without extent. */
function boxOf(corners: Corners): Cell | null {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [west, south, east, north] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const [width, height] = [east - west, north - south];
  const isAtEdge = (offset: number, length: number) =>
    Math.min(Math.abs(offset), Math.abs(offset - length)) <= length * tolerance;
  const isUpright = corners.every(([x, y]) => isAtEdge(x - west, width) && isAtEdge(y - south, height));
  return width > 0 && height > 0 && isUpright ? { west, south, width, height } : null;
}

/**
 * Counts enclosed empty places; a diagonal gap counts as open.
 *
 * @param places occupied places, each once
 */
function emptyInside(places: readonly (readonly [column: number, row: number])[]): number {
  let [west, east, south, north] = [0, 0, 0, 0];
  for (const [column, row] of places) {
    [west, east] = [Math.min(west, column), Math.max(east, column)];
    [south, north] = [Math.min(south, row), Math.max(north, row)];
  }
  // Includes an empty border.
  const [columns, rows] = [east - west + 3, north - south + 3];
  if ((columns - 2) * (rows - 2) > places.length * (1 + maxEmpty)) return 0;
  const isTaken = new Uint8Array(columns * rows);
  for (const [column, row] of places) isTaken[(row - south + 1) * columns + column - west + 1] = 1;
  const outside = [0];
  isTaken[0] = 1;
  for (const cell of outside) {
    const column = cell % columns;
    for (const aside of [-1, 0, 1]) {
      if (column + aside < 0 || column + aside >= columns) continue;
      for (const neighbor of [cell - columns + aside, cell + aside, cell + columns + aside]) {
        if (isTaken[neighbor] !== 0) continue;
        isTaken[neighbor] = 1;
        outside.push(neighbor);
      }
    }
  }
  return isTaken.reduce((sum, isCellTaken) => sum + (isCellTaken === 0 ? 1 : 0), 0);
}
