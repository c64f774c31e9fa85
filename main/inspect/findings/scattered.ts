import type { LonLat } from '../../../shared/source.ts';
import { metresBetween } from '../crs/distance.ts';

/** Files in one square degree. */
interface Cell {
  readonly column: number;
  readonly row: number;
  readonly position: LonLat;
  count: number;
  readonly keys: string[];
}

const maxKeys = 100;
/** Fewer files have no majority. */
const leastFiles = 4;
const maxApart = 0.05;
const leastMetres = 100_000;

/** Counts files per square degree, in at most 64,800 cells. */
export class Scattered {
  readonly #cells = new Map<number, Cell>();
  #files = 0;

  add(key: string, position: LonLat): void {
    const [column, row] = [Math.floor(position[0] + 180) % 360, Math.min(179, Math.floor(position[1] + 90))];
    const cell = this.#cells.get(row * 360 + column) ?? { column, row, position, count: 0, keys: [] };
    this.#cells.set(row * 360 + column, cell);
    cell.count += 1;
    if (cell.keys.length < maxKeys) cell.keys.push(key);
    this.#files += 1;
  }

  /** Finds the few files that are farther from the others than these are from each other, or null. */
  farAway(): {
    readonly count: number;
    readonly keys: readonly string[];
    readonly kilometres: number;
  } | null {
    if (this.#files < leastFiles || this.#cells.size < 2) return null;
    const main = this.#largest();
    const strayCells = [...this.#cells.values()].filter((cell) => !main.has(cell));
    const count = strayCells.reduce((sum, cell) => sum + cell.count, 0);
    if (count === 0 || count > Math.max(1, this.#files * maxApart)) return null;
    const mainCells = [...main];
    const [firstCell] = mainCells;
    if (!firstCell) return null;
    const spread =
      2 * Math.max(...mainCells.map(({ position }) => metresBetween(firstCell.position, position)));
    const far = strayCells.flatMap((cell) => {
      const metres = Math.min(...mainCells.map(({ position }) => metresBetween(cell.position, position)));
      return metres > Math.max(leastMetres, spread) ? { cell, metres } : [];
    });
    if (far.length === 0) return null;
    return {
      count: far.reduce((sum, { cell }) => sum + cell.count, 0),
      keys: far.flatMap(({ cell }) => cell.keys),
      kilometres: Math.round(Math.max(...far.map(({ metres }) => metres)) / 1_000),
    };
  }

  /** The adjacent cells with the most files. */
  #largest(): ReadonlySet<Cell> {
    const remainingCells = new Set(this.#cells.values());
    let best: { cells: ReadonlySet<Cell>; count: number } = { cells: new Set(), count: 0 };
    for (const start of remainingCells) {
      const cells = new Set([start]);
      for (const cell of cells) {
        remainingCells.delete(cell);
        for (const neighbor of this.#neighborsOf(cell)) if (remainingCells.has(neighbor)) cells.add(neighbor);
      }
      const count = [...cells].reduce((sum, cell) => sum + cell.count, 0);
      if (count > best.count) best = { cells, count };
    }
    return best.cells;
  }

  #neighborsOf({ column, row }: Cell): readonly Cell[] {
    const steps = [-1, 0, 1];
    return steps.flatMap((up) =>
      steps.flatMap((aside) => this.#cells.get((row + up) * 360 + ((column + aside + 360) % 360)) ?? []),
    );
  }
}
