/** A body that is read while it is sent, each time from the start. */
export interface StreamedBody {
  readonly length: number;
  beginPass(): BodyPass;
}

/** One read of a body from start to end. */
export interface BodyPass {
  /** Returns 1 to `maxBytes` bytes, valid until the next call. An error ends the request. */
  read(maxBytes: number): Promise<Buffer>;
}

/** Begins a pass over a streamed or buffered body. */
export function passOf(body: Buffer | StreamedBody): BodyPass {
  if ('beginPass' in body) return body.beginPass();
  let offset = 0;
  return {
    read: async (maxBytes) => {
      const bytes = body.subarray(offset, offset + maxBytes);
      offset += bytes.length;
      return bytes;
    },
  };
}
