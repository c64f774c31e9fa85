/** A square picture, as a file and as its pixels. */
export interface Picture {
  /** Pixels. */
  readonly side: number;
  readonly png: Buffer;
  /** Four bytes a pixel, from the top row downward, not multiplied by their alpha. */
  readonly rgba: Buffer;
}
