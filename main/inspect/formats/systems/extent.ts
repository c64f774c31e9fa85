import { type Corners, cornersOfBox } from './coordinate-system.ts';

/** The box around points, in their own system. */
export class PointExtent {
  #west = Number.POSITIVE_INFINITY;
  #south = Number.POSITIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;

  /** East first. Ignores all but finite numbers. */
  add(x: unknown, y: unknown): void {
    if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) return;
    this.#west = Math.min(this.#west, x);
    this.#east = Math.max(this.#east, x);
    this.#south = Math.min(this.#south, y);
    this.#north = Math.max(this.#north, y);
  }

  /** Null without a point. */
  get corners(): Corners | null {
    return cornersOfBox(this.#west, this.#south, this.#east, this.#north);
  }
}
