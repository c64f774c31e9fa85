import type { LonLat } from '../../../shared/source.ts';
import { metresBetween } from '../crs/distance.ts';

/** Files in one square degree. */
interface Cell {
  readonly column: number;
  readonly row: number;
  readonly at: LonLat;
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

  add(key: string, at: LonLat): void {
    const [column, row] = [Math.floor(at[0] + 180) % 360, Math.min(179, Math.floor(at[1] + 90))];
    const cell = this.#cells.get(row * 360 + column) ?? { column, row, at, count: 0, keys: [] };
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
    const few = [...this.#cells.values()].filter((cell) => !main.has(cell));
    const count = few.reduce((sum, cell) => sum + cell.count, 0);
    if (count === 0 || count > Math.max(1, this.#files * maxApart)) return null;
    const rest = [...main];
    const [first] = rest;
    if (!first) return null;
    const spread = 2 * Math.max(...rest.map(({ at }) => metresBetween(first.at, at)));
    const far = few.flatMap((cell) => {
      const metres = Math.min(...rest.map(({ at }) => metresBetween(cell.at, at)));
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
    const left = new Set(this.#cells.values());
    let best: { cells: ReadonlySet<Cell>; count: number } = { cells: new Set(), count: 0 };
    for (const start of left) {
      const cells = new Set([start]);
      for (const cell of cells) {
        left.delete(cell);
        for (const beside of this.#beside(cell)) if (left.has(beside)) cells.add(beside);
      }
      const count = [...cells].reduce((sum, cell) => sum + cell.count, 0);
      if (count > best.count) best = { cells, count };
    }
    return best.cells;
  }

  #beside({ column, row }: Cell): readonly Cell[] {
    const steps = [-1, 0, 1];
    return steps.flatMap((up) =>
      steps.flatMap((aside) => this.#cells.get((row + up) * 360 + ((column + aside + 360) % 360)) ?? []),
    );
  }
}
