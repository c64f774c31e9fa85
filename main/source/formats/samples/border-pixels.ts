/** A colour along the edges that stands for nothing, as it seems. */
export type Border = 'black' | 'white';

/** What was seen along the edges of a picture of which only the beginning can be read. */
export interface SeenBorder {
  readonly border: Border;
  /** Only rows from the upper edge on were seen, and not the middle. */
  readonly above?: true;
}

/** Shares of a side: what counts as its edge, and as its middle. */
const [edge, middle] = [0.1, 0.25];
/** Pixels of each that have to be seen; of means of 64 each fewer tell as much. */
const fewest = { pixels: [2_000, 1_000], means: [500, 250] } as const;
/** How many at the edge are of the colour; in the middle none but a few may be. */
const [leastShare, mostInMiddle] = [0.04, 0.005];
/** Pixels side by side, from the very edge on. */
const leastRun = 16;
/** Values that are nearly it: dark water and bright roofs have many, of what is filled in there are none. */
const [near, mostNear] = [12, 0.03];
/** A photograph has many values. */
const fewestValues = 40;

/** Pixels that were seen of one colour. */
interface Counts {
  readonly value: 0 | 255;
  atEdge: number;
  nearby: number;
  inMiddle: number;
  /** The longest from an edge on. */
  run: number;
  /** Of whole rows: what reaches to their ends, what lies between that, and what of that is of it too. */
  reaching: number;
  between: number;
  itBetween: number;
}

/**
 * What shows of a picture whether black or white along its edges stands in place of nothing: fed with rows of
 * pixels, or parts of them.
 */
export class BorderPixels {
  readonly #bands: number;
  readonly #width: number;
  readonly #height: number;
  readonly #values = new Set<number>();
  readonly #counts: readonly Counts[] = ([0, 255] as const).map((value) => ({
    ...{ value, atEdge: 0, nearby: 0, inMiddle: 0, run: 0 },
    ...{ reaching: 0, between: 0, itBetween: 0 },
  }));
  #seen = 0;
  #atEdge = 0;
  #inMiddle = 0;

  readonly #fewestAtEdge: number;
  readonly #fewestInMiddle: number;

  /** @param of what its rows hold: pixels, or the mean of each 8 × 8 of them */
  constructor(bands: number, width: number, height: number, of: 'pixels' | 'means' = 'pixels') {
    [this.#fewestAtEdge, this.#fewestInMiddle] = fewest[of];
    this.#bands = bands;
    this.#width = width;
    this.#height = height;
  }

  /** @param row a part of a row of pixels, which begins there */
  takeRow(row: Buffer, left: number, y: number): void {
    const bands = this.#bands;
    const isEdgeRow = y < this.#height * edge || y >= this.#height * (1 - edge);
    const isMiddleRow = y >= this.#height * middle && y < this.#height * (1 - middle);
    const count = Math.floor(row.length / bands);
    this.#seen += count;
    for (let at = 0; at < count; at++) {
      const x = left + at;
      let [least, most] = [255, 0];
      for (let band = 0; band < bands; band++) {
        const value = row[at * bands + band] ?? 0;
        if (value < least) least = value;
        if (value > most) most = value;
      }
      const isEdge = isEdgeRow || x < this.#width * edge || x >= this.#width * (1 - edge);
      const isMiddle = isMiddleRow && x >= this.#width * middle && x < this.#width * (1 - middle);
      if (isEdge) this.#atEdge += 1;
      if (isMiddle) this.#inMiddle += 1;
      this.#values.add(least);
      for (const counts of this.#counts) {
        const isIt = least === counts.value && most === counts.value;
        if (isIt && isEdge) counts.atEdge += 1;
        if (isIt && isMiddle) counts.inMiddle += 1;
        if (!isIt && (counts.value === 0 ? most <= near : least >= 255 - near)) counts.nearby += 1;
      }
    }
    for (const counts of this.#counts) {
      const fromLeft = left === 0 ? runOf(row, bands, counts.value) : 0;
      const isWhole = left + count === this.#width;
      const fromRight = isWhole && fromLeft < count ? runOf(row, bands, counts.value, true) : 0;
      counts.run = Math.max(counts.run, fromLeft, fromRight);
      if (left > 0 || !isWhole) continue;
      counts.reaching += fromLeft + fromRight;
      counts.between += count - fromLeft - fromRight;
      for (let at = fromLeft; at < count - fromRight; at++)
        if (isOf(row, at, bands, counts.value)) counts.itBetween += 1;
    }
  }

  /** By the edges and the middle; null where too little of either was seen. */
  get border(): Border | null {
    if (this.#atEdge < this.#fewestAtEdge || !this.#hasMiddle) return null;
    return this.#find(
      ({ atEdge, nearby, inMiddle }) =>
        atEdge >= this.#atEdge * leastShare &&
        nearby <= atEdge * mostNear &&
        inMiddle <= this.#inMiddle * mostInMiddle,
    );
  }

  /** By whole rows from the upper edge on: what lies between their ends stands for the middle. */
  get #borderAbove(): Border | null {
    return this.#find(
      ({ reaching, nearby, between, itBetween }) =>
        reaching >= Math.max(this.#fewestAtEdge, this.#seen * leastShare) &&
        nearby <= reaching * mostNear &&
        between >= this.#fewestInMiddle &&
        itBetween <= between * mostInMiddle,
    );
  }

  /** By the middle where that was seen, else by the rows above it. */
  get seen(): SeenBorder | null {
    const border = this.#hasMiddle ? this.border : this.#borderAbove;
    return border && { border, ...(!this.#hasMiddle && { above: true }) };
  }

  get #hasMiddle(): boolean {
    return this.#inMiddle >= this.#fewestInMiddle;
  }

  #find(seems: (counts: Counts) => boolean): Border | null {
    if (this.#values.size < fewestValues) return null;
    const found = this.#counts.find((counts) => counts.run >= leastRun && seems(counts));
    return found ? (found.value === 0 ? 'black' : 'white') : null;
  }
}

function isOf(row: Buffer, at: number, bands: number, value: number): boolean {
  for (let band = 0; band < bands; band++) if (row[at * bands + band] !== value) return false;
  return true;
}

/** How many pixels of a value stand side by side from an end of a row on. */
function runOf(row: Buffer, bands: number, value: number, isFromRight = false): number {
  const count = Math.floor(row.length / bands);
  let run = 0;
  while (run < count && isOf(row, isFromRight ? count - 1 - run : run, bands, value)) run += 1;
  return run;
}
