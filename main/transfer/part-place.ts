/** Of one part among those in flight. */
export interface PartPlace {
  /** Nothing of it is on the wire any more, whatever is still to be written down. */
  answered(): void;
  /** A try begins; the signal takes its place away again: the part goes later, and nothing has failed. */
  begins(): AbortSignal;
  /** A try did not work, or its place was taken away. */
  failed(): void;
  /**
   * Whether it may be sent again by now. On a far line, where many are under way, all of them would time out
   * again together where the line has become a slow one.
   */
  goesAgain(): boolean;
}

/** Why a try ends whose place was taken away. */
export class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken';
}
