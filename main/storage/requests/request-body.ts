/** A body that is read while it is sent, each time from its beginning. */
export interface StreamedBody {
  /** Bytes. */
  readonly length: number;
  begin(): BodyPass;
}

/** One reading of a body. */
export interface BodyPass {
  /**
   * At least one byte more and at most that many, to be used before the next call. What it throws ends the
   * request.
   */
  next(most: number): Promise<Buffer>;
}

/** Of what is read while it is sent, or of bytes that are in memory. */
export function passOf(body: Buffer | StreamedBody): BodyPass {
  if ('begin' in body) return body.begin();
  let at = 0;
  return {
    next: async (most) => {
      const bytes = body.subarray(at, at + most);
      at += bytes.length;
      return bytes;
    },
  };
}
