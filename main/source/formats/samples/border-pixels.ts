/** A colour along the edges that stands for nothing, as it seems. */
export type Border = 'black' | 'white';

/** What was seen along the edges of a picture of which only the beginning can be read. */
export interface SeenBorder {
  readonly border: Border;
  /** It is packed so that what is black or white comes out as nearly that. */
  readonly lossy?: true;
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
/** Corners: upper left and right, lower left and right. */
const corners = [0, 1, 2, 3] as const;

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
  /** Whether what was seen nearest to each corner is of it. */
  readonly inCorner: [boolean, boolean, boolean, boolean];
}

/**
 * What shows of a picture whether black or white along its edges stands in place of nothing: fed with rows of
 * pixels, or parts of them. What is turned or cut along a boundary has it in a corner, and not as a line.
 */
export class BorderPixels {
  readonly #bands: number;
  readonly #width: number;
  readonly #height: number;
  readonly #values = new Set<number>();
  readonly #counts: readonly Counts[] = ([0, 255] as const).map((value) => ({
    ...{ value, atEdge: 0, nearby: 0, inMiddle: 0, run: 0 },
    ...{ reaching: 0, between: 0, itBetween: 0 },
    inCorner: [false, false, false, false],
  }));
  /** How far from each corner that was. */
  readonly #fromCorner = corners.map(() => Number.POSITIVE_INFINITY);
  #seen = 0;
  #atEdge = 0;
  #inMiddle = 0;

  readonly #fewestAtEdge: number;
  readonly #fewestInMiddle: number;
  /** Rows and columns that are but a frame, as a picture of a window has one. */
  readonly #frame: number;

  /** @param of what its rows hold: pixels, or the mean of each 8 × 8 of them */
  constructor(bands: number, width: number, height: number, of: 'pixels' | 'means' = 'pixels') {
    [this.#fewestAtEdge, this.#fewestInMiddle] = fewest[of];
    this.#frame = of === 'pixels' ? 1 : 0;
    this.#bands = bands;
    this.#width = width;
    this.#height = height;
  }

  /** @param row a part of a row of pixels, which begins there */
  takeRow(row: Buffer, left: number, y: number): void {
    const bands = this.#bands;
    const isEdgeRow = y < this.#height * edge || y >= this.#height * (1 - edge);
    const isFrameRow = y < this.#frame || y >= this.#height - this.#frame;
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
      const isFrame = isFrameRow || x < this.#frame || x >= this.#width - this.#frame;
      const isEdge = !isFrame && (isEdgeRow || x < this.#width * edge || x >= this.#width * (1 - edge));
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
    this.#takeCorners(row, left, y);
    if (isFrameRow) return;
    for (const counts of this.#counts) {
      const fromLeft = left === 0 ? runOf(row, bands, counts.value) : 0;
      const isWhole = left + count === this.#width;
      const fromRight = isWhole && fromLeft < count ? runOf(row, bands, counts.value, true) : 0;
      counts.run = Math.max(counts.run, fromLeft, fromRight);
      if (left > 0 || !isWhole) continue;
      const inFrame = this.#frame * ((fromLeft > 0 ? 1 : 0) + (fromRight > 0 ? 1 : 0));
      counts.reaching += fromLeft + fromRight - inFrame;
      counts.between += count - fromLeft - fromRight;
      for (let at = fromLeft; at < count - fromRight; at++)
        if (isOf(row, at, bands, counts.value)) counts.itBetween += 1;
    }
  }

  /** The ends of a row, where they are nearer to corners than what was seen before. */
  #takeCorners(row: Buffer, left: number, y: number): void {
    const count = Math.floor(row.length / this.#bands);
    if (count === 0) return;
    for (const corner of corners) {
      const [isRight, isLower] = [corner % 2 === 1, corner > 1];
      const at = isRight ? count - 1 : 0;
      const across = isRight ? this.#width - 1 - left - at : left;
      const down = isLower ? this.#height - 1 - y : y;
      if (across > this.#width * edge || down > this.#height * edge) continue;
      if (across + down >= (this.#fromCorner[corner] ?? 0)) continue;
      this.#fromCorner[corner] = across + down;
      for (const counts of this.#counts) counts.inCorner[corner] = isOf(row, at, this.#bands, counts.value);
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
    const found = this.#counts.find(
      (counts) => counts.run >= leastRun && counts.inCorner.includes(true) && seems(counts),
    );
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
